// The snapshot's pages: from this device, else from the network. They are found on a thread of their own, for the
// interpreter's start would hold up every step of it.

import { compiled, fetched } from "./downloads.mjs";
import { storedPages } from "./store.mjs";
import { unpacked } from "./zstd.mjs";

/**
 * @typedef {object} Job
 * @property {string} name Of the pages: it changes with their content.
 * @property {number} size Bytes of all of them.
 * @property {string} address
 * @property {string} decoder Address.
 * @property {{packed: number, bytes: number}[]} frames How they are packed.
 */

/**
 * @typedef {object} Pages
 * @property {"network" | "files" | "cache"} origin Where they come from.
 * @property {Uint8Array[]} parts One behind the other.
 */

/** Yields pages while they come, and where they come from. */
async function* found({ name, size, address, decoder, frames }) {
  const stored = await storedPages(name, size);
  if (stored) return yield stored;
  const code = compiled(decoder);
  code.catch(() => {}); // said when it is awaited
  const { body } = await fetched(address);
  for await (const part of unpacked(code, body, frames)) yield { origin: "network", part };
}

/** What the other thread does. */
export async function servePages(job) {
  try {
    for await (const { origin, part } of found(job)) self.postMessage({ origin, part }, [part.buffer]);
    self.postMessage({ done: true });
  } catch (error) {
    self.postMessage({ failure: String(error?.message ?? error) });
  }
}

async function here(job) {
  const pages = { origin: "", parts: [] };
  for await (const { origin, part } of found(job)) {
    pages.origin = origin;
    pages.parts.push(part);
  }
  return pages;
}

/**
 * Finds the pages.
 * @param {Job} job
 * @param {string} [address] Of a worker that serves; without it, this thread does the work.
 * @returns {Promise<Pages>}
 */
export function openPages(job, address) {
  if (!address || !self.Worker) return here(job);
  return new Promise((resolve, reject) => {
    const pages = { origin: "", parts: [] };
    const worker = new Worker(address, { type: "module", name: JSON.stringify({ pages: job }) });
    const end = (settle, value) => {
      worker.terminate();
      settle(value);
    };
    worker.onerror = () => end(resolve, here(job));
    worker.onmessage = ({ data: { origin, part, failure, done } }) => {
      if (failure) return end(reject, new Error(failure));
      if (done) return end(resolve, pages);
      pages.origin = origin;
      pages.parts.push(part);
    };
  });
}
