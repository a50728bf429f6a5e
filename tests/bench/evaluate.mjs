// Times the evaluation inside Pyodide. node evaluate.mjs DIST PYODIDE_FOLDER ROUNDS; prints milliseconds as JSON.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [, , dist, folder, rounds] = process.argv;
const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")).href);
const assets = fs.readdirSync(path.join(dist, "assets"));
const asset = (start) => path.join(dist, "assets", assets.find((name) => name.startsWith(start)));
const own = assets.find((name) => fs.existsSync(path.join(dist, "assets", name, "image.mjs")));
const { mount, unzipped } = await import(pathToFileURL(path.join(dist, "assets", own, "image.mjs")).href);
const python = await loadPyodide({ indexURL: folder + path.sep, stdLibURL: asset("library."), env: { HOME: "/home/pyodide" } });
for (const name of ["packages.", "application."]) {
  mount(python.FS, "/lib/python3.13/site-packages", await unzipped(new Response(fs.readFileSync(asset(name)))));
}
python.FS.writeFile("/home/pyodide/timing.py", fs.readFileSync(new URL("timing.py", import.meta.url)));
console.log(JSON.stringify(python.pyimport("timing").evaluation_milliseconds(Number(rounds)).toJs()));
process.exit(0);
