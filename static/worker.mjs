// The page's Python, in a module worker: restored from the build's memory, else started plainly; then one answer per message.
// Messages in:  {type: "start", base, build, plain}, {type: "open", query, theme, language}, {type: "turn", patch, events}
// Messages out: {type: "progress", stage, done, total}, {type: "document", document}, {type: "ready", route},
//               {type: "turn", …}, {type: "patch", …}, {type: "stored", place}, {type: "refused", text}, {type: "error", text, fatal}

import { startPlain } from "./plain.mjs";
import { completeFiles, restore } from "./restore.mjs";
import { forgetPages, keepPages } from "./store.mjs";

const QUIET_MS = 700;
const post = (message, transfer = []) => self.postMessage(message, transfer);
const progress = (stage, done, total) => post({ type: "progress", stage, done, total });
let browser = null;
let collected = null;
let lastTurn = 0;
let isReady = false;
let opening = null;
const opened = new Promise((resolve) => {
  opening = resolve;
});

function report(error, fatal) {
  post({ type: "error", text: String(error?.message ?? error), fatal });
}

function send(text, table, blob, state) {
  const bytes = blob.toJs();
  const message = { text, table, bytes, state };
  if (collected) collected.push(message);
  else post({ type: "patch", ...message }, [bytes.buffer]);
}

/** Waits until the reader has done nothing for a while. */
async function quiet() {
  do {
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  } while (performance.now() - lastTurn < QUIET_MS);
}

async function startFast(build, address) {
  const { python, pages } = await restore(build, address, progress);
  browser = python.pyimport("roofline_app.page.browser");
  const year = new Date().getFullYear();
  const [winter, summer] = [0, 6].map((month) => new Date(year, month, 1).getTimezoneOffset());
  python.pyimport("roofline_app.page.awakening").awake(winter, summer);
  const { query, theme, language } = await opened;
  const document = browser.resume(query, theme, language, send);
  if (document) post({ type: "document", document });
  isReady = true;
  post({ type: "ready", route: pages.origin });
  finish(python, pages, build, address).catch((error) => console.warn(`Late files did not come: ${error}`));
}

/** What can wait until the reader does: the pages for the next visit, and files for late imports. */
async function finish(python, pages, build, address) {
  await quiet();
  const bytes = pages.bytes();
  if (bytes) post({ type: "stored", place: await keepPages(build.snapshot.pages, bytes, quiet) });
  await quiet();
  await completeFiles(python, build, address);
}

async function startSlowly(build, address) {
  const python = await startPlain(build, address, progress);
  progress("page", 0, 1);
  browser = python.pyimport("roofline_app.page.browser");
  const { query, theme, language } = await opened;
  const isDrawn = build.openings?.language === language; // else there is nothing to go on with
  if (isDrawn) post({ type: "document", document: browser.prepare() });
  const document = isDrawn ? browser.resume(query, theme, language, send) : browser.start(query, theme, language, send);
  if (document) post({ type: "document", document });
  python.pyimport("gc").freeze();
  post({ type: "ready", route: "plain" });
}

async function start({ base, build, plain }) {
  const address = (name) => new URL(name, base).href;
  if (!build.snapshot || plain) return startSlowly(build, address);
  try {
    return await startFast(build, address);
  } catch (error) {
    if (isReady) throw error;
    await forgetPages();
    return post({ type: "refused", text: String(error?.stack ?? error) });
  }
}

function turn({ patch, events }) {
  const began = performance.now();
  collected = [];
  try {
    browser.turn(patch, events);
  } catch (error) {
    report(error, false);
  }
  const messages = collected;
  collected = null;
  lastTurn = performance.now();
  post({ type: "turn", messages, milliseconds: lastTurn - began }, messages.map((message) => message.bytes.buffer));
}

const answers = {
  start: (message) => start(message).catch((error) => report(error, true)),
  open: (message) => opening(message),
  turn,
};
self.onmessage = ({ data }) => answers[data.type](data);
