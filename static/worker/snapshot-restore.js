// The fast route: put the memory of the build's interpreter, its page alive in it, under a fresh one.
// It relies on private parts of the pinned Pyodide. Whatever does not agree throws, and the page takes the plain route.

import { loadPyodide } from "pyodide";
import { compiled, fetched } from "./downloads.js";
import { mount, unzipped } from "./fs-image.js";
import { linkLibraries } from "./side-modules.js";
import { fetchPages } from "./snapshot-pages.js";
import { openPages } from "./snapshot-store.js";

const PAGE_BYTES = 4096;
const SUMMED_WORDS = 16; // every 64th byte
const EMPTY_SNAPSHOT_BYTES = 64; // Pyodide only looks whether there is one: ours is put in by `restoreSnapshot`
const EMPTY_ARCHIVE_BYTES = 22;

/** Whether a table returns the very functions that the module exports. */
function isTheExport(table, byName) {
  for (let index = 0; index < table.length; index += 1) {
    const found = table.get(index);
    const exported = found && byName.get(found.name);
    if (exported) return exported === found;
  }
  return true;
}

/**
 * WebKit's tables return functions that are not the module's exports, so that Emscripten would give hundreds of them
 * second slots, and everything linked later would call the wrong ones.
 * @returns {() => void} Gives the table its own `get` back.
 */
function returnExportsFromTable(table, exports) {
  const { get } = WebAssembly.Table.prototype;
  const byName = new Map(Object.values(exports).filter((value) => typeof value === "function").map((f) => [f.name, f]));
  if (isTheExport(table, byName)) return () => {};
  table.get = (index) => {
    const found = get.call(table, index);
    return (found && byName.get(found.name)) || found;
  };
  return () => delete table.get;
}

/**
 * Emscripten makes a small module of its own for each of the hundreds of functions that the table does not take as they
 * are, and learns of that by an exception, for which the engine reads its megabyte of script again.
 * @returns {() => void} Ends it.
 */
function makeTrampolinesCheap() {
  const { Module } = WebAssembly;
  const { set } = WebAssembly.Table.prototype;
  const made = new Map();
  const once = function (bytes) {
    const key = String(bytes);
    if (!made.has(key)) made.set(key, new Module(bytes));
    return made.get(key);
  };
  once.prototype = Module.prototype;
  Object.setPrototypeOf(once, Module);
  WebAssembly.Module = once;
  WebAssembly.Table.prototype.set = function (index, value) {
    return set.call(this, index, value); // thrown from here, the exception is of a short function
  };
  return () => {
    WebAssembly.Module = Module;
    WebAssembly.Table.prototype.set = set;
  };
}

/** Lets Pyodide, which would wait forever for one that fails, instantiate the code that is compiling since the start. */
function instantiateCompiled(code, onInstance, failed) {
  const { instantiateStreaming } = WebAssembly;
  WebAssembly.instantiateStreaming = async (_answer, imports) => {
    WebAssembly.instantiateStreaming = instantiateStreaming;
    const module = await code;
    const instance = await WebAssembly.instantiate(module, imports).catch((error) => {
      failed(error);
      throw error;
    });
    onInstance(imports.env?.__indirect_function_table ?? instance.exports.__indirect_function_table, instance.exports);
    return { instance, module };
  };
}

/** Answers Pyodide's own requests: the code is compiled already, the standard library is in the memory. */
function answerRequests(wasm, library) {
  const fetchAnew = self.fetch.bind(self);
  self.fetch = async (resource, options) => {
    const address = String(resource?.url ?? resource);
    if (address === wasm) return new Response("", { headers: { "Content-Type": "application/wasm" } });
    if (address === library) return new Response(new Uint8Array(EMPTY_ARCHIVE_BYTES));
    return fetchAnew(resource, options);
  };
  return () => {
    self.fetch = fetchAnew;
  };
}

/** Adds some of the words to a checksum that depends on their order; frames that come carry a checksum of all. */
function summed([low, high], words) {
  for (let index = 0; index < words.length; index += SUMMED_WORDS) {
    low = (low + words[index]) | 0;
    high = (high + low) | 0;
  }
  return [low, high];
}

/** Copies the stored pages to where they belong, and what depends on this engine after them. */
function fillMemory(module, settings, pages) {
  let position = 0;
  let sum = [0, 0];
  for (let index = 0; index < settings.runs.length; index += 2) {
    const start = settings.runs[index] * PAGE_BYTES;
    const length = settings.runs[index + 1] * PAGE_BYTES;
    pages.copy(module.HEAPU8.subarray(start, start + length), position);
    sum = summed(sum, module.HEAP32.subarray(start >> 2, (start + length) >> 2));
    position += length;
  }
  pages.close?.();
  if (String(sum) !== String(settings.sum)) throw new Error("the snapshot's pages are damaged");
  if (position !== pages.size) throw new Error(`the snapshot's pages are ${pages.size} bytes, not ${position}`);
  const offset = module.HEAP32[module.__PyEM_EMSCRIPTEN_COUNT_ARGS_OFFSET >> 2];
  module.HEAP32[(module.__PyRuntime + offset) >> 2] = module._PyEM_CountArgsPtr;
  for (const [handle, name] of Object.entries(settings.handles)) {
    module.LDSO.loadedLibsByHandle[handle] = module.LDSO.loadedLibsByName[name];
  }
}

