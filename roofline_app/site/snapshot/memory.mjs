// What of an interpreter's memory a snapshot keeps.

export const PAGE_BYTES = 4096;
const LARGEST_BLOCK_BYTES = 2 ** 25;
const SMALLEST_BLOCK_BYTES = 32;
const LARGEST_SMALL_BYTES = 512;
const SUMMED_WORDS = 16;
const SMALL_STEP_BYTES = 16;

/** Takes every free block of an allocator, zeroes it, and returns them all. */
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
 * @param {object} module Emscripten's module.
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
  let large = [];
  let small = [];
  try {
    large = takeFree(module.HEAPU8, halves, module._PyMem_RawMalloc);
    small = takeFree(module.HEAPU8, steps, module._PyMem_Malloc);
  } finally {
    WebAssembly.Memory.prototype.grow = grow;
  }
  for (const address of small) module._PyMem_Free(address);
  for (const address of large) module._PyMem_RawFree(address);
}

/**
 * Returns the pages that differ from a fresh instance's memory.
 * @param {Uint8Array} heap The memory to keep.
 * @param {Uint8Array} fresh The memory of a fresh instance, initialised and with its libraries linked.
 * @returns {{runs: number[], pages: Uint8Array}} First page and number of pages of each run; their bytes.
 */
export function changedPages(heap, fresh) {
  const runs = [];
  const parts = [];
  const zero = Buffer.alloc(PAGE_BYTES);
  const before = Buffer.from(fresh.buffer, fresh.byteOffset, fresh.length);
  for (let start = 0; start < heap.length; start += PAGE_BYTES) {
    const page = Buffer.from(heap.buffer, heap.byteOffset + start, PAGE_BYTES);
    const old = start < before.length ? before.subarray(start, start + PAGE_BYTES) : zero;
    if (page.equals(old)) continue;
    const number = start / PAGE_BYTES;
    if (runs.length && runs.at(-2) + runs.at(-1) === number) runs[runs.length - 1] += 1;
    else runs.push(number, 1);
    parts.push(page);
  }
  return { runs, pages: Buffer.concat(parts) };
}

/** Returns a checksum of some words that depends on their order, as `snapshot-restore.js` works it out. */
export function checksum(bytes) {
  const words = new Int32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  let low = 0;
  let high = 0;
  for (let index = 0; index < words.length; index += SUMMED_WORDS) {
    low = (low + words[index]) | 0;
    high = (high + low) | 0;
  }
  return [low, high];
}
