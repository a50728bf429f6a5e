// The snapshot's pages from the network: fetched and unpacked on a thread of their own, beside the interpreter's start.

/** @import { PagesAnswer, PagesJob } from "./types/snapshot" */

import { compiled, fetched } from "./downloads.js";
import { unpacked } from "./zstd.js";

/**
 * Yields the parts of the pages while they come.
 * @param {PagesJob} job
 */
async function* downloadedPages({ pages, decoder, frames }) {
  const code = compiled(decoder);
  code.catch(() => {}); // said when it is awaited
  const { body } = await fetched(pages);
  if (body) yield* unpacked(code, body, frames);
}

/**
 * What the other thread does: it tells the one that has started it of each part.
 * @param {PagesJob} job
 */
export async function servePages(job) {
  const say = (/** @type {PagesAnswer} */ answer, /** @type {Transferable[]} */ moved = []) =>
    self.postMessage(answer, moved);
  try {
    for await (const part of downloadedPages(job)) say({ part }, [part.buffer]);
    say({ done: true });
  } catch (error) {
    say({ failure: error instanceof Error ? error.message : String(error) });
  }
}

/** @param {PagesJob} job */
async function here(job) {
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const parts = [];
  for await (const part of downloadedPages(job)) parts.push(part);
  return parts;
}

/**
 * Fetches the pages.
 * @param {PagesJob} job
 * @param {string} [address] Of a worker that serves; without it, this thread does the work.
 * @returns {Promise<Uint8Array<ArrayBuffer>[]>} The pages, in parts.
 */
export function fetchPages(job, address) {
  if (!address || !self.Worker) return here(job);
  return new Promise((resolve, reject) => {
    /** @type {Uint8Array<ArrayBuffer>[]} */
    const parts = [];
    const worker = new Worker(address, { type: "module", name: JSON.stringify({ pages: job }) });
    worker.onerror = () => {
      worker.terminate();
      resolve(here(job));
    };
    worker.onmessage = (/** @type {MessageEvent<PagesAnswer>} */ { data }) => {
      if ("part" in data) {
        parts.push(data.part);
        return;
      }
      worker.terminate();
      if ("failure" in data) reject(new Error(data.failure));
      else resolve(parts);
    };
  });
}
