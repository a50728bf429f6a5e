import { connect } from "./connection.js";

/** @type {{progress: unknown[], states: unknown[], errors: string[], ready: number | false}} */
const log = { progress: [], states: [], errors: [], ready: false };
const channel = connect({
  query: location.search.slice(1),
  theme: "light",
  language: globalThis.first.language,
  onProgress: (...stage) => log.progress.push([...stage, performance.now()]),
  onState: (state) => {
    log.states.push(state);
    const words = document.getElementById("words");
    if (words) words.textContent = JSON.stringify(state);
  },
  onReady: () => {
    log.ready = performance.now();
  },
  onError: ({ detail }) => log.errors.push(detail),
});
Object.assign(globalThis, { log, channel }); // for the tests
