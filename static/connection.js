// Links the page with its Python: draws the document that came with the page, or the one that the worker sends, and
// keeps both in step. What the reader does before Python is there waits, the last value of each control.

/** @import { Answers, Change, FromWorker, PageLink, Send, WorkerLike } from "./types/messages" */
/** @import { Opening, PageState, ServerSession } from "./types/protocol" */
/** @import { Drawing } from "./draw-document.js" */

import { drawDocument } from "./draw-document.js";
import { $ } from "./dom.js";
import { keepOffline } from "./offline-register.js";
import { Outbox } from "./outbox.js";
import { build, earlyEvents, firstWorker, isEmbed, scriptsHaveRun, startWorker } from "./worker-start.js";

const LONGEST_REST_MS = 400;
const TOUCH_MS = 20; // in which what the reader touches as soon as it is drawn arrives
const OFFLINE_DELAY_MS = 4000; // late files and the pages' storage come first

/**
 * For styles and tests: `python` is starting, ready or failed; `drawn` says that BokehJS has drawn what is on the screen.
 * @param {string} name
 * @param {string} value
 */
function mark(name, value) {
  document.documentElement.dataset[name] = value;
  performance.mark(`${name} ${value}`);
}

/**
 * Returns what the build drew for these colours; null where it drew nothing, or in another language.
 * @param {PageLink} page
 * @returns {Promise<Opening | null>}
 */
async function openingOfPage({ theme, language }) {
  if (build.language !== language) return null;
  if (!build.openings[theme]) return JSON.parse($(`#opening-${theme}`).textContent);
  return (await fetch(new URL(build.openings[theme], document.baseURI))).json();
}

/** @param {string} text */
const ids = (text) => [...text.matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id);
/** @param {Opening["documents"]} documents */
const modelIds = (documents) => JSON.stringify(ids(JSON.stringify(documents)).sort());

/**
 * The buffers of a patch by their ids.
 * @param {string} table
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {Map<string, ArrayBuffer>}
 */
function buffersOf(table, bytes) {
  /** @type {[string, number, number][]} */
  const places = JSON.parse(table);
  return new Map(
    places.map(([id, offset, length]) => {
      const start = bytes.byteOffset + offset;
      return [id, bytes.buffer.slice(start, start + length)];
    }),
  );
}

/** One page's link to its Python. */
class Connection {
  /** @type {WorkerLike | null} */
  #worker = null;

  /** @type {Promise<void>} */
  #steps = Promise.resolve();

  /** @type {AbortController | null} */
  #drawer = null; // ends what is left of the drawing

  /** @type {Drawing | null} */
  #drawing = null; // models that the drawing has not needed may be missing yet

  /** @type {Opening | null} */
  #opening = null;

  /** @type {() => void} */
  #calmDown = () => {};

