// Times Python inside Pyodide. node evaluate.mjs DIST PYODIDE_FOLDER MODULE FUNCTION ROUNDS; prints milliseconds as JSON.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

// Panel imports XMLHttpRequest's name.
Object.assign(globalThis, { XMLHttpRequest: class XMLHttpRequest {}, self: globalThis });
const [, , dist, folder, module, name, rounds] = process.argv;
const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")).href);
const assets = fs.readdirSync(path.join(dist, "assets"));
const asset = (/** @type {string} */ start) =>
  path.join(dist, "assets", assets.find((file) => file.startsWith(start)) ?? start);
const { mount, unzipped } = await import(new URL("../../static/worker/fs-image.js", import.meta.url).href);
const python = await loadPyodide({
  indexURL: folder + path.sep,
  stdLibURL: asset("library."),
  env: { HOME: "/home/pyodide" },
});
for (const archive of ["packages.", "application."]) {
  mount(python.FS, "/lib/python3.13/site-packages", await unzipped(new Response(fs.readFileSync(asset(archive)))));
}
python.FS.writeFile(`/home/pyodide/${module}.py`, fs.readFileSync(new URL(`${module}.py`, import.meta.url)));
const answer = python.pyimport(module)[name](Number(rounds));
console.log(JSON.stringify(answer.toJs({ dict_converter: Object.fromEntries })));
process.exit(0);
