// What the worker fetches: counted, unpacked, compiled, whatever the host makes of types and compression.

/** @import { Address } from "./types/pyodide" */

/**
 * Returns the address that a request is for.
 * @param {RequestInfo | URL} resource
 */
export const addressOf = (resource) => (resource instanceof Request ? resource.url : String(resource));

/**
 * Fetches a file, or throws what is wrong with it.
 * @param {string} address
 */
export async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${answer.statusText}`);
  return answer;
}

/**
 * Compiles while bytes arrive; a host with a wrong type must not matter.
 * @param {string} address
 */
export async function compiled(address) {
  const answer = await fetched(address);
  const typed = answer.headers.get("Content-Type")?.startsWith("application/wasm");
  const headers = { "Content-Type": "application/wasm" };
  return WebAssembly.compileStreaming(typed ? answer : new Response(answer.body, { headers }));
}

/**
 * Starts downloads and says how many bytes of all of them have come.
 * @param {Record<string, number>} sizes Bytes by name of all files that will be asked for.
 * @param {Address} address
 * @param {(done: number, total: number) => void} say Told about once per hundredth.
 * @returns {(name: string, type: string) => Promise<Response>} Fetches a file, as if it came with this type.
 */
export function downloads(sizes, address, say) {
  const total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  let done = 0;
  let said = 0;
  return async (name, type) => {
    const answer = await fetched(address(name));
    /** @type {TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>} */
    const counter = new TransformStream({
      transform(chunk, controller) {
        done += chunk.byteLength;
        if (done - said > total / 100 || done >= total) {
          said = done;
          say(Math.min(done, total), total);
        }
        controller.enqueue(chunk);
      },
    });
    return new Response(answer.body?.pipeThrough(counter), { headers: { "Content-Type": type } });
  };
}

/**
 * Pyodide fetches some files itself: it gets the answers that are on their way already.
 * @param {Map<string, Promise<Response>>} early
 */
export function serveEarly(early) {
  const fetchAnew = self.fetch.bind(self);
  self.fetch = (resource, options) => {
    const address = addressOf(resource);
    const answer = early.get(address);
    early.delete(address);
    return answer ?? fetchAnew(resource, options);
  };
}
