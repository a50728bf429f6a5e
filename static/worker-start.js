// The page's worker: the one that early.js has started, or another where that cannot be, has failed, or has to wait.

/** @import { WorkerLike } from "./types/messages" */

import { WatchedWorker } from "./watched-worker.js";

const TOUCHES = ["pointerdown", "keydown", "touchstart", "focusin"];

const { first } = globalThis;

/** The page's manifest, written by the build. */
export const build = first.build;

/** Where the page itself lies, for a query to be added: the folder of a site, or a file. */
export const home = build.inlined ? "" : "./";

/** Whether the page is an embed in another one. */
export const isEmbed = "embed" in document.documentElement.dataset;

/**
 * Frames without an origin may start workers from blobs only, and those of the classic kind.
 * @param {string} address
 */
function workerWithoutOrigin(address) {
  const text = `const early = []; self.onmessage = (event) => early.push(event);
    import(${JSON.stringify(address)}).then(() => early.forEach((event) => self.onmessage(event)),
      (error) => postMessage({ type: "error", text: String(error), fatal: true }));`;
  return new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
}

/**
 * In the single file, the worker and what it would fetch lie in the page.
 * @param {string} name
 */
const inlined = (name) => document.getElementById(name)?.textContent ?? "";
const workerOfThisFile = () =>
  new Worker(URL.createObjectURL(new Blob([inlined("worker")], { type: "text/javascript" })));

function newWorker() {
  if (build.inlined) return workerOfThisFile();
  const address = new URL(build.worker, document.baseURI).href;
  return self.origin === "null" ? workerWithoutOrigin(address) : new Worker(address, { type: "module" });
}

/**
 * Starts a worker.
 * @param {boolean} plain Whether it should not try the snapshot.
 * @returns {WorkerLike}
 */
export function startWorker(plain) {
  const worker = new WatchedWorker(newWorker());
  const files = build.inlined && JSON.parse(inlined("inlined"));
  worker.postMessage({ type: "start", base: document.baseURI, build, plain, files });
  return worker;
}

/** @returns {Promise<void>} Resolved with the user's first touch. */
function firstTouch() {
  return new Promise((resolve) => {
    const onTouch = () => {
      for (const name of TOUCHES) removeEventListener(name, onTouch, true);
      resolve();
    };
    for (const name of TOUCHES) addEventListener(name, onTouch, true);
  });
}

/** @returns {Promise<WorkerLike>} */
async function workerOrSeat() {
  if (first.worker) return new WatchedWorker(first.worker, first.early);
  if (first.waits) await firstTouch(); // a metered or very slow link, and a page that is complete without Python
  if (!isEmbed || self.origin === "null" || !navigator.locks) return startWorker(false);
  const { sharedPython } = await import("./shared-python.js");
  return (await sharedPython(startWorker, build.worker)) ?? startWorker(false);
}

/** The page's first worker, or its seat at one, once there is reason to start it; on a Panel server there is none. */
export const firstWorker = build.session ? null : workerOrSeat();

/** BokehJS is there when its scripts have run; in the single file, they stand at the page's end. */
export const scriptsHaveRun = Promise.all([
  first.scripts,
  new Promise((resolve) => {
    if (document.readyState === "complete") resolve(null);
    document.addEventListener("DOMContentLoaded", resolve);
    addEventListener("load", resolve);
  }),
]);
