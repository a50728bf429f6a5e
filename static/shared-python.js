// One Python for all embeds of a page: their frames elect one that runs it, by a lock of their origin, and talk to it over
// a channel. Where the leading frame goes away, the next one starts Python anew, and every frame opens its page again.

const RESTARTED = "refused";

/** A frame's seat at the shared Python: to the page it looks like a worker of its own. */
class Seat {
  #session = crypto.randomUUID();
  #opening = null; // what this frame has asked for, with the query of its last state
  #waits = false; // for the answer to a turn
  #worker = null; // the leader's
  #seated = new Set(); // sessions that the leader's worker has opened

  constructor(startWorker, name) {
    this.startWorker = startWorker;
    this.onmessage = null;
    this.onerror = null;
    this.channel = new BroadcastChannel(name);
    this.channel.onmessage = ({ data }) => this.#heard(data);
    addEventListener("pagehide", () => this.#tell({ to: "leader", message: { type: "leave", session: this.#session } }));
    navigator.locks.request(name, () => this.#lead());
  }

  postMessage(message) {
    if (message.type === "open") this.#opening = message;
    if (message.type === "turn") this.#waits = true;
    this.#ask({ ...message, session: this.#session });
  }

  /** The page does not end a Python that others use. */
  terminate() {}

  #tell(note) {
    this.channel.postMessage(note);
  }

  #ask(message) {
    if (this.#worker) this.#serve(message);
    else this.#tell({ to: "leader", message });
  }

  /** Leads for as long as this frame lives. */
  #lead() {
    this.#begin(false);
    this.#openAgain();
    this.#tell({ to: "all", led: true });
    return new Promise(() => {});
  }

  #begin(plain) {
    this.#seated.clear();
    this.#worker = this.startWorker(plain);
    this.#worker.onmessage = ({ data }) => this.#answered(data);
    this.#worker.onerror = (event) => this.#spread({ type: "error", text: event.message ?? "The worker did not start.", fatal: true });
  }

  #serve(message) {
    if (message.type === "open") {
      if (this.#seated.has(message.session)) return;
      this.#seated.add(message.session);
    } else if (message.type === "leave") {
      this.#seated.delete(message.session);
    }
    this.#worker.postMessage(message);
  }

  #answered(data) {
    if (data.type !== RESTARTED) {
      this.#spread(data);
      return;
    }
    console.info(`The snapshot does not fit, Python starts without it: ${data.text}`);
    this.#worker.terminate();
    this.#begin(true);
    this.#openAgain();
    this.#tell({ to: "all", led: true });
  }

  #spread(data) {
    const { session } = data;
    if (session !== this.#session) this.#tell({ to: session ?? "all", message: data });
    if (!session || session === this.#session) this.#take(data);
  }

  #heard({ to, message, led }) {
    if (to === "leader") {
      if (this.#worker) this.#serve(message);
    } else if (led) {
      this.#openAgain();
    } else if (to === "all" || to === this.#session) {
      this.#take(message);
    }
  }

  /** Asks a new leader for this frame's page, as it was last. */
  #openAgain() {
    if (!this.#opening) return;
    if (this.#waits) this.#take({ type: "turn", messages: [] });
    this.#ask({ ...this.#opening, session: this.#session });
  }

  #take(data) {
    if (data.type === "turn") this.#waits = false;
    if (data.type === "ready") this.#opening = { ...this.#opening, again: true };
    for (const { state } of data.messages ?? [data]) {
      if (state && this.#opening) this.#opening = { ...this.#opening, query: JSON.parse(state).query };
    }
    this.onmessage?.({ data });
  }
}

/** Whether this frame may hold locks: browsers that keep third parties from storing anything refuse them, too. */
async function mayLock() {
  try {
    await navigator.locks.request(crypto.randomUUID(), () => {});
    return true;
  } catch {
    return false;
  }
}

/**
 * Takes a seat at the Python of this origin's embeds.
 * @param {(plain: boolean) => Worker} startWorker Starts a worker, in the frame that leads.
 * @param {string} name Of the build: frames of different builds share nothing.
 * @returns {Promise<?Seat>} Null where frames cannot agree on who leads.
 */
export async function sharedPython(startWorker, name) {
  return (await mayLock()) ? new Seat(startWorker, `speculation-roofline ${name}`) : null;
}
