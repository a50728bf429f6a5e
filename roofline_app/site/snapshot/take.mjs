// Builds the default page in Pyodide and keeps the memory in which its document is alive.
// node take.mjs WORK_FOLDER: reads npm's files of Pyodide, job.json and the images there; writes pages.bin,
// snapshot.json and openings.json. Everything that differs from run to run (clocks, randomness, addresses) is frozen.
import crypto from "node:crypto";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { changedPages, zeroFreeMemory, zeroPadding } from "./memory.mjs";

// Node would print the line at fault, which in Pyodide is a megabyte.
process.on("uncaughtException", (error) => {
  process.stderr.write(`The snapshot was not taken: ${error?.stack ?? error}\n`);
  process.exit(1);
});

/** @import { FileSystem, Module, Python } from "../../../static/worker/types/pyodide" */
/** @import { SnapshotSettings } from "../../../static/worker/types/snapshot" */

/**
 * What Python has left in the build.
 * @typedef {object} Job
 * @property {string} steps Folder of the steps in Python.
 * @property {string} panel
 * @property {number} pageBytes
 * @property {string} language
 * @property {string} sitePackages
 * @property {string[]} images
 * @property {string} library
 * @property {{path: string, file: string}[]} libraries
 */

const SNAPSHOT_HEADER_BYTES = 48; // as makeMemorySnapshot writes it: magic, start of the heap, length of the settings
const WORD_BYTES = Int32Array.BYTES_PER_ELEMENT;
const COLLECTOR_BYTES = 2 * WORD_BYTES; // what the garbage collector keeps before an object: next, previous
const BUILD_MILLISECONDS = Date.UTC(2026, 0, 1);
const [, , work] = process.argv;
process.argv.splice(1, 2, "/pyodide"); // Python takes the program's name from here: no path of this machine
const here = (/** @type {string} */ name) => path.join(work, name);
/** @type {Job} */
const job = JSON.parse(fs.readFileSync(here("job.json"), "utf8"));
const { linkLibraries } = await import(pathToFileURL(here("shared/side-modules.js")).href);
const { NOTHING, summed } = await import(pathToFileURL(here("shared/checksum.js")).href);
const { eachRun, nearToDistances, unlink } = await import(pathToFileURL(here("shared/pointers.js")).href);
const { mount } = await import(pathToFileURL(here("shared/fs-image.js")).href);

function freezeClocksAndRandomness() {
  let seed = 1;
  const next = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed >>> 24;
  };
  Date.now = () => BUILD_MILLISECONDS;
  performance.now = () => 1;
  const fill = (/** @type {any} */ array) => {
    for (let i = 0; i < array.length; i++) array[i] = next();
    return array;
  };
  crypto.randomFillSync = fill; // what Pyodide takes in node
  crypto.webcrypto.getRandomValues = fill;
  syncBuiltinESMExports();
  Math.random = () => next() / 256;
}

/** Loads Pyodide with the libraries linked first; returns it with its module and its memory before Python ran. */
async function interpreter() {
  // The memory keeps XMLHttpRequest's name only.
  Object.assign(globalThis, { XMLHttpRequest: class XMLHttpRequest {}, self: globalThis });
  await import(pathToFileURL(here("pyodide.asm.js")).href);
  const { loadPyodide } = await import(pathToFileURL(here("pyodide.mjs")).href);
  const libraries = job.libraries.map(({ path: place, file }) => {
    return [place, new WebAssembly.Module(fs.readFileSync(here(file)))];
  });
  const create = /** @type {NonNullable<typeof _createPyodideModule>} */ (globalThis._createPyodideModule);
  /** @type {Promise<{module: Module, tables: number[], fresh: Uint8Array}>} */
  const making = new Promise((resolve) => {
    globalThis._createPyodideModule = (options) => {
      /** @type {{module: Module, tables: number[]} | null} */
      let linked = null;
      options.preRun.push((module) => {
        linked = { module, tables: linkLibraries(module, libraries) };
      });
      options.onRuntimeInitialized = () => {
        if (linked) resolve({ ...linked, fresh: linked.module.HEAPU8.slice() });
      };
      return create(options);
    };
  });
  const env = { HOME: "/home/pyodide", PYTHONHASHSEED: "0", PANEL_CDN_ROOT: job.panel };
  const options = { indexURL: work + path.sep, stdLibURL: here(job.library), _makeSnapshot: true, env };
  /** @type {Python} */
  const python = await loadPyodide(options);
  return { python, ...(await making) };
}

/**
 * @param {Python} python
 * @param {string} name
 */
