// The plain route, to compare with: stock Pyodide, packages unpacked from an archive of sources, the same page.

const post = (message, transfer = []) => self.postMessage(message, transfer);
let browser = null;
let collected = null;

function send(text, table, blob, state) {
  const bytes = blob.toJs();
  const message = { text, table, bytes, state };
  if (collected) collected.push(message);
  else post({ type: "patch", ...message }, [bytes.buffer]);
}

let opening = null;
const opened = new Promise((resolve) => {
  opening = resolve;
});

async function start({ base, build }) {
  const address = (name) => new URL(name, base).href;
  const archives = [build.numpy, build.packages, build.application].map(async (name) => (await fetch(address(name))).arrayBuffer());
  const { loadPyodide } = await import(address(`${build.interpreter}pyodide.js`));
  const python = await loadPyodide({
    indexURL: address(build.interpreter),
    lockFileContents: JSON.stringify(build.lock),
    env: { HOME: "/home/pyodide", PANEL_CDN_ROOT: address(build.panel) },
  });
  for (const archive of archives) python.unpackArchive(await archive, "zip", { extractDir: "/lib/python3.13/site-packages" });
  python.registerJsModule("pyodide_http", { patch_all() {} });
  browser = python.pyimport("roofline_app.page.runtime.browser");
  const { query, theme, language } = await opened;
  post({ type: "document", document: browser.start(query, theme, language, send) });
  post({ type: "ready", route: "stock" });
}

function turn({ patch, events }) {
  collected = [];
  browser.turn(patch, events);
  const messages = collected;
  collected = null;
  post({ type: "turn", messages, milliseconds: 0 }, messages.map((message) => message.bytes.buffer));
}

const startSaid = (data) => start(data).catch((error) => post({ type: "error", text: String(error), fatal: true }));
const answers = { open: opening, start: startSaid, turn };
self.onmessage = ({ data }) => answers[data.type](data);
post({ type: "begun" });
const { start: first } = JSON.parse(self.name || "{}"); // as the page's own worker is told
if (first) startSaid(first);
