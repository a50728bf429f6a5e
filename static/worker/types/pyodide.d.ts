// What the worker uses of Pyodide and of Emscripten below it; much of it is private to the pinned version.

import type { Build } from "../../types/messages";

/** A node of Emscripten's file system. */
export interface FileNode {
  contents: Uint8Array;
  usedBytes: number;
  node_ops: { mknod(parent: FileNode, name: string, mode: number, device: number): FileNode };
}

/** Emscripten's file system. */
export interface FileSystem {
  mkdirTree(path: string): void;
  lookupPath(path: string): { node: FileNode };
  writeFile(path: string, content: string | Uint8Array): void;
  readFile(path: string, options?: { encoding: "utf8" }): Uint8Array & string;
  analyzePath(path: string): { exists: boolean };
  isFile(mode: number): boolean;
  stat(path: string): { mode: number };
  [operation: string]: any;
}

/** A side module that is loaded. */
export interface LoadedLibrary {
  name: string;
  refcount: number;
  global: boolean;
  exports: unknown;
}

/** Emscripten's module. */
export interface Module {
  API: { restoreSnapshot?: () => unknown };
  HEAP32: Int32Array;
  HEAPU8: Uint8Array<ArrayBuffer>;
  LDSO: { loadedLibsByName: Record<string, LoadedLibrary>; loadedLibsByHandle: Record<string, LoadedLibrary> };
  __PyEM_EMSCRIPTEN_COUNT_ARGS_OFFSET: number;
  __PyRuntime: number;
  _PyEM_CountArgsPtr: number;
  _PyMem_Free(address: number): void;
  _PyMem_Malloc(bytes: number): number;
  _PyObject_Hash: (object: number) => number;
  _PyMem_RawFree(address: number): void;
  _PyMem_RawMalloc(bytes: number): number;
  wasmTable: WebAssembly.Table;
  addRunDependency(name: string): void;
  loadWebAssemblyModule(code: WebAssembly.Module, flags: object, path: string, scope: object): unknown;
  newDSO(path: string, handle: undefined, syms: string): LoadedLibrary;
  removeRunDependency(name: string): void;
}

/** What makes a module. */
export interface ModuleOptions {
  INITIAL_MEMORY: number;
  noInitialRun: boolean;
  preRun: ((module: Module) => void)[];
  onRuntimeInitialized?: () => void;
  instantiateWasm(imports: WebAssembly.Imports, wire: Wire): object;
}

/** Takes an instance. */
export type Wire = (instance: WebAssembly.Instance, module: WebAssembly.Module) => unknown;

/** Python, as Pyodide offers it; what it imports has no types. */
export interface Python {
  FS: FileSystem;
  _module: Module;
  pyimport(name: string): any;
  runPython(source: string, options?: object): any;
  toPy(value: unknown): any;
  unpackArchive(archive: ArrayBuffer, format: string, options: object): void;
  registerJsModule(name: string, module: object): void;
  makeMemorySnapshot(options: object): Uint8Array<ArrayBuffer>;
}

/** Sets of what Pyodide takes; the last ones are private. */
export interface PythonOptions {
  indexURL: string;
  stdLibURL?: string;
  lockFileContents?: string;
  env: Record<string, string>;
  _loadSnapshot?: Uint8Array;
  _makeSnapshot?: boolean;
  _snapshotDeserializer?: () => null;
}

/** Returns a file's address. */
export type Address = (name: string) => string;

/** Told of every stage. */
export type Progress = (stage: string, done: number, total: number) => void;

/** Starts Python in a way. */
export type Start<Started> = (build: Build, address: Address, progress: Progress) => Promise<Started>;

declare global {
  // eslint-disable-next-line no-var
  var _createPyodideModule: ((options: ModuleOptions) => Promise<Module>) | undefined;
}
