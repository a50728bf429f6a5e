// The page's Python, in a module worker: restored from the build's memory, else started plainly; then one answer per message.
// Several pages can share it: all that concerns one of them carries its session, which a page on its own leaves out.
// Whoever starts it can put the first message into its name, as {start: {base, build, plain}}.
// Messages in:  {type: "start", base, build, plain, files}, {type: "open", query, theme, language, shown, again}, {type: "turn", patch, events},
//               {type: "leave"}
// Messages out: {type: "begun"}, {type: "progress", stage, done, total}, {type: "document", document}, {type: "ready", route},
//               {type: "turn", …}, {type: "patch", …}, {type: "stored", place}, {type: "refused", text}, {type: "error", text, fatal}

import { serveInlined } from "./inlined-files.js";
import { servePages } from "./snapshot-pages.js";
import { startPlain } from "./plain-start.js";
import { completeFiles, restore } from "./snapshot-restore.js";
import { forgetPages, keepPages } from "./snapshot-store.js";

const QUIET_MS = 700;
const READY_MS = 20; // from Python's being ready to the first touch that waited for it
const post = (message, transfer = []) => self.postMessage(message, transfer);
const progress = (stage, done, total) => post({ type: "progress", stage, done, total });
let interpreter = null;
let browser = null;
let collected = null;
let lastTurn = 0;
let isReady = false;
let opening = null;
let firstSession; // the one whose page is the prepared one
let begun = null; // resolved once Python answers
const opened = new Promise((resolve) => {
  opening = resolve;
});

const running = new Promise((resolve) => {
  begun = resolve;
});

function report(error, fatal, session) {
  post({ type: "error", text: String(error?.message ?? error), fatal, session });
}

/** Returns what sends a page's changes. */
const sender = (session) => (text, table, blob, state) => {
  const bytes = blob.toJs();
  const message = { text, table, bytes, state };
  if (collected) collected.push(message);
  else post({ type: "patch", session, ...message }, [bytes.buffer]);
};

/** Opens one more page: the prepared one is another's, or this one has drawn something else. */
function openAnother({ session, query, theme, language }) {
  post({ type: "document", session, document: browser.join(session, query, theme, language, sender(session)) });
}

/** Opens the first page; it goes on with the prepared one, which it has drawn. */
function openFirst(message, prepared) {
  const { query, theme, language, shown, session, again } = message;
  if (again) return openAnother(message);
  firstSession = session;
  if (prepared && shown) browser.see(JSON.stringify(shown));
  const open = prepared ? browser.resume : browser.start;
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
  begun();
  setTimeout(warmUp, READY_MS);
  finish(python, pages, build, address).catch((error) => console.warn(`Late files did not come: ${error}`));
}

/** What can wait until the reader does: the pages for the next visit, and files for late imports. */
async function finish(python, pages, build, address) {
  await quiet();
  const parts = pages.parts();
  if (parts) post({ type: "stored", place: await keepPages(build.snapshot.pages, parts, quiet) });
  await quiet();
  await completeFiles(python, build, address);
}

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
  begun();
}

async function start({ base, build, plain, files }) {
  const address = (name) => new URL(name, base).href;
  if (files) serveInlined(files, address);
  if (!build.snapshot || plain) return startSlowly(build, address);
  try {
    return await startFast(build, address);
  } catch (error) {
    if (isReady) throw error;
    await forgetPages();
    return post({ type: "refused", text: String(error?.stack ?? error) });
  }
}

/** Opens a page: the first as Python starts, others once it has. */
async function open(message) {
  opening(message);
  if ((await opened) === message) return;
  await running;
  openAnother(message);
  post({ type: "ready", session: message.session, route: "shared" });
}

const nameOf = (session) => (session === firstSession ? "" : session);

function turn({ patch, events, session }) {
  const began = performance.now();
  collected = [];
  try {
    browser.turn(patch, events, nameOf(session));
  } catch (error) {
    report(error, false, session);
  }
  const messages = collected;
  collected = null;
  lastTurn = performance.now();
  const measured = { milliseconds: lastTurn - began, heapBytes: interpreter._module.HEAPU8.length };
  post({ type: "turn", session, messages, ...measured }, messages.map((message) => message.bytes.buffer));
}

const answers = {
  start: (message) => start(message).catch((error) => report(error, true)),
  open: (message) => open(message).catch((error) => report(error, true, message.session)),
  leave: ({ session }) => browser?.leave(nameOf(session)),
  turn,
};
const job = JSON.parse(self.name || "{}");
if (job.pages) servePages(job.pages);
else {
  self.onmessage = ({ data }) => answers[data.type](data);
  if (job.start) answers.start(job.start);
  post({ type: "begun" });
}
