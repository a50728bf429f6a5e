// Starts the worker before anything else on the page, so that Python comes while BokehJS does.

const TOUCHES = ["pointerdown", "keydown", "touchstart", "focusin"];

/** The page's manifest, written by the build. */
export const build = JSON.parse(document.getElementById("build").textContent);

/**
 * Starts a worker.
 * @param {boolean} plain Whether it should not try the snapshot.
 * @returns {Worker}
 */
export function startWorker(plain) {
  const worker = new Worker(new URL(build.worker, document.baseURI), { type: "module" });
  worker.postMessage({ type: "start", base: document.baseURI, build, plain });
  return worker;
}

/** On a metered or very slow link, a page that is complete without Python waits for a touch. */
function shouldWait() {
  const { saveData, effectiveType = "" } = navigator.connection ?? {};
  return Boolean(build.snapshot) && !location.search && (saveData || effectiveType.includes("2g"));
}

/** The page's first worker, once there is reason to start it. */
export const firstWorker = shouldWait()
  ? new Promise((resolve) => {
      const touched = () => {
        for (const name of TOUCHES) removeEventListener(name, touched, true);
        resolve(startWorker(false));
      };
      for (const name of TOUCHES) addEventListener(name, touched, true);
    })
  : Promise.resolve(startWorker(false));
