// The page's Python, in a module worker: restored from the build's memory, else started plainly; then one answer per message.
// Several pages can share it: all that concerns one of them carries its session, which a page on its own leaves out.
// Whoever starts it can put the first message into its name, as {start: {base, build, plain}}.
// Messages in and out: ToWorker and FromWorker in ../types/messages.d.ts.

/** @import { Build, Change, FromWorker, OpenMessage, StartMessage, ToWorker, TurnMessage } from "../types/messages" */
/** @import { Address, Progress, Python } from "./types/pyodide" */
/** @import { Pages, PagesJob } from "./types/snapshot" */

import { causeOf } from "./causes.js";
import { serveInlined } from "./inlined-files.js";
import { servePages } from "./snapshot-pages.js";
import { startPlain } from "./plain-start.js";
import { completeFiles, restore } from "./snapshot-restore.js";
import { forgetPages, keepPages } from "./snapshot-store.js";

const QUIET_MS = 700;
const READY_MS = 20; // from Python's being ready to the first touch that waited for it

/** @type {(message: FromWorker, transfer?: Transferable[]) => void} */
const post = (message, transfer = []) => self.postMessage(message, transfer);

/** @type {Progress} */
const progress = (stage, done, total) => post({ type: "progress", stage, done, total });

/** @type {Python | null} */
let interpreter = null;

/** @type {any} Python's `roofline_app.page.runtime.browser`. */
let browser = null;

/** @type {Change[] | null} What a turn has changed so far. */
let collected = null;

let lastTurn = 0;
let isReady = false;

/** @type {string | undefined} The one whose page is the prepared one. */
let firstSession;

/** @type {(message: OpenMessage) => void} */
let opening = () => {};
/** @type {Promise<OpenMessage>} The first page. */
const opened = new Promise((resolve) => {
  opening = resolve;
});

/** @type {(_: null) => void} */
let begun = () => {};
const running = new Promise((resolve) => {
  begun = resolve; // once Python answers
});

/** @param {unknown} error */
const words = (error) => (error instanceof Error ? error.message : String(error));

/**
 * @param {unknown} error
 * @param {boolean} fatal
 * @param {string} [session]
 */
const report = (error, fatal, session) => {
  post({ type: "error", text: words(error), fatal, session, cause: fatal ? causeOf(error) : "change" });
};

/**
 * Returns what sends a page's changes.
 * @param {string} [session]
 * @returns {(text: string, table: string, blob: {toJs(): Uint8Array<ArrayBuffer>}, state: string | null) => void}
 */
const sender = (session) => (text, table, blob, state) => {
  const bytes = blob.toJs();
  /** @type {Change} */
  const message = { text, table, bytes, state };
  if (collected) collected.push(message);
  else post({ type: "patch", session, ...message }, [bytes.buffer]);
};

/**
 * Opens one more page: the prepared one is another's, or this one has drawn something else.
 * @param {OpenMessage} message
 */
function openAnother({ session, query, theme, language }) {
  post({ type: "document", session, document: browser.join(session, query, theme, language, sender(session)) });
}

/**
 * Opens the first page; it goes on with the prepared one, which it has drawn.
 * @param {OpenMessage} message
 * @param {boolean} prepared Whether there is one.
 */
function openFirst(message, prepared) {
  const { query, theme, language, shown, session, again } = message;
  if (again && session) {
    openAnother(message);
    return;
  }
  firstSession = session;
  if (prepared && shown && !again) browser.see(JSON.stringify(shown));
  const open = prepared && !again ? browser.resume : browser.start;
  const document = open(query, theme, language, sender(session));
  if (document) post({ type: "document", session, document });
}

/** Shows the same setting once more where the reader waits for nothing: engines compile what runs for the first time. */
function warmUp() {
  if (!lastTurn) browser.turn("", JSON.stringify([{ name: "warm-up", value: null }]));
}

/** Waits until the reader has done nothing for a while. */
async function quiet() {
  do {
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  } while (performance.now() - lastTurn < QUIET_MS);
}

/**
 * @param {Build} build
 * @param {Address} address
 */
