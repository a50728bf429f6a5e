// The plain route, to compare with: stock Pyodide, packages unpacked from an archive of sources, the same page.

/** @import { Change, OpenMessage, StartMessage, ToWorker, TurnMessage } from "../../../static/types/messages" */
/** @typedef {StartMessage["build"] & {numpy: string}} Build */

/** @type {(message: object, transfer?: Transferable[]) => void} */
const post = (message, transfer = []) => self.postMessage(message, transfer);
/** @type {any} */
let browser = null;
/** @type {Change[] | null} */
let collected = null;

/** @type {(text: string, table: string, blob: {toJs(): Uint8Array<ArrayBuffer>}, state: string | null) => void} */
function send(text, table, blob, state) {
  const bytes = blob.toJs();
  const message = { text, table, bytes, state };
  if (collected) collected.push(message);
  else post({ type: "patch", ...message }, [bytes.buffer]);
}

/** @type {(message: OpenMessage) => void} */
let opening = () => {};
/** @type {Promise<OpenMessage>} */
const opened = new Promise((resolve) => {
  opening = resolve;
});

/** @param {{base: string, build: Build}} message */
async function start({ base, build }) {
  const address = (/** @type {string} */ name) => new URL(name, base).href;
  const archives = [build.numpy, build.packages, build.application].map(async (name) =>
    (await fetch(address(name))).arrayBuffer(),
  );
  const { loadPyodide } = await import(address(`${build.interpreter}pyodide.js`));
  const python = await loadPyodide({
    indexURL: address(build.interpreter),
    lockFileContents: JSON.stringify(build.lock),
    env: { HOME: "/home/pyodide", PANEL_CDN_ROOT: address(build.panel) },
  });
  for (const archive of archives)
    python.unpackArchive(await archive, "zip", { extractDir: "/lib/python3.13/site-packages" });
  python.registerJsModule("pyodide_http", { patch_all() {} });
  browser = python.pyimport("roofline_app.page.runtime.browser");
  const { query, theme, language } = await opened;
  post({ type: "document", document: browser.start(query, theme, language, send) });
  post({ type: "ready", route: "stock" });
}

/** @param {TurnMessage} message */
function turn({ patch, events }) {
  /** @type {Change[]} */
  const messages = [];
  collected = messages;
  browser.turn(patch, events);
  collected = null;
  post(
    { type: "turn", messages, milliseconds: 0 },
    messages.map((message) => message.bytes.buffer),
  );
}

/** @param {{base: string, build: Build}} message */
const begin = (message) => start(message).catch((error) => post({ type: "error", text: String(error), fatal: true }));
self.onmessage = (/** @type {MessageEvent<ToWorker>} */ { data }) => {
  if (data.type === "turn") turn(data);
  else if (data.type === "open") opening(data);
  else if (data.type === "start") begin({ base: data.base, build: /** @type {Build} */ (data.build) });
};
post({ type: "begun" });
const { start: first } = JSON.parse(self.name || "{}"); // as the page's own worker is told
if (first) begin(first);
