// The page's Python: a module worker that starts Pyodide, mounts the images, builds the page and answers to it.
// Messages in:  {type: "start", base, build, query, theme, language}, {type: "turn", patch, events}
// Messages out: {type: "progress", stage, done, total}, {type: "document", document}, {type: "turn", …}, {type: "patch", …},
//               {type: "error", text, fatal}

import { mount, unzipped } from "./image.mjs";

const STAGES = ["numpy", "bokeh.plotting", "panel", "roofline_app.page.browser"];
const post = (message, transfer = []) => self.postMessage(message, transfer);
let browser = null;
let collected = null;

function report(error, fatal) {
  post({ type: "error", text: String(error?.message ?? error), fatal });
}

// Starts the downloads and reports the sum of their bytes.
function downloads(build, address) {
  const total = Object.values(build.bytes).reduce((sum, size) => sum + size, 0);
  let done = 0;
  let said = 0;
  const counted = async (name, type) => {
    const answer = await fetch(address(name));
    if (!answer.ok) throw new Error(`${name}: ${answer.status} ${answer.statusText}`);
    const counter = new TransformStream({
      transform(chunk, controller) {
        done += chunk.byteLength;
        if (done - said > total / 100 || done >= total) {
          said = done;
          post({ type: "progress", stage: "download", done: Math.min(done, total), total });
        }
        controller.enqueue(chunk);
      },
    });
    return new Response(answer.body.pipeThrough(counter), { headers: { "Content-Type": type } });
  };
  return counted;
}

// Pyodide fetches these itself: it gets the answers that are on their way already.
function serveEarly(early) {
  const fetchAnew = self.fetch.bind(self);
  self.fetch = (resource, options) => {
    const address = String(resource?.url ?? resource);
    const answer = early.get(address);
    early.delete(address);
    return answer ?? fetchAnew(resource, options);
  };
}

async function interpreter(build, address, counted) {
  const wasm = address(`${build.interpreter}pyodide.asm.wasm`);
  const early = new Map([
    [wasm, counted(`${build.interpreter}pyodide.asm.wasm`, "application/wasm")],
    [address(build.library), counted(build.library, "application/zip")],
  ]);
  for (const answer of early.values()) answer.catch(() => {});
  serveEarly(early);
  const { loadPyodide } = await import(address(`${build.interpreter}pyodide.mjs`));
  return loadPyodide({
    indexURL: address(build.interpreter),
    stdLibURL: address(build.library),
    lockFileContents: JSON.stringify(build.lock),
    env: { HOME: "/home/pyodide", PANEL_CDN_ROOT: address(build.panel) },
  });
}

// Panel asks for a package that it can do without, and evaluates a script that only its own link needs.
function withoutEvaluation(python) {
  python.registerJsModule("pyodide_http", { patch_all() {} });
  python.pyimport("pyodide.code").run_js = () => null;
}

function send(text, table, blob, state) {
  const bytes = blob.toJs();
  const message = { text, table, bytes, state };
  if (collected) collected.push(message);
  else post({ type: "patch", ...message }, [bytes.buffer]);
}

async function start({ base, build, query, theme, language }) {
  const address = (name) => new URL(name, base).href;
  const counted = downloads(build, address);
  const images = [build.packages, build.application].map(async (name) => unzipped(await counted(name, "application/octet-stream")));
  for (const image of images) image.catch(() => {});
  const python = await interpreter(build, address, counted);
  post({ type: "progress", stage: "interpreter", done: 1, total: 1 });
  const version = build.lock.info.python.split(".").slice(0, 2).join(".");
  for (const image of images) mount(python.FS, `/lib/python${version}/site-packages`, await image);
  withoutEvaluation(python);
  const garbage = python.pyimport("gc"); // what is loaded now stays: no need to search it again and again
  garbage.disable();
  for (const [position, name] of STAGES.entries()) {
    post({ type: "progress", stage: "packages", done: position, total: STAGES.length });
    python.pyimport(name);
  }
  post({ type: "progress", stage: "page", done: 0, total: 1 });
  browser = python.pyimport("roofline_app.page.browser");
  post({ type: "document", document: browser.start(query, theme, language, send) });
  garbage.freeze();
  garbage.enable();
}

function turn({ patch, events }) {
  const began = performance.now();
  collected = [];
  try {
    browser.turn(patch, events);
  } catch (error) {
    report(error, false);
  }
  const messages = collected;
  collected = null;
  post({ type: "turn", messages, milliseconds: performance.now() - began }, messages.map((message) => message.bytes.buffer));
}

self.onmessage = ({ data }) => {
  if (data.type === "start") start(data).catch((error) => report(error, true));
  else turn(data);
};
