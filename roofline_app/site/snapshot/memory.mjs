// What of an interpreter's memory a snapshot keeps.

/** @import { Module } from "../../../static/worker/types/pyodide" */

const LARGEST_BLOCK_BYTES = 2 ** 25;
const SMALLEST_BLOCK_BYTES = 32;
const LARGEST_SMALL_BYTES = 512;
const SMALL_STEP_BYTES = 16;

/**
 * Takes every free block of an allocator, zeroes it, and returns them all.
 * @param {Uint8Array} heap
 * @param {number[]} sizes
 * @param {(bytes: number) => number} allocate
 */
function takeFree(heap, sizes, allocate) {
  const taken = [];
  for (const size of sizes) {
    for (let address = allocate(size); address; address = allocate(size)) {
      heap.fill(0, address, address + size);
      taken.push(address);
    }
  }
  return taken;
}

/**
 * Zeroes the free memory of C and of Python: it holds what was, which is of no use and differs between builds.
 * @param {Module} module Emscripten's module.
 */
export function zeroFreeMemory(module) {
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = () => {
    throw new RangeError("no growth while free memory is zeroed");
  };
  const halves = [];
  for (let size = LARGEST_BLOCK_BYTES; size >= SMALLEST_BLOCK_BYTES; size >>= 1) halves.push(size);
  const steps = [];
  for (let size = LARGEST_SMALL_BYTES; size >= SMALL_STEP_BYTES; size -= SMALL_STEP_BYTES) steps.push(size);
  /** @type {number[] | undefined} */
  let large;
  /** @type {number[] | undefined} */
  let small;
  try {
    large = takeFree(module.HEAPU8, halves, module._PyMem_RawMalloc);
    small = takeFree(module.HEAPU8, steps, module._PyMem_Malloc);
  } finally {
    WebAssembly.Memory.prototype.grow = grow;
  }
  for (const address of small ?? []) module._PyMem_Free(address);
  for (const address of large ?? []) module._PyMem_RawFree(address);
}

/**
 * Returns the pages that differ from a fresh instance's memory.
 * @param {Uint8Array} heap The memory to keep.
 * @param {Uint8Array} fresh The memory of a fresh instance, initialised and with its libraries linked.
 * @param {number} pageBytes
 * @returns {{runs: number[], pages: Uint8Array}} First page and number of pages of each run; their bytes.
 */
export function changedPages(heap, fresh, pageBytes) {
  /** @type {number[]} */
  const runs = [];
  const parts = [];
  const zero = Buffer.alloc(pageBytes);
  const before = Buffer.from(fresh.buffer, fresh.byteOffset, fresh.length);
  for (let start = 0; start < heap.length; start += pageBytes) {
    const page = Buffer.from(heap.buffer, heap.byteOffset + start, pageBytes);
    const old = start < before.length ? before.subarray(start, start + pageBytes) : zero;
    if (page.equals(old)) continue;
    const number = start / pageBytes;
    const last = runs.length - 1;
    if (runs.length && runs[last - 1] + runs[last] === number) runs[last] += 1;
    else runs.push(number, 1);
    parts.push(page);
  }
  return { runs, pages: Buffer.concat(parts) };
}
