// The route without a snapshot: start Pyodide, mount the images of compiled files, import, build the page.

/** @import { Address, Python, Start } from "./types/pyodide" */
/** @import { Build } from "../types/messages" */

import { loadPyodide } from "pyodide";
import { downloads, serveEarly } from "./downloads.js";
import { mount, unzipped } from "./fs-image.js";
import { instantiateCompiled } from "./instantiate.js";

const STAGES = ["numpy", "bokeh.plotting", "panel", "roofline_app.page.runtime.browser"];

/**
 * @param {Build} build
 * @param {Address} address
 * @param {(name: string, type: string) => Promise<Response>} counted
 */
async function interpreter(build, address, counted) {
  const wasm = `${build.interpreter}pyodide.asm.wasm`;
  /** @type {(error: unknown) => void} */
  let fail = () => {};
  /** @type {Promise<never>} */
  const failed = new Promise((_resolve, reject) => {
    fail = reject;
  });
  const code = counted(wasm, "application/wasm").then((answer) => WebAssembly.compileStreaming(answer));
  code.catch(fail);
  instantiateCompiled(code, () => {}, fail);
  const empty = new Response("", { headers: { "Content-Type": "application/wasm" } });
  const early = new Map([
    [address(wasm), Promise.resolve(empty)],
    [address(build.library), counted(build.library, "application/zip")],
  ]);
  for (const answer of early.values()) answer.catch(() => {});
  serveEarly(early);
  const loaded = loadPyodide({
    indexURL: address(build.interpreter),
    stdLibURL: address(build.library),
    lockFileContents: JSON.stringify(build.lock),
    env: { HOME: "/home/pyodide", PANEL_CDN_ROOT: build.panel },
  });
  return Promise.race([failed, loaded]);
}

/**
 * Starts Python from the images.
 * @type {Start<Python>} Resolved with `roofline_app.page.runtime.browser` imported.
 */
export async function startPlain(build, address, progress) {
  const counted = downloads(build.bytes, address, (done, total) => progress("download", done, total));
  const unpacked = async (/** @type {string} */ name) => unzipped(await counted(name, "application/octet-stream"));
  const images = [build.packages, build.application].map(unpacked);
  for (const image of images) image.catch(() => {});
  const python = await interpreter(build, address, counted);
  progress("interpreter", 1, 1);
  for (const image of images) mount(python.FS, build.sitePackages, await image);
  python.pyimport("importlib").invalidate_caches();
  python.pyimport("roofline_app.page.runtime.panel_shims").install();
  const garbage = python.pyimport("gc"); // what is loaded now stays: no need to search it again and again
  garbage.disable();
  for (const [position, name] of STAGES.entries()) {
    progress("packages", position, STAGES.length);
    python.pyimport(name);
  }
  garbage.enable();
  return python;
}
