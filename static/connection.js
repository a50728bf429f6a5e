// Links the page with its Python: draws the document that came with the page, or the one that the worker sends, and
// keeps both in step. What the reader does before Python is there waits, the last value of each control.

import { drawDocument } from "./draw-document.js";
import { keepOffline } from "./offline-register.js";
import { build, earlyEvents, firstWorker, isEmbed, scriptsHaveRun, startWorker } from "./worker-start.js";

const LONGEST_REST_MS = 400;
const TOUCH_MS = 20; // in which what the reader touches as soon as it is drawn arrives
const OFFLINE_DELAY_MS = 4000; // late files and the pages' storage come first

// What a reader does to a view (zoom, legend, hover) is of no interest to Python.
const VIEW_ONLY = /(Range1d|DataRange1d|Figure|Plot|Toolbar|Canvas|Tool|Legend|Title|Axis)$/;

/** For styles and tests: `python` is starting, ready or failed; `drawn` says that BokehJS has drawn what is on the screen. */
function mark(name, value) {
  document.documentElement.dataset[name] = value;
  performance.mark(`${name} ${value}`);
}

/** Returns what the build drew for these colours; null where it drew nothing, or in another language. */
async function openingOfPage({ theme, language }) {
  if (build.language !== language) return null;
  if (!build.openings[theme]) return JSON.parse(document.getElementById(`opening-${theme}`).textContent);
  return (await fetch(new URL(build.openings[theme], document.baseURI))).json();
}

const ids = (text) => [...text.matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id);
const modelIds = (documents) => JSON.stringify(ids(JSON.stringify(documents)).sort());

/** Messages from page to worker: one in flight, the last value of each model's attribute, events in order. */
class Outbox {
  #changes = new Map();
  #events = [];
  #inFlight = false;
  #unnamed = 0;

  constructor(post) {
    this.post = post;
    this.drawn = null;
    this.open = false;
  }

  change(event) {
    const isChange = event.kind === "ModelChanged";
    if (isChange && VIEW_ONLY.test(event.model.type)) return;
    const key = isChange ? `${event.model.id}.${event.attr}` : `#${this.#unnamed++}`;
    this.#changes.delete(key);
    this.#changes.set(key, event);
    this.flush();
  }

  event(name, value) {
    this.#events.push({ name, value });
    this.flush();
  }

  /** Whether everything that the reader did is answered. */
  get isIdle() {
    return !this.#inFlight && !this.#events.length;
  }

  answered() {
    this.#inFlight = false;
    this.flush();
  }

  /** Another document takes this one's place: changes of the old one mean nothing to it. */
  forgetChanges() {
    this.#changes.clear();
  }

  flush() {
    if (!this.open || !this.drawn || this.#inFlight || !(this.#changes.size || this.#events.length)) return;
    const patch = this.#changes.size ? JSON.stringify(this.drawn.create_json_patch([...this.#changes.values()])) : "";
    this.#inFlight = true;
    this.post({ type: "turn", patch, events: JSON.stringify(this.#events) });
    this.#changes.clear();
    this.#events = [];
  }
}

/** One page's link to its Python. */
class Connection {
  #worker = null;
  #drawing = Promise.resolve();
  #drawn = null;
  #drawer = null; // ends what is left of the drawing
  #models = null; // of the drawn document: those that the drawing has not needed may be missing yet
  #calmDown = () => {};
  #calm = new Promise((resolve) => {
    this.#calmDown = resolve; // once the reader's first touch is answered, so that it does not wait for what nobody sees
  });

  #opening = null;
  #patching = false;
  #stated = false;

  constructor(page) {
    this.page = page;
    this.outbox = new Outbox((message) => this.#worker.postMessage(message));
    this.answers = {
      begun: () => {},
      progress: ({ stage, done, total }) => page.onProgress(stage, done, total),
      document: ({ document: text }) => this.#enqueue(() => this.#replace(JSON.parse(text))),
      patch: (message) => this.#enqueue(() => this.#apply(message)),
      ready: ({ route }) => this.#enqueue(() => this.#live(route)),
      turn: ({ messages }) => {
        for (const message of messages) this.#apply(message);
        this.outbox.answered();
        if (!this.outbox.isIdle) return;
        this.#calmDown();
        page.onIdle?.();
      },
      stored: ({ place }) => mark("stored", place),
      refused: ({ text }) => {
        console.info(`The snapshot does not fit, Python starts without it: ${text}`);
        this.#worker.terminate();
        this.#use(startWorker(true));
      },
      error: ({ text, fatal }) => this.fail(text, fatal),
    };
  }

  async start() {
    const { page } = this;
    mark("python", "starting");
    if (page.query && build.openings) mark("link", "pending");
    this.#enqueue(async () => {
      const opening = await openingOfPage(page);
      if (opening && !page.query) this.#state(opening.state);
      await scriptsHaveRun;
      if (opening) await this.#draw(opening);
    });
    this.#use(await firstWorker);
  }

  // A reader gets the last line, which says what is wrong; the whole goes to the console.
  fail(text, fatal) {
    console.error(text);
    if (fatal) mark("python", "failed");
    this.page.onError(text.trim().split("\n").at(-1), fatal);
  }

  #use(worker) {
    const { query, theme, language, shown } = this.page;
    this.#worker = worker;
    worker.onmessage = ({ data }) => this.answers[data.type](data);
    worker.onerror = (event) => this.fail(event.message ?? "The worker did not start.", true);
    for (const event of earlyEvents(worker)) {
      if (worker !== this.#worker) break; // what it said has made another take its place
      if (event.type === "error") worker.onerror(event);
      else worker.onmessage(event);
    }
    worker.postMessage({ type: "open", query, theme, language, shown });
  }

  /** Keeps what comes from the worker in order, and behind the drawing. */
  #enqueue(step) {
    this.#drawing = this.#drawing.then(step).catch((error) => this.fail(String(error), true));
  }