function checkTables(found, built) {
  if (String(found) !== String(built)) throw new Error(`function tables of ${found} entries, the build's have ${built}`);
}

/** Whether another worker can be started from here: not from a page without an origin, nor from a single file. */
const canShareWork = (build) => !build.inlined && self.origin !== "null";

/** What has to come before memory can be filled; all of it is on its way when this returns. */
function inputs(build, address, progress) {
  const { settings, pages, frames, decoder, libraries } = build.snapshot;
  const job = { pages: address(pages), decoder: address(decoder), frames };
  const size = frames.reduce((sum, { bytes }) => sum + bytes, 0);
  const download = () => fetchPages(job, canShareWork(build) && address(build.worker));
  const found = {
    pages: openPages(pages, size, download), // first: what it asks for takes many answers
    code: compiled(address(`${build.interpreter}pyodide.asm.wasm`)),
    settings: fetched(address(settings)).then((answer) => answer.json()),
    libraries: Promise.all(libraries.map(async ({ path, file }) => [path, await compiled(address(file))])),
  };
  const all = Object.values(found);
  let done = 0;
  const count = () => progress("download", (done += 1), all.length);
  for (const input of all) input.then(count, () => {});
  return found;
}

/** Does what Pyodide only warns of where it fails, and then waits forever. */
function tried(step, failed) {
  try {
    return step();
  } catch (error) {
    failed(error);
    throw error;
  }
}

/** Makes the next module that Pyodide creates link the libraries first, and take the stored memory for its own. */
function fillNextModule({ settings, code, libraries, pages }, failed) {
  const made = { module: null, tables: [] };
  let restoreTable = null;
  const keepTable = (table, exports) => {
    restoreTable = returnExportsFromTable(table, exports);
  };
  instantiateCompiled(code, keepTable, failed);
  const prepare = async (module) => {
    const [linked, opened] = await Promise.all([libraries, pages]);
    restoreTable();
    made.tables = linkLibraries(module, linked);
    module.API.restoreSnapshot = () => {
      fillMemory(module, settings, opened);
      return settings.settings;
    };
    module.removeRunDependency("snapshot");
  };
  const create = self._createPyodideModule;
  self._createPyodideModule = (options) => {
    options.INITIAL_MEMORY = settings.heapBytes;
    options.noInitialRun = true;
    const { instantiateWasm } = options;
    options.instantiateWasm = (imports, wire) => instantiateWasm(imports, (...made) => tried(() => wire(...made), failed));
    options.preRun.push((module) => {
      made.module = module;
      module.addRunDependency("snapshot");
      prepare(module).catch(failed);
    });
    return create(options);
  };
  return made;
}

/**
 * Restores Python.
 * @param {object} build The page's manifest.
 * @param {(name: string) => string} address Returns a file's address.
 * @param {(stage: string, done: number, total: number) => void} progress Told of what has come.
 * @returns {Promise<{python: object, pages: import("./snapshot-store.js").Pages}>} Pyodide, and where its memory came from.
 */
export async function restore(build, address, progress) {
  const coming = inputs(build, address, progress);
  // Pyodide would ask for it, too, but `_createPyodideModule` has to be there before; the single file holds it.
  if (!self._createPyodideModule) await import(address(`${build.interpreter}pyodide.asm.js`));
  const settings = await coming.settings;
  const makeTrampolinesDear = makeTrampolinesCheap();
  const stopAnswering = answerRequests(address(`${build.interpreter}pyodide.asm.wasm`), address(build.library));
  let made = null;
  const failed = new Promise((_resolve, reject) => {
    coming.code.catch(reject);
    made = fillNextModule({ ...coming, settings }, reject);
  });
  const loaded = loadPyodide({
    indexURL: address(build.interpreter),
    stdLibURL: address(build.library),
    lockFileContents: JSON.stringify(build.lock),
    env: { HOME: "/home/pyodide" },
    _loadSnapshot: new Uint8Array(EMPTY_SNAPSHOT_BYTES),
    _snapshotDeserializer: () => null,
  });
  const python = await Promise.race([failed, loaded]);
  stopAnswering();
  makeTrampolinesDear();
  checkTables(made.tables, settings.tables);
  for (const [path, text] of Object.entries(settings.files)) {
    python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    python.FS.writeFile(path, text);
  }
  return { python, pages: await coming.pages };
}

/** Brings what a restored interpreter lacks: files for late imports. Off the critical path. */
export async function completeFiles(python, build, address) {
  const library = await (await fetched(address(build.library))).arrayBuffer();
  const version = build.sitePackages.match(/python([\d.]+)/)[1].replace(".", "");
  python.FS.writeFile(`/lib/python${version}.zip`, new Uint8Array(library));
  for (const name of [build.packages, build.application]) {
    mount(python.FS, build.sitePackages, await unzipped(await fetched(address(name))));
  }
  python.pyimport("importlib").invalidate_caches();
}
