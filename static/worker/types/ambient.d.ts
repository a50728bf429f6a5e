// What other files bring: the build lays Pyodide's loader into the worker's script, and a line before the service worker's.

declare module "pyodide" {
  export function loadPyodide(options: import("./pyodide").PythonOptions): Promise<import("./pyodide").Python>;
}

/** The build's name and its files. */
declare const KEPT: { build: string; files: string[] };
