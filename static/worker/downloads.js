// What the worker fetches: counted, unpacked, compiled, whatever the host makes of types and compression.

/** Fetches a file, or throws what is wrong with it. */
export async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${answer.statusText}`);
  return answer;
}

/** Compiles while bytes arrive; a host with a wrong type must not matter. */
export async function compiled(address) {
  const answer = await fetched(address);
  const typed = answer.headers.get("Content-Type")?.startsWith("application/wasm");
  return WebAssembly.compileStreaming(typed ? answer : new Response(answer.body, { headers: { "Content-Type": "application/wasm" } }));
}

/**
 * Starts downloads and says how many bytes of all of them have come.
 * @param {Record<string, number>} sizes Bytes by name of all files that will be asked for.
 * @param {(name: string) => string} address Returns a file's address.
 * @param {(done: number, total: number) => void} say Told about once per hundredth.
 * @returns {(name: string, type: string) => Promise<Response>} Fetches a file, as if it came with this type.
 */
export function downloads(sizes, address, say) {
  const total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  let done = 0;
  let said = 0;
  return async (name, type) => {
    const answer = await fetched(address(name));
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
    return new Response(answer.body.pipeThrough(counter), { headers: { "Content-Type": type } });
  };
}

/** Pyodide fetches some files itself: it gets the answers that are on their way already. */
export function serveEarly(early) {
  const fetchAnew = self.fetch.bind(self);
  self.fetch = (resource, options) => {
    const address = String(resource?.url ?? resource);
    const answer = early.get(address);
    early.delete(address);
    return answer ?? fetchAnew(resource, options);
  };
}
