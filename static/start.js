// Starts the worker before anything else on the page, so that Python comes while BokehJS does.

const TOUCHES = ["pointerdown", "keydown", "touchstart", "focusin"];

/** The page's manifest, written by the build. */
export const build = JSON.parse(document.getElementById("build").textContent);

/** Where the page itself lies, for a query to be added: the folder of a site, or a file. */
export const home = build.inlined ? "" : "./";

/** Whether the page is an embed in another one. */
export const isEmbed = "embed" in document.documentElement.dataset;

/** Frames without an origin may start workers from blobs only, and those of the classic kind. */
function workerWithoutOrigin(address) {
  const text = `const early = []; self.onmessage = (event) => early.push(event);
    import(${JSON.stringify(address)}).then(() => early.forEach((event) => self.onmessage(event)),
      (error) => postMessage({ type: "error", text: String(error), fatal: true }));`;
  return new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
}

/** In the single file, the worker and what it would fetch lie in the page. */
const inlined = (name) => document.getElementById(name).textContent;
const workerOfThisFile = () => new Worker(URL.createObjectURL(new Blob([inlined("worker")], { type: "text/javascript" })));

function newWorker() {
  if (build.inlined) return workerOfThisFile();
  const address = new URL(build.worker, document.baseURI).href;
  return self.origin === "null" ? workerWithoutOrigin(address) : new Worker(address, { type: "module" });
}

/**
 * Starts a worker.
 * @param {boolean} plain Whether it should not try the snapshot.
 * @returns {Worker}
 */
export function startWorker(plain) {
  const worker = newWorker();
  const files = build.inlined && JSON.parse(inlined("inlined"));
  worker.postMessage({ type: "start", base: document.baseURI, build, plain, files });
  return worker;
}

/** On a metered or very slow link, a page that is complete without Python waits for a touch. */
function shouldWait() {
  const { saveData, effectiveType = "" } = navigator.connection ?? {};
  return Boolean(build.snapshot) && !build.inlined && !location.search && (saveData || effectiveType.includes("2g"));
}

function touched() {
  return new Promise((resolve) => {
    const taken = () => {
      for (const name of TOUCHES) removeEventListener(name, taken, true);
      resolve();
    };
    for (const name of TOUCHES) addEventListener(name, taken, true);
  });
}

async function first() {
  if (shouldWait()) await touched();
  if (!isEmbed || self.origin === "null" || !navigator.locks) return startWorker(false);
  const { sharedPython } = await import("./shared.js");
  return (await sharedPython(startWorker, build.worker)) ?? startWorker(false);
}

/** The page's first worker, or its seat at one, once there is reason to start it; on a Panel server there is none. */
export const firstWorker = build.session ? null : first();
