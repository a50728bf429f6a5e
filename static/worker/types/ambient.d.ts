// What other files bring: the build lays Pyodide's loader into the worker's script, and a line before the service worker's.

declare module "pyodide" {
  export function loadPyodide(options: import("./pyodide").PythonOptions): Promise<import("./pyodide").Python>;
}

/** The build's name and its files. */
declare const KEPT: { build: string; files: string[] };

/** Its mode, which lets several tabs read at once, is younger than TypeScript's lists; node's have none of it. */
interface FileSystemFileHandle {
  createSyncAccessHandle(options?: { mode: "read-only" }): Promise<FileSystemSyncAccessHandle>;
}

interface FileSystemSyncAccessHandle {
  close(): void;
  flush(): void;
  getSize(): number;
  read(target: Uint8Array<ArrayBuffer>, options: { at: number }): number;
  truncate(size: number): void;
  write(part: Uint8Array<ArrayBuffer>, options: { at: number }): number;
}