function runBuildStep(python, name) {
  const source = fs.readFileSync(path.join(job.steps, name), "utf8");
  const namespace = python.toPy({ __name__: name });
  python.runPython(source, { globals: namespace, filename: name });
  return namespace;
}

/**
 * Returns what tells which files have been looked at since: a restored interpreter has them from the start.
 * @param {FileSystem} FS
 * @param {string} prefix
 * @returns {() => string[]}
 */
function watchFiles(FS, prefix) {
  /** @type {Set<string>} */
  const seen = new Set();
  for (const name of ["stat", "lstat", "open"]) {
    const original = FS[name];
    FS[name] = function watched(/** @type {unknown} */ file, /** @type {unknown[]} */ ...others) {
      if (typeof file === "string" && file.startsWith(prefix)) seen.add(file);
      return original.call(this, file, ...others);
    };
  }
  return () => [...seen].filter((file) => FS.analyzePath(file).exists && FS.isFile(FS.stat(file).mode)).sort();
}

/**
 * The settings and the heap inside of Pyodide's own snapshot.
 * @param {Uint8Array<ArrayBuffer>} snapshot
 */
function unpackSnapshot(snapshot) {
  const [, start, length] = new Uint32Array(snapshot.buffer, snapshot.byteOffset, 3);
  const settings = snapshot.subarray(SNAPSHOT_HEADER_BYTES, SNAPSHOT_HEADER_BYTES + length);
  return { settings: JSON.parse(new TextDecoder().decode(settings)), heap: snapshot.slice(start) };
}

/**
 * @param {Uint8Array} bytes
 * @param {number} from
 * @param {number} to
 */
const words = (bytes, from, to) => new Int32Array(bytes.buffer, bytes.byteOffset + from, (to - from) / WORD_BYTES);

freezeClocksAndRandomness();
const { python, module, fresh, tables } = await interpreter();
for (const image of job.images) mount(python.FS, job.sitePackages, fs.readFileSync(here(image)));
python.pyimport("importlib").invalidate_caches(); // no file looks newer than another while clocks stand still
const build = runBuildStep(python, "rehearse.py");
build.get("make_page")(job.language);
const touched = watchFiles(python.FS, job.sitePackages);
build.get("rehearse")();
const files = touched().filter((file) => !file.endsWith(".pyc") && !file.endsWith(".so"));
fs.writeFileSync(here("openings.json"), build.get("openings")());
build.get("tidy")();
const loaded = Object.keys(module.LDSO.loadedLibsByName).filter((name) => name.endsWith(".so"));
const unlinked = loaded.filter((name) => !job.libraries.some(({ path: place }) => place === name));
if (unlinked.length) throw new Error(`side modules that the snapshot does not link first: ${unlinked}`);
build.destroy();
python.runPython("import gc; gc.collect(); gc.collect(); None");
const frozen = python.runPython("import sys; id(sys.modules)") - COLLECTOR_BYTES;
zeroFreeMemory(module);
zeroPadding(module, python.runPython("id(str)"));
/** @type {string[]} */
const lost = [];
const snapshot = python.makeMemorySnapshot({
  serializer: (/** @type {unknown} */ value) => {
    lost.push(String(value).slice(0, 200));
    return null;
  },
});
if (lost.length) throw new Error(`JavaScript objects are alive in Python: ${lost.join("; ")}`);
const { settings, heap } = unpackSnapshot(snapshot);
const ring = unlink(new Int32Array(heap.buffer), frozen);
const { runs, pages } = changedPages(heap, fresh, job.pageBytes);
const sum = summed(NOTHING, words(pages, 0, pages.length));
/** @type {number[]} */
const alike = [];
/** @type {Parameters<typeof import("../../../static/worker/pointers.js").eachRun>[3]} */
const writeDistances = (from, to, address) => {
  for (const index of nearToDistances(words(pages, from, to), address)) alike.push(from / WORD_BYTES + index);
};
eachRun(runs, job.pageBytes, { start: 0, end: pages.length }, writeDistances);
fs.writeFileSync(here("layout.json"), JSON.stringify({ runs, pageBytes: job.pageBytes, alike }));
const handles = Object.entries(module.LDSO.loadedLibsByHandle).filter(([handle]) => Number(handle));
fs.writeFileSync(here("pages.bin"), pages);
/** @type {SnapshotSettings} */
const kept = {
  settings,
  heapBytes: heap.length,
  ring,
  sum,
  tables,
  handles: Object.fromEntries(handles.map(([handle, { name }]) => [handle, name])),
  files: Object.fromEntries(files.map((file) => [file, python.FS.readFile(file, { encoding: "utf8" })])),
};
fs.writeFileSync(here("snapshot.json"), JSON.stringify(kept));
process.exit(0);
