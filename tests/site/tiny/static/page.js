import { connect } from "./connection.js";

const log = { progress: [], states: [], errors: [], ready: false };
globalThis.log = log;
globalThis.channel = connect({
  query: location.search.slice(1),
  theme: "light",
  language: globalThis.first.language,
  onProgress: (...stage) => log.progress.push([...stage, performance.now()]),
  onState: (state) => {
    log.states.push(state);
    document.getElementById("words").textContent = JSON.stringify(state);
  },
  onReady: () => {
    log.ready = performance.now();
  },
  onError: (text) => log.errors.push(text),
});
