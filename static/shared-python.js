// One Python for all embeds of a page: their frames elect one that runs it, by a lock of their origin, and talk to it over
// a channel. Where the leading frame goes away, the next one starts Python anew, and every frame opens its page again.

/** @import { FromWorker, OpenMessage, ToWorker, WorkerLike } from "./types/messages" */

/**
 * What frames tell each other: a message for the leader's worker, one of the worker's for a session or all, or that another leads.
 * @typedef {{to: "leader", message: ToWorker} | {to: string, said: FromWorker} | {to: "all", led: true}} Note
 */

const RESTARTED = "refused";
const MOST_ENDS = 3; // of workers in a row, each before it has answered

const TO_LEADER = ["open", "turn", "leave"];
/** What each of a worker's messages holds, by type. @type {Record<string, Record<string, string>>} */
const SAID = {
  progress: { stage: "string", done: "number", total: "number" },
  document: { document: "string" },
  ready: { route: "string" },
  turn: { messages: "object" },
  patch: { text: "string", table: "string", bytes: "object" },
  stored: { place: "string" },
  error: { text: "string", fatal: "boolean" },
  lost: {},
};

/**
 * Whether something from the channel is a note: any page of this origin can speak there.
 * @param {any} data
 * @returns {data is Note}
 */
function isNote(data) {
  if (typeof data?.to !== "string") return false;
  const { message, said } = data;
  if (message) return TO_LEADER.includes(message.type) && typeof message.session === "string";
  if (!said) return data.led === true;
  const fields = Object.hasOwn(SAID, said.type) ? Object.entries(SAID[said.type]) : null;
  return fields !== null && fields.every(([name, type]) => said[name] !== null && typeof said[name] === type);
}

/**
 * A frame's seat at the shared Python: to the page it looks like a worker of its own.
 * @implements {WorkerLike}
 */
export class Seat {
  #session = crypto.randomUUID();

  /** @type {OpenMessage | null} */
  #opening = null; // what this frame has asked for, with the query of its last state

  /** @type {WorkerLike | null} */
  #worker = null; // the leader's

  /** @type {Set<string | undefined>} */
  #seated = new Set(); // sessions that the leader's worker has been asked to open

  /** @type {Set<string | undefined>} */
  #live = new Set(); // those that it has opened

  /** @type {WorkerLike["onmessage"]} */
  onmessage = null;

  /** @type {WorkerLike["onerror"]} */
  onerror = null;

  /** @type {WorkerLike["onend"]} */
  onend = null; // to the page, another Python is the same seat's

  #ends = 0; // of this frame's workers since the last answer to a turn

  /**
   * @param {(plain: boolean) => WorkerLike} startWorker
   * @param {string} name
   */
  constructor(startWorker, name) {
    this.startWorker = startWorker;
    this.channel = new BroadcastChannel(name);
    this.channel.onmessage = ({ data }) => isNote(data) && this.#hear(data);
    addEventListener("pagehide", () => {
      this.#tell({ to: "leader", message: { type: "leave", session: this.#session } });
    });
    addEventListener("pageshow", ({ persisted }) => persisted && !this.#worker && this.#openAgain());
    navigator.locks.request(name, () => this.#lead());
  }

  /** @param {ToWorker} message */
  postMessage(message) {
    if (message.type === "open") this.#opening = message;
    this.#ask({ ...message, session: this.#session });
  }

  /** The page does not end a Python that others use. */
  terminate() {}

  /** @param {Note} note */
  #tell(note) {
    this.channel.postMessage(note);
  }

  /** @param {ToWorker} message */
  #ask(message) {
    if (this.#worker) this.#serve(message);
    else this.#tell({ to: "leader", message });
  }

  /** Leads for as long as this frame lives. */
  #lead() {
    this.#beginAgain(false);
    return new Promise(() => {});
  }

  /** @param {boolean} plain */
  #begin(plain) {
    this.#seated.clear();
    this.#live.clear();
    const worker = this.startWorker(plain);
    worker.onmessage = ({ data }) => this.#answered(data);
    worker.onerror = ({ message }) => {
      const cause = message ? "start" : "files";
      this.#spread({ type: "error", text: message ?? "The worker did not start.", fatal: true, cause });
    };
    worker.onend = () => this.#ended();
    this.#worker = worker;
  }

  /** @param {ToWorker & {session?: string}} message */
  #serve(message) {
    if (message.type === "open") {
      if (this.#seated.has(message.session)) return;
      this.#seated.add(message.session);
      this.#spread({ type: "lost", session: message.session }); // what it has in flight was another Python's
    } else if (message.type === "leave") {
      this.#seated.delete(message.session);
      this.#live.delete(message.session);
    } else if (message.type === "turn" && !this.#live.has(message.session)) {
      return; // meant for another Python, and said again once this one is ready
    }
    this.#worker?.postMessage(message);
  }

  /** @param {FromWorker} data */
  #answered(data) {
    if (data.type !== RESTARTED) {
      this.#spread(data);
      return;
    }
    console.info(`The snapshot does not fit, Python starts without it: ${data.text}`);
    this.#worker?.terminate();
    this.#beginAgain(true);
  }

  /** This frame's worker has ended: another one takes its place. */
  #ended() {
    this.#ends += 1;
    if (this.#ends > MOST_ENDS) {
      this.#spread({ type: "error", text: "The worker ends again and again.", fatal: true, cause: "ended" });
      return;
    }
    console.info("Python has ended; another one takes its place.");
    this.#beginAgain(this.#ends === MOST_ENDS);
  }

  /** @param {boolean} plain */
  #beginAgain(plain) {
    this.#begin(plain);
    this.#openAgain();
    this.#tell({ to: "all", led: true });
  }

  /** @param {FromWorker} data */
  #spread(data) {
    const { session } = data;
    if (data.type === "turn") this.#ends = 0;
    if (data.type === "ready") this.#live.add(session);
    if (session !== this.#session) this.#tell({ to: session ?? "all", said: data });
    if (!session || session === this.#session) this.#take(data);
  }

  /** @param {Note} note */
  #hear(note) {
    if ("message" in note) {
      if (this.#worker) this.#serve(note.message);
    } else if ("led" in note) {
      this.#openAgain();
    } else if (note.to === "all" || note.to === this.#session) {
      this.#take(note.said);
    }
  }

  /** Asks a new leader for this frame's page, as it was last. */
  #openAgain() {
    if (!this.#opening) return;
    this.#ask({ ...this.#opening, session: this.#session });
  }

  /** @param {FromWorker} data */
  #take(data) {
    if (data.type === "ready" && this.#opening) this.#opening = { ...this.#opening, again: true };
    const changes = data.type === "turn" ? data.messages : data.type === "patch" ? [data] : [];
    for (const { state } of changes) {
      if (state && this.#opening) this.#opening = { ...this.#opening, query: JSON.parse(state).query };
    }
    this.onmessage?.(new MessageEvent("message", { data }));
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
 * @param {(plain: boolean) => WorkerLike} startWorker Starts a worker, in the frame that leads.
 * @param {string} name Of the build: frames of different builds share nothing.
 * @returns {Promise<?Seat>} Null where frames cannot agree on who leads.
 */
export async function sharedPython(startWorker, name) {
  return (await mayLock()) ? new Seat(startWorker, `speculation-roofline ${name}`) : null;
}
