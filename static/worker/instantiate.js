// Gives Pyodide its code, and tells of what Pyodide only warns of.

/** @typedef {(error: unknown) => void} Failed Told of what Pyodide would wait for for ever. */

/**
 * Lets Pyodide, which would wait forever for one that fails, instantiate the code that is compiling since the start.
 * @param {Promise<WebAssembly.Module>} code
 * @param {(table: WebAssembly.Table, exports: WebAssembly.Exports) => void} onInstance
 * @param {Failed} failed
 */
export function instantiateCompiled(code, onInstance, failed) {
  const { instantiateStreaming } = WebAssembly;
  WebAssembly.instantiateStreaming = async (_answer, imports = {}) => {
    WebAssembly.instantiateStreaming = instantiateStreaming;
    const module = await code;
    const instance = await WebAssembly.instantiate(module, imports).catch((/** @type {unknown} */ error) => {
      failed(error);
      throw error;
    });
    const table = imports.env?.__indirect_function_table ?? instance.exports.__indirect_function_table;
    onInstance(/** @type {WebAssembly.Table} */ (table), instance.exports);
    return { instance, module };
  };
}