  async #draw(opening) {
    this.#drawer = new AbortController();
    const onDrawn = this.page.onDrawn ?? (() => {});
    const drawing = await drawDocument(opening, onDrawn, this.#drawer.signal, this.#calm);
    const { drawn, rest, complete } = drawing;
    this.#models = drawing;
    setTimeout(this.#calmDown, LONGEST_REST_MS);
    rest.catch((error) => this.#drawn === drawn && this.fail(String(error), true)); // else it has been replaced
    this.#drawn = drawn;
    this.#opening = opening;
    this.outbox.drawn = drawn;
    drawn.on_change((event) => this.#patching || this.outbox.change(event), false);
    mark("drawn", "yes");
    if (this.page.query) setTimeout(complete); // nothing can be touched yet
  }

  /** Takes the document of a Python that started anew: the drawn one where its models are the same. */
  async #replace(opening) {
    if (this.#drawn && modelIds(opening.documents) === modelIds(this.#opening.documents)) return;
    this.#drawer?.abort();
    this.#drawn?.clear();
    this.outbox.forgetChanges();
    this.#state(opening.state);
    await this.#draw(opening);
  }

  #state(state) {
    this.#stated = true;
    this.page.onState(state);
  }

  #apply({ text, table, bytes, state }) {
    if (text) {
      const buffers = new Map();
      for (const [id, offset, length] of JSON.parse(table)) {
        const start = bytes.byteOffset + offset;
        buffers.set(id, bytes.buffer.slice(start, start + length));
      }
      const isKnown = (id) => buffers.has(id) || this.#drawn.get_model_by_id(id);
      if (!ids(text).every(isKnown)) this.#models.complete();
      this.#patching = true;
      try {
        this.#drawn.apply_json_patch(JSON.parse(text), buffers);
      } finally {
        this.#patching = false;
      }
    }
    if (state) this.#state(JSON.parse(state));
  }

  async #live(route) {
    if (!this.#stated) this.#state(this.#opening.state);
    this.outbox.open = true;
    this.outbox.flush();
    if (!this.#models.isComplete()) await new Promise((resolve) => setTimeout(resolve, TOUCH_MS));
    this.#models.complete(); // while Python is at what the reader has touched
    delete document.documentElement.dataset.link;
    mark("route", route);
    mark("python", "ready");
    this.page.onProgress("draw", 1, 1);
    this.page.onReady();
    if (isEmbed) return; // another site's reader has not come for all of this one
    setTimeout(async () => mark("offline", await keepOffline(build.offline)), OFFLINE_DELAY_MS);
  }
}

/** Joins the page's session on a Panel server. Only such a server has that module. */
function joined(page) {
  const session = (async () => {
    await scriptsHaveRun;
    const { joinSession } = await import("./panel-session.js");
    const send = await joinSession(page, mark);
    delete document.documentElement.dataset.link;
    mark("route", "session");
    mark("python", "ready");
    page.onReady();
    return send;
  })();
  session.catch((error) => {
    mark("python", "failed");
    page.onError(String(error), true);
  });
  return { send: (name, value) => session.then((send) => send(name, value)) };
}

/**
 * Starts Python for this page.
 * @param {{query: string, theme: string, language: string, shown: string[], onProgress: (stage: string, done: number, total: number) => void,
 *   onState: (state: object) => void, onReady: () => void, onError: (text: string, fatal: boolean) => void,
 *   onDrawn?: (name: string, element: Element) => void, onIdle?: () => void}} page
 * @returns {{send: (name: string, value: unknown) => void}} Tells Python of what the reader does outside of its widgets.
 */
export function connect(page) {
  if (build.session) return joined(page);
  const connection = new Connection(page);
  connection.start().catch((error) => connection.fail(String(error), true));
  return { send: (name, value) => connection.outbox.event(name, value) };
}
