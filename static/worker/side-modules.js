// numpy's side modules, linked before the runtime is initialised: memory then comes from the heap's first bytes and
// table slots from the table's end, the same at the build and at every restore, so that no address has to be recorded.

/** @import { Module } from "./types/pyodide" */

/**
 * Links side modules to a module that is about to run.
 * @param {Module} module Emscripten's module, in its `preRun`.
 * @param {[string, WebAssembly.Module][]} libraries Path in the file system and compiled code, in the build's order.
 * @returns {number[]} Lengths of the function table before the first and after each, to compare with the build's.
 */
export function linkLibraries(module, libraries) {
  const lengths = [module.wasmTable.length];
  for (const [path, code] of libraries) {
    const library = module.newDSO(path, undefined, "loading");
    library.refcount = Infinity;
    library.global = false;
    library.exports = module.loadWebAssemblyModule(code, {}, path, {});
    module.LDSO.loadedLibsByName[path] = library;
    lengths.push(module.wasmTable.length);
  }
  return lengths;
}
