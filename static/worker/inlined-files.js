// In the worker of the single file: what it would fetch lies in its first message, as text.

/** @import { Address } from "./types/pyodide" */

import { addressOf } from "./downloads.js";
import { unzipped } from "./fs-image.js";

/** @type {Record<string, string>} */
const TYPES = { wasm: "application/wasm", json: "application/json" };

/**
 * Answers requests for the files of the page.
 * @param {Record<string, string>} files Contents in base64 by name, compressed or not.
 * @param {Address} address
 */
export function serveInlined(files, address) {
  const fetchAnew = self.fetch.bind(self);
  const byAddress = new Map(Object.entries(files).map(([name, text]) => [address(name), text]));
  self.fetch = async (resource, options) => {
    const asked = addressOf(resource);
    const content = byAddress.get(asked);
    if (content === undefined) return fetchAnew(resource, options);
    const bytes = await unzipped(await fetchAnew(`data:;base64,${content}`));
    const type = TYPES[asked.split(".").at(-1) ?? ""] ?? "application/octet-stream";
    return new Response(bytes, { headers: { "Content-Type": type } });
  };
}
