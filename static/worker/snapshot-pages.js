// The snapshot's pages from the network: fetched and unpacked on a thread of their own, beside the interpreter's start.

import { compiled, fetched } from "./downloads.js";
import { unpacked } from "./zstd.js";

/** Yields the parts of the pages while they come. */
async function* downloadedPages({ pages, decoder, frames }) {
  const code = compiled(decoder);
  code.catch(() => {}); // said when it is awaited
  const { body } = await fetched(pages);
  yield* unpacked(code, body, frames);
}

/** What the other thread does: it tells the one that has started it of each part. */
export async function servePages(job) {
  try {
    for await (const part of downloadedPages(job)) self.postMessage({ part }, [part.buffer]);
    self.postMessage({ done: true });
  } catch (error) {
    self.postMessage({ failure: String(error?.message ?? error) });
  }
}

async function here(job) {
  const parts = [];
  for await (const part of downloadedPages(job)) parts.push(part);
  return parts;
}

/**
 * Fetches the pages.
 * @param {{pages: string, decoder: string, frames: {packed: number, bytes: number}[]}} job Addresses, and how they are packed.
 * @param {string} [address] Of a worker that serves; without it, this thread does the work.
 * @returns {Promise<Uint8Array[]>} The pages, in parts.
 */
export function fetchPages(job, address) {
  if (!address || !self.Worker) return here(job);
  return new Promise((resolve, reject) => {
    const parts = [];
    const worker = new Worker(address, { type: "module", name: JSON.stringify({ pages: job }) });
    const end = (settle, value) => {
      worker.terminate();
      settle(value);
    };
    worker.onerror = () => end(resolve, here(job));
    worker.onmessage = ({ data: { part, failure } }) => {
      if (part) parts.push(part);
      else if (failure) end(reject, new Error(failure));
      else end(resolve, parts);
    };
  });
}
