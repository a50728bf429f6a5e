// Links the page with its Python: draws the document that came with the page, or the one that the worker sends, and
// keeps both in step. What the reader does before Python is there waits, the last value of each control.

/** @import { Answers, Cause, Change, FromWorker, PageLink, Send, WorkerLike } from "./types/messages" */
/** @import { Opening, PageState, ServerSession } from "./types/protocol" */
/** @import { Drawing } from "./draw-document.js" */

import { drawDocument } from "./draw-document.js";
import { $ } from "./dom.js";
import { keepOffline } from "./offline-register.js";
import { KeptEvents } from "./kept-events.js";
import { Outbox } from "./outbox.js";
import { build, firstWorker, isEmbed, scriptsHaveRun, startWorker } from "./worker-start.js";

const LONGEST_REST_MS = 400;
const TOUCH_MS = 20; // in which what the reader touches as soon as it is drawn arrives
const MOST_ENDS = 3; // of workers in a row, each before it has answered
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

class MissingFile extends Error {}

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

  /** @type {PageState | null} */
  #stated = null; // what the page shows
  #isLive = false;
  #isOver = false; // nothing more is tried
  #ends = 0; // of workers since the last answer
  #kept = new KeptEvents();

  /** @param {PageLink} page */
  constructor(page) {
    this.page = page;
    this.outbox = new Outbox((message) => this.#worker?.postMessage(message));
    /** @type {{[Name in keyof Answers]: (answer: Answers[Name]) => void}} */
    this.answers = {
      begun: () => {},
      held: () => {},
      lost: () => this.#startOver(),
      progress: ({ stage, done, total }) => page.onProgress(stage, done, total),
      document: ({ document: text }) => this.#enqueue(() => this.#replace(JSON.parse(text))),
      patch: (message) => this.#enqueue(() => this.#apply(message)),
      ready: ({ route }) => this.#enqueue(() => this.#live(route)),
      turn: ({ messages }) => {
        for (const message of messages) this.#apply(message);
        this.#ends = 0;
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
      error: ({ text, fatal, cause }) => this.fail(text, fatal, cause),
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
      if (!globalThis.Bokeh) throw new MissingFile("BokehJS did not come.");
      if (opening) await this.#draw(opening);
    });
    if (firstWorker) this.#use(await firstWorker);
  }

  /** Tells Python, and those that take its place. @type {Send} */
  send = (name, value) => {
    this.#kept.note(name, value);
    this.outbox.event(name, value);
  };

  /**
   * A reader gets a sentence, with the last line as its details; the whole goes to the console.
   * @param {string} text
   * @param {boolean} fatal
   * @param {Cause} [cause]
   */
  fail(text, fatal, cause = fatal ? "start" : "change") {
    console.error(text);
    if (fatal) {
      this.#isOver = true;
      this.#worker?.terminate();
      mark("python", "failed");
    }
    const [detail = ""] = text.trim().split("\n").slice(-1);
    this.page.onError({ cause, detail, fatal });
  }

  /** @param {FromWorker} message */
  #received(message) {
    const answer = /** @type {(message: FromWorker) => void} */ (this.answers[message.type]);
    answer(message);
  }

  /** @param {WorkerLike} worker */
  #use(worker) {
    const { theme, language, shown } = this.page;
    const again = this.#isLive;
    const query = again && this.#stated ? this.#stated.query : this.page.query;
    this.#worker = worker;
    worker.onmessage = ({ data }) => this.#received(data);
    worker.onerror = ({ message }) =>
      this.fail(message ?? "The worker did not start.", true, message ? "start" : "files");
    worker.onend = () => this.#ended();
    worker.postMessage({ type: "open", query, theme: this.#kept.theme ?? theme, language, shown, again });
  }

  /** Another worker takes the place of one that has ended, and does what that one owed. */
  #ended() {
    this.#ends += 1;
    if (this.#ends > MOST_ENDS) this.fail("The worker ends again and again.", true, "ended");
    else {
      console.info("Python has ended; another one takes its place.");
      this.#startOver();
      this.#use(startWorker(this.#ends === MOST_ENDS));
    }
  }

  /** What Python knew is told to the one that takes its place, and what it has not answered. */
  #startOver() {
    const sent = this.outbox.lost();
    if (!this.#isLive) return; // what has been done waits, and the prepared page is the same
    mark("python", "starting");
    const isHarmless = this.#ends < 2; // else it may be what ends them
    this.outbox.again(isHarmless ? sent : { changes: [], events: [] }, this.#kept.after(this.#stated));
    if (!isHarmless) this.fail("What has been changed last has ended Python twice.", false);
  }

  /**
   * Keeps what comes from the worker in order, and behind the drawing.
   * @param {() => void | Promise<void>} step
   */
  #enqueue(step) {
    const failed = (/** @type {unknown} */ error) => {
      this.fail(String(error), true, error instanceof MissingFile ? "files" : "start");
    };
    this.#steps = this.#steps.then(() => (this.#isOver ? undefined : step())).catch(failed);
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
    globalThis.Bokeh.documents.length = 0; // a page has one
    this.outbox.keepChanges();
    this.#state(opening.state);
    await this.#draw(opening);
  }

  /** @param {PageState} state */
  #state(state) {
    this.#stated = state;
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
    this.outbox.makeChanges();
    delete document.documentElement.dataset.link;
    mark("route", route);
    mark("python", "ready");
    if (this.#isLive) return;
    this.#isLive = true;
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
    page.onError({ cause: "start", detail: String(error), fatal: true });
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
  return connection;
}