async function startFast(build, address) {
  const { python, pages } = await restore(build, address, progress);
  interpreter = python;
  browser = python.pyimport("roofline_app.page.runtime.browser");
  const year = new Date().getFullYear();
  const [winter, summer] = [0, 6].map((month) => new Date(year, month, 1).getTimezoneOffset());
  python.pyimport("roofline_app.page.runtime.reseed").reseed(winter, summer);
  const message = await opened;
  openFirst(message, true);
  isReady = true;
  post({ type: "ready", session: message.session, route: pages.origin });
  begun(null);
  setTimeout(warmUp, READY_MS);
  finish(python, pages, build, address).catch((error) => console.warn(`Late files did not come: ${error}`));
}

/**
 * What can wait until the reader does: the pages for the next visit, and files for late imports.
 * @param {Python} python
 * @param {Pages} pages
 * @param {Build} build
 * @param {Address} address
 */
async function finish(python, pages, build, address) {
  await quiet();
  const parts = pages.parts();
  if (parts) post({ type: "stored", place: await keepPages(build.snapshot.pages, parts, quiet) });
  await quiet();
  await completeFiles(python, build, address);
}

/**
 * @param {Build} build
 * @param {Address} address
 */
async function startSlowly(build, address) {
  const python = await startPlain(build, address, progress);
  interpreter = python;
  progress("page", 0, 1);
  browser = python.pyimport("roofline_app.page.runtime.browser");
  const message = await opened;
  const { session } = message;
  const isDrawn = build.language === message.language; // else there is nothing to go on with
  if (isDrawn && !message.again) post({ type: "document", session, document: browser.prepare(message.language) });
  openFirst(message, isDrawn);
  python.pyimport("gc").freeze();
  post({ type: "ready", session, route: "plain" });
  begun(null);
}

/** @param {StartMessage} message */
async function start({ base, build, plain, files }) {
  const address = (/** @type {string} */ name) => new URL(name, base).href;
  if (files) serveInlined(files, address);
  if (!build.snapshot || plain) {
    await startSlowly(build, address);
    return;
  }
  try {
    await startFast(build, address);
  } catch (error) {
    if (isReady) throw error;
    await forgetPages();
    post({ type: "refused", text: error instanceof Error && error.stack ? error.stack : String(error) });
  }
}

/**
 * Opens a page: the first as Python starts, others once it has.
 * @param {OpenMessage} message
 */
async function openPage(message) {
  opening(message);
  if ((await opened) === message) return;
  await running;
  openAnother(message);
  post({ type: "ready", session: message.session, route: "shared" });
}

/** @param {string} [session] */
const nameOf = (session) => (session === firstSession ? "" : session);

/**
 * Whether an exception is one of Python's own, after which it goes on.
 * @param {unknown} error
 */
const isPythons = (error) => error instanceof Error && error.name === "PythonError";

/** @param {TurnMessage} message */
function turn({ patch, events, session }) {
  const began = performance.now();
  /** @type {Change[]} */
  const messages = [];
  collected = messages;
  try {
    browser.turn(patch, events, nameOf(session));
  } catch (error) {
    report(error, false, session);
    if (!isPythons(error)) self.close(); // the interpreter itself has failed: it would answer nothing more
  }
  collected = null;
  lastTurn = performance.now();
  const measured = { milliseconds: lastTurn - began, heapBytes: interpreter?._module.HEAPU8.length };
  const buffers = messages.map(({ bytes }) => bytes.buffer);
  post({ type: "turn", session, messages, ...measured }, buffers);
}

/** @param {ToWorker} message */
function receive(message) {
  if (message.type === "turn") turn(message);
  else if (message.type === "start") start(message).catch((error) => report(error, true));
  else if (message.type === "open") openPage(message).catch((error) => report(error, true, message.session));
  else if (message.type === "ping") post({ type: "begun" });
  else browser?.leave(nameOf(message.session));
}

/** Holds a lock for as long as this worker lives, and says which: whoever waits for it learns of the worker's end. */
function holdLock() {
  const lock = `speculation-roofline worker ${crypto.getRandomValues(new Uint32Array(4)).join("-")}`;
  const hold = () => {
    post({ type: "held", lock });
    return new Promise(() => {});
  };
  navigator.locks?.request(lock, hold).catch(() => {}); // a frame without an origin may not
}

/** @type {{pages?: PagesJob, start?: Omit<StartMessage, "type">}} */
const job = JSON.parse(self.name || "{}");
if (job.pages) servePages(job.pages);
else {
  self.onmessage = ({ data }) => receive(data);
  if (job.start) receive({ type: "start", ...job.start });
  post({ type: "begun" });
  holdLock();
}
