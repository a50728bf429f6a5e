// Compiles .py files to .pyc with the very interpreter that will load them.
// node compile.mjs PYODIDE_FOLDER INPUT_ZIP OUTPUT_ZIP; the two archives are uncompressed.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [, , folder, input, output] = process.argv;
const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: folder + path.sep, env: { HOME: "/home/pyodide", PYTHONHASHSEED: "0" } });
const here = path.dirname(new URL(import.meta.url).pathname);
python.FS.writeFile("/home/pyodide/compile_files.py", fs.readFileSync(path.join(here, "compile_files.py")));
python.FS.writeFile("/tmp/input.zip", fs.readFileSync(input));
python.pyimport("compile_files").compile_archive("/tmp/input.zip", "/tmp/output.zip");
fs.writeFileSync(output, python.FS.readFile("/tmp/output.zip"));
process.exit(0);
