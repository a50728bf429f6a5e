// Starts the worker before anything else on the page, so that Python comes while BokehJS does.

const TOUCHES = ["pointerdown", "keydown", "touchstart", "focusin"];

/** The page's manifest, written by the build. */
export const build = JSON.parse(document.getElementById("build").textContent);

/** Whether the page is an embed in another one. */
export const isEmbed = "embed" in document.documentElement.dataset;

/** Frames without an origin may start workers from blobs only, and those of the classic kind. */
function workerWithoutOrigin(address) {
  const text = `const early = []; self.onmessage = (event) => early.push(event);
    import(${JSON.stringify(address)}).then(() => early.forEach((event) => self.onmessage(event)),
      (error) => postMessage({ type: "error", text: String(error), fatal: true }));`;
  return new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
}

/**
 * Starts a worker.
 * @param {boolean} plain Whether it should not try the snapshot.
 * @returns {Worker}
 */
export function startWorker(plain) {
  const address = new URL(build.worker, document.baseURI).href;
  const worker = self.origin === "null" ? workerWithoutOrigin(address) : new Worker(address, { type: "module" });
  worker.postMessage({ type: "start", base: document.baseURI, build, plain });
  return worker;
}

/** On a metered or very slow link, a page that is complete without Python waits for a touch. */
function shouldWait() {
  const { saveData, effectiveType = "" } = navigator.connection ?? {};
  return Boolean(build.snapshot) && !location.search && (saveData || effectiveType.includes("2g"));
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
  return sharedPython(startWorker, build.worker);
}

/** The page's first worker, or its seat at one, once there is reason to start it. */
export const firstWorker = first();
