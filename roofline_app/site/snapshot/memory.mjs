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

// A string of 32-bit Python: count, type, length, hash, then a byte of state and three that nothing reads.
const STRING = { type: 4, length: 8, hash: 12, state: 16, padding: [17, 18, 19], ascii: 20, text: 28 };
const NO_HASH = -1;
const ALIGNED_BYTES = 8;
const [INTERNED_BITS, KIND_BITS, COMPACT, ASCII] = [2, 3, 1 << 5, 1 << 6];

/**
 * Whether a string may begin at an address at which its type stands: its text is one that the memory can hold.
 * @param {DataView} view
 * @param {number} address
 */
function looksLikeString(view, address) {
  const [length, state] = [view.getInt32(address + STRING.length, true), view.getUint8(address + STRING.state)];
  const width = (state >> INTERNED_BITS) & ((1 << KIND_BITS) - 1);
  const isCounted = view.getInt32(address, true) > 0 && length >= 0;
  if (!isCounted || !(state & COMPACT) || ![1, 2, 4].includes(width)) return false;
  const start = address + (state & ASCII ? STRING.ascii : STRING.text);
  return start + (length + 1) * width <= view.byteLength;
}

/**
 * Whether the hash that is kept at an address is that of the string there: nothing else that looks like one has it.
 * @param {DataView} view
 * @param {number} address
 * @param {(address: number) => number} hash
 */
function hasItsHash(view, address, hash) {
  const kept = view.getInt32(address + STRING.hash, true);
  if (kept === NO_HASH) return false;
  view.setInt32(address + STRING.hash, NO_HASH, true);
  const found = hash(address);
  view.setInt32(address + STRING.hash, kept, true);
  return found === kept;
}

/**
 * Zeroes the bytes of hashed strings that nothing reads: they hold what was there before.
 * @param {Module} module Emscripten's module.
 * @param {number} type Address of the type of strings.
 */
export function zeroPadding(module, type) {
  const heap = module.HEAPU8;
  const view = new DataView(heap.buffer, heap.byteOffset, heap.length);
  for (let address = 0; address + STRING.text < heap.length; address += ALIGNED_BYTES) {
    if (view.getInt32(address + STRING.type, true) !== type || !looksLikeString(view, address)) continue;
    if (!hasItsHash(view, address, module._PyObject_Hash)) continue;
    for (const offset of STRING.padding) heap[address + offset] = 0;
  }
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
