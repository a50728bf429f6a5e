// Before all else: the worker, so that Python comes while the page does, and BokehJS after it; the reader's language, for
// which the build has prepared a page; the theme, so that the first paint has it; and whether what the build drew is what the
// address asks for.
{
  /** @typedef {import("./types/messages").Build} Build */
  /** @typedef {import("./types/messages").EarlyEvent} EarlyEvent */
  /** @typedef {import("./types/protocol").SiteManifest & import("./types/protocol").CommonManifest} Manifest */

  const WORKER_START_MS = 300;

  /**
   * @template {"link" | "script"} Tag
   * @param {Tag} tag
   * @param {Partial<HTMLElementTagNameMap[Tag]>} properties
   */
  const add = (tag, properties) => document.head.append(Object.assign(document.createElement(tag), properties));
  /** @param {string} address */
  const fetchEarly = (address) => add("link", { rel: "preload", as: "script", href: address });

  /**
   * Runs scripts in their order; returns a promise of the last one's end.
   * @param {string[]} addresses
   */
  const run = (addresses) => {
    /** @type {Promise<unknown>} */
    let ended = Promise.resolve();
    for (const src of addresses) {
      ended = new Promise((resolve) => {
        add("script", { src, async: false, onload: resolve, onerror: () => resolve(null) });
      });
    }
    return ended;
  };

  const root = document.documentElement;
  const asked = new URLSearchParams(location.search);
  /** @type {Manifest} */
  const { prepared, languages, ...common } = JSON.parse(document.getElementById("build")?.textContent ?? "{}");
  const keys = Object.keys(languages); // English first
  const named = asked.get("lang") ?? "";
  const wanted = keys.includes(named) ? named : navigator.language.split("-")[0];
  const language = keys.includes(wanted) ? wanted : keys[0];
  /** @type {Build} */
  const build = { ...common, ...(prepared?.[language] ?? prepared?.[keys[0]]) };
  const { saveData, effectiveType = "" } = navigator.connection ?? {};
  const isMetered = Boolean(saveData) || effectiveType.includes("2g");
  const waits = isMetered && Boolean(build.snapshot) && !build.inlined && !location.search;
  const hasOtherWays = "embed" in root.dataset || self.origin === "null" || build.inlined || build.session; // see worker-start.js
  /** @type {EarlyEvent[]} */
  const early = [];
  /** @type {Worker | null} */
  let worker = null;
  /** @type {Promise<unknown>} */
  let begun = Promise.resolve(); // a long script before the worker's start would hold it up
  if (!waits && !hasOtherWays) {
    // What to do lies in its name: a message would wait until this thread has time.
    const job = JSON.stringify({ start: { base: document.baseURI, build, plain: false } });
    const started = new Worker(new URL(build.worker, document.baseURI), { type: "module", name: job });
    worker = started;
    begun = new Promise((resolve) => {
      started.onmessage = started.onerror = (/** @type {MessageEvent | ErrorEvent} */ event) => {
        early.push(event); // until the loader is there
        resolve(null);
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
