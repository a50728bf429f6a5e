// The snapshot's pages from the network: fetched and unpacked on a thread of their own, beside the interpreter's start.

/** @import { PagesLayout } from "../types/protocol" */
/** @import { PagesAnswer, PagesJob } from "./types/snapshot" */

import { compiled, fetched } from "./downloads.js";
import { distancesToNear, eachRun } from "./pointers.js";
import { unpacked } from "./zstd.js";

/**
 * Yields the parts of the pages while they come.
 * @param {PagesJob} job
 */
async function* downloadedPages({ pages, decoder, frames, layout }) {
  const code = compiled(decoder);
  code.catch(() => {}); // said when it is awaited
  const { body } = await fetched(pages);
  if (!body) return;
  let start = 0;
  for await (const part of unpacked(code, body, frames)) {
    readDistances(part, start, layout);
    start += part.length;
    yield part;
  }
}

/**
 * Turns the distances of a part into pointers.
 * @param {Uint8Array<ArrayBuffer>} part
 * @param {number} start Where it begins in the pages.
 * @param {PagesLayout} layout
 */
function readDistances(part, start, { runs, pageBytes, alike }) {
  const words = new Int32Array(part.buffer, part.byteOffset, part.length / Int32Array.BYTES_PER_ELEMENT);
  const others = new Set(alike);
  eachRun(runs, pageBytes, { start, end: start + part.length }, (from, to, address) => {
    const [first, last] = [from, to].map((at) => at / Int32Array.BYTES_PER_ELEMENT);
    const before = start / Int32Array.BYTES_PER_ELEMENT;
    distancesToNear(words.subarray(first - before, last - before), address, others, first);
  });
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
