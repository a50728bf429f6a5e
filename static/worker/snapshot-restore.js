// The fast route: put the memory of the build's interpreter, its page alive in it, under a fresh one.
// It relies on private parts of the pinned Pyodide. Whatever does not agree throws, and the page takes the plain route.

/** @import { Build } from "../types/messages" */
/** @import { PagesLayout } from "../types/protocol" */
/** @import { Address, Module, ModuleOptions, Progress, Python, Start } from "./types/pyodide" */
/** @import { Pages, SnapshotSettings } from "./types/snapshot" */
/** @typedef {Promise<[string, WebAssembly.Module][]>} Libraries Compiled side modules by path. */
/** @typedef {(error: unknown) => void} Failed Told of what Pyodide would wait for for ever. */

import { loadPyodide } from "pyodide";
import { NOTHING, summed } from "./checksum.js";
import { addressOf, compiled, fetched } from "./downloads.js";
import { mount, unzipped } from "./fs-image.js";
import { instantiateCompiled } from "./instantiate.js";
import { linkLibraries } from "./side-modules.js";
import { eachRun, link } from "./pointers.js";
import { fetchPages } from "./snapshot-pages.js";
import { openPages } from "./snapshot-store.js";

const EMPTY_SNAPSHOT_BYTES = 64; // Pyodide only looks whether there is one: ours is put in by `restoreSnapshot`
const EMPTY_ARCHIVE_BYTES = 22;

/**
 * Whether a table returns the very functions that the module exports.
 * @param {WebAssembly.Table} table
 * @param {Map<string, Function>} byName
 */
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
 * @param {WebAssembly.Table} table
 * @param {WebAssembly.Exports} exports
 * @returns {() => void} Gives the table its own `get` back.
 */
function returnExportsFromTable(table, exports) {
  const { get } = WebAssembly.Table.prototype;
  /** @type {Map<string, Function>} */
  const byName = new Map(
    Object.values(exports).flatMap((value) => (typeof value === "function" ? [[value.name, value]] : [])),
  );
  if (isTheExport(table, byName)) return () => {};
  table.get = (/** @type {number} */ index) => {
    const found = get.call(table, index);
    return (found && byName.get(found.name)) || found;
  };
  return () => {
    Reflect.deleteProperty(table, "get");
  };
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
  WebAssembly.Module = new Proxy(Module, {
    construct(_target, [bytes]) {
      const key = String(bytes);
      if (!made.has(key)) made.set(key, new Module(bytes));
      return made.get(key);
    },
  });
  WebAssembly.Table.prototype.set = function (index, value) {
    return set.call(this, index, value); // thrown from here, the exception is of a short function
  };
  return () => {
    WebAssembly.Module = Module;
    WebAssembly.Table.prototype.set = set;
  };
}

/**
 * Answers Pyodide's own requests: the code is compiled already, the standard library is in the memory.
 * @param {string} wasm Address of the code.
 * @param {string} library Address of the standard library.
 */
function answerRequests(wasm, library) {
  const fetchAnew = self.fetch.bind(self);
  self.fetch = async (resource, options) => {
    const address = addressOf(resource);
    if (address === wasm) return new Response("", { headers: { "Content-Type": "application/wasm" } });
    if (address === library) return new Response(new Uint8Array(EMPTY_ARCHIVE_BYTES));
    return fetchAnew(resource, options);
  };
  return () => {
    self.fetch = fetchAnew;
  };
}

/**
 * Copies the stored pages to where they belong, and what depends on this engine after them.
 * @param {Module} module
 * @param {SnapshotSettings} settings
 * @param {Pages} pages
 * @param {PagesLayout} layout
 */
function fillMemory(module, settings, pages, { runs, pageBytes }) {
  let position = 0;
  let sum = NOTHING;
  eachRun(runs, pageBytes, { start: 0, end: Infinity }, (from, to, address) => {
    const end = address + to - from;
    pages.copy(module.HEAPU8.subarray(address, end), from);
    sum = summed(sum, module.HEAP32.subarray(address >> 2, end >> 2));
    position = to;
  });
  pages.close?.();
  if (String(sum) !== String(settings.sum)) throw new Error("the snapshot's pages are damaged");
  if (position !== pages.size) throw new Error(`the snapshot's pages are ${pages.size} bytes, not ${position}`);
  link(module.HEAP32, settings.ring);
  const offset = module.HEAP32[module.__PyEM_EMSCRIPTEN_COUNT_ARGS_OFFSET >> 2];
  module.HEAP32[(module.__PyRuntime + offset) >> 2] = module._PyEM_CountArgsPtr;
  for (const [handle, name] of Object.entries(settings.handles)) {
    module.LDSO.loadedLibsByHandle[handle] = module.LDSO.loadedLibsByName[name];
  }
}

