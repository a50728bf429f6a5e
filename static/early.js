// Before all else: the worker, so that Python comes while the page does, and BokehJS after it; the reader's language, for
// which the build has prepared a page; the theme, so that the first paint has it; and whether what the build drew is what the
// address asks for.
{
  const WORKER_START_MS = 300;

  const add = (tag, properties) => document.head.append(Object.assign(document.createElement(tag), properties));
  const fetchEarly = (address) => add("link", { rel: "preload", as: "script", href: address });

  /** Runs scripts in their order; returns a promise of the last one's end. */
  const run = (addresses) => {
    let ended = Promise.resolve();
    for (const src of addresses) {
      ended = new Promise((resolve) => {
        add("script", { src, async: false, onload: resolve, onerror: resolve });
      });
    }
    return ended;
  };

  const root = document.documentElement;
  const asked = new URLSearchParams(location.search);
  const { prepared, languages, ...common } = JSON.parse(document.getElementById("build").textContent);
  const keys = Object.keys(languages); // English first
  const wanted = keys.includes(asked.get("lang")) ? asked.get("lang") : navigator.language.split("-")[0];
  const language = keys.includes(wanted) ? wanted : keys[0];
  const build = { ...common, ...(prepared?.[language] ?? prepared?.[keys[0]]) };
  const { saveData, effectiveType = "" } = navigator.connection ?? {};
  const isMetered = Boolean(saveData) || effectiveType.includes("2g");
  const waits = isMetered && Boolean(build.snapshot) && !build.inlined && !location.search;
  const hasOtherWays = "embed" in root.dataset || self.origin === "null" || build.inlined || build.session; // see worker-start.js
  const early = [];
  let worker = null;
  let begun = Promise.resolve(); // a long script before the worker's start would hold it up
  if (!waits && !hasOtherWays) {
    // What to do lies in its name: a message would wait until this thread has time.
    const job = JSON.stringify({ start: { base: document.baseURI, build, plain: false } });
    worker = new Worker(new URL(build.worker, document.baseURI), { type: "module", name: job });
    begun = new Promise((resolve) => {
      worker.onmessage = worker.onerror = (event) => {
        early.push(event); // until the loader is there
        resolve();
      };
      setTimeout(resolve, WORKER_START_MS);
    });
    for (const address of build.scripts) fetchEarly(address);
  }
  const scripts = begun.then(() => run(build.scripts));
  globalThis.first = { build, languages, language, waits, worker, early, scripts };

  const theme = asked.get("theme");
  const isDark = theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "dark" : "light";
  asked.delete("theme");
  asked.delete("lang");
  if (asked.size || build.language !== language) root.dataset.link = "pending";
}