  /** @type {Promise<void>} */
  #calm = new Promise((resolve) => {
    this.#calmDown = resolve; // once the reader's first touch is answered, so that it does not wait for what nobody sees
  });

  #patching = false;
  #stated = false;

  /** @param {PageLink} page */
  constructor(page) {
    this.page = page;
    this.outbox = new Outbox((message) => this.#worker?.postMessage(message));
    /** @type {{[Name in keyof Answers]: (answer: Answers[Name]) => void}} */
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
        this.#worker?.terminate();
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
    if (firstWorker) this.#use(await firstWorker);
  }

  /**
   * A reader gets the last line, which says what is wrong; the whole goes to the console.
   * @param {string} text
   * @param {boolean} fatal
   */
  fail(text, fatal) {
    console.error(text);
    if (fatal) mark("python", "failed");
    this.page.onError(text.trim().split("\n").at(-1) ?? "", fatal);
  }

  /** @param {FromWorker} message */
  #received(message) {
    const answer = /** @type {(message: FromWorker) => void} */ (this.answers[message.type]);
    answer(message);
  }

  /** @param {WorkerLike} worker */
  #use(worker) {
    const { query, theme, language, shown } = this.page;
    this.#worker = worker;
    worker.onmessage = ({ data }) => this.#received(data);
    worker.onerror = ({ message }) => this.fail(message ?? "The worker did not start.", true);
    for (const event of earlyEvents(worker)) {
      if (worker !== this.#worker) break; // what it said has made another take its place
      if ("data" in event) this.#received(event.data);
      else worker.onerror(event);
    }
    worker.postMessage({ type: "open", query, theme, language, shown });
  }

  /**
   * Keeps what comes from the worker in order, and behind the drawing.
   * @param {() => void | Promise<void>} step
   */
  #enqueue(step) {
    this.#steps = this.#steps.then(step).catch((error) => this.fail(String(error), true));
  }

  /** @param {Opening} opening */
  async #draw(opening) {
    this.#drawer = new AbortController();
    const onDrawn = this.page.onDrawn ?? (() => {});
    const drawing = await drawDocument(opening, onDrawn, this.#drawer.signal, this.#calm);
    const { drawn, rest, complete } = drawing;
    this.#drawing = drawing;
    setTimeout(this.#calmDown, LONGEST_REST_MS);
    rest.catch((error) => this.#drawing === drawing && this.fail(String(error), true)); // else it has been replaced
    this.#opening = opening;
    this.outbox.drawn = drawn;
    drawn.on_change((/** @type {any} */ event) => this.#patching || this.outbox.change(event), false);
    mark("drawn", "yes");
    if (this.page.query) setTimeout(complete); // nothing can be touched yet
  }

  /**
   * Takes the document of a Python that started anew: the drawn one where its models are the same.
   * @param {Opening} opening
   */
  async #replace(opening) {
    if (this.#opening && modelIds(opening.documents) === modelIds(this.#opening.documents)) return;
    this.#drawer?.abort();
    this.#drawing?.drawn.clear();
    this.outbox.forgetChanges();
    this.#state(opening.state);
    await this.#draw(opening);
  }

  /** @param {PageState} state */
  #state(state) {
    this.#stated = true;
    this.page.onState(state);
  }

  /** @param {Change} change */
  #apply({ text, table, bytes, state }) {
    if (text && this.#drawing) this.#patch(this.#drawing, text, buffersOf(table, bytes));
    if (state) this.#state(JSON.parse(state));
  }

  /**
   * @param {Drawing} drawing
   * @param {string} text
   * @param {Map<string, ArrayBuffer>} buffers
   */
  #patch({ drawn, complete }, text, buffers) {
    const isKnown = (/** @type {string} */ id) => buffers.has(id) || drawn.get_model_by_id(id);
    if (!ids(text).every(isKnown)) complete();
    this.#patching = true;
    try {
      drawn.apply_json_patch(JSON.parse(text), buffers);
    } finally {
      this.#patching = false;
    }
  }

  /** @param {string} route */
  async #live(route) {
    if (!this.#stated && this.#opening) this.#state(this.#opening.state);
    this.outbox.open = true;
    this.outbox.flush();
    if (!this.#drawing?.isComplete()) await new Promise((resolve) => setTimeout(resolve, TOUCH_MS));
    this.#drawing?.complete(); // while Python is at what the reader has touched
    delete document.documentElement.dataset.link;
    mark("route", route);
    mark("python", "ready");
    this.page.onProgress("draw", 1, 1);
    this.page.onReady();
    if (isEmbed) return; // another site's reader has not come for all of this one
    setTimeout(async () => mark("offline", await keepOffline(build.offline)), OFFLINE_DELAY_MS);
  }
}

/**
 * Joins the page's session on a Panel server. Only such a server has that module.
 * @param {ServerSession} joined
 * @param {PageLink} page
 * @returns {{send: Send}}
 */
function joinServer(joined, page) {
  const session = (async () => {
    await scriptsHaveRun;
    const { joinSession } = await import("./panel-session.js");
    const send = await joinSession(joined, page, mark);
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
 * @param {PageLink} page
 * @returns {{send: Send}}
 */
export function connect(page) {
  if (build.session) return joinServer(build.session, page);
  const connection = new Connection(page);
  connection.start().catch((error) => connection.fail(String(error), true));
  return { send: (name, value) => connection.outbox.event(name, value) };
}