/**
 * @param {number[]} found
 * @param {number[]} built
 */
function checkTables(found, built) {
  if (String(found) !== String(built))
    throw new Error(`function tables of ${found} entries, the build's have ${built}`);
}

/**
 * Whether another worker can be started from here: not from a page without an origin, nor from a single file.
 * @param {Build} build
 */
const canShareWork = (build) => !build.inlined && self.origin !== "null";

/**
 * What has to come before memory can be filled; all of it is on its way when this returns.
 * @param {Build} build
 * @param {Address} address
 * @param {Progress} progress
 */
function inputs(build, address, progress) {
  const { settings, pages, frames, layout, decoder, libraries } = build.snapshot;
  const job = { pages: address(pages), decoder: address(decoder), frames, layout };
  const helper = canShareWork(build) ? address(build.worker) : undefined;
  const size = frames.reduce((sum, { bytes }) => sum + bytes, 0);
  /** @type {{pages: Promise<Pages>, code: Promise<WebAssembly.Module>, settings: Promise<SnapshotSettings>, libraries: Libraries}} */
  const found = {
    pages: openPages(pages, size, () => fetchPages(job, helper)), // first: what it asks for takes many answers
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

/**
 * Does what Pyodide only warns of where it fails, and then waits forever.
 * @template Result
 * @param {() => Result} step
 * @param {Failed} failed
 */
function tried(step, failed) {
  try {
    return step();
  } catch (error) {
    failed(error);
    throw error;
  }
}

/**
 * Makes the next module that Pyodide creates link the libraries first, and take the stored memory for its own.
 * @param {{settings: SnapshotSettings, layout: PagesLayout, code: Promise<WebAssembly.Module>, libraries: Libraries, pages: Promise<Pages>}} inputs
 * @param {Failed} failed
 */
function fillNextModule({ settings, layout, code, libraries, pages }, failed) {
  /** @type {{tables: number[]}} */
  const made = { tables: [] };
  let restoreTable = () => {};
  /** @type {Parameters<typeof instantiateCompiled>[1]} */
  const keepTable = (table, exports) => {
    restoreTable = returnExportsFromTable(table, exports);
  };
  instantiateCompiled(code, keepTable, failed);
  const prepare = async (/** @type {Module} */ module) => {
    const [linked, opened] = await Promise.all([libraries, pages]);
    restoreTable();
    made.tables = linkLibraries(module, linked);
    module.API.restoreSnapshot = () => {
      fillMemory(module, settings, opened, layout);
      return settings.settings;
    };
    module.removeRunDependency("snapshot");
  };
  const create = /** @type {NonNullable<typeof _createPyodideModule>} */ (self._createPyodideModule);
  self._createPyodideModule = (/** @type {ModuleOptions} */ options) => {
    options.INITIAL_MEMORY = settings.heapBytes;
    options.noInitialRun = true;
    const { instantiateWasm } = options;
    options.instantiateWasm = (imports, wire) => {
      return instantiateWasm(imports, (...instance) => tried(() => wire(...instance), failed));
    };
    options.preRun.push((module) => {
      module.addRunDependency("snapshot");
      prepare(module).catch(failed);
    });
    return create(options);
  };
  return made;
}

/**
 * Restores Python.
 * @type {Start<{python: Python, pages: Pages}>} Resolved with Pyodide, and where its memory came from.
 */
export async function restore(build, address, progress) {
  const coming = inputs(build, address, progress);
  // Pyodide would ask for it, too, but `_createPyodideModule` has to be there before; the single file holds it.
  if (!self._createPyodideModule) await import(address(`${build.interpreter}pyodide.asm.js`));
  const settings = await coming.settings;
  const makeTrampolinesDear = makeTrampolinesCheap();
  const stopAnswering = answerRequests(address(`${build.interpreter}pyodide.asm.wasm`), address(build.library));
  /** @type {Failed} */
  let fail = () => {};
  /** @type {Promise<never>} */
  const failed = new Promise((_resolve, reject) => {
    fail = reject;
  });
  coming.code.catch(fail);
  const made = fillNextModule({ ...coming, settings, layout: build.snapshot.layout }, fail);
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

/**
 * Brings what a restored interpreter lacks: files for late imports. Off the critical path.
 * @param {Python} python
 * @param {Build} build
 * @param {Address} address
 */
export async function completeFiles(python, build, address) {
  const library = await (await fetched(address(build.library))).arrayBuffer();
  const version = build.sitePackages.match(/python([\d.]+)/)?.[1].replace(".", "");
  python.FS.writeFile(`/lib/python${version}.zip`, new Uint8Array(library));
  for (const name of [build.packages, build.application]) {
    mount(python.FS, build.sitePackages, await unzipped(await fetched(address(name))));
  }
  python.pyimport("importlib").invalidate_caches();
}
