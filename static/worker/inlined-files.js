// In the worker of the single file: what it would fetch lies in its first message, as text.

import { unzipped } from "./fs-image.js";

const TYPES = { wasm: "application/wasm", json: "application/json" };

/**
 * Answers requests for the files of the page.
 * @param {Record<string, string>} files Contents in base64 by name, compressed or not.
 * @param {(name: string) => string} address Returns a file's address.
 */
export function serveInlined(files, address) {
  const fetchAnew = self.fetch.bind(self);
  const byAddress = new Map(Object.entries(files).map(([name, text]) => [address(name), text]));
  self.fetch = async (resource, options) => {
    const asked = String(resource?.url ?? resource);
    if (!byAddress.has(asked)) return fetchAnew(resource, options);
    const bytes = await unzipped(await fetchAnew(`data:;base64,${byAddress.get(asked)}`));
    return new Response(bytes, { headers: { "Content-Type": TYPES[asked.split(".").at(-1)] ?? "application/octet-stream" } });
  };
}
