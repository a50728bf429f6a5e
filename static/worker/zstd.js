// Zstandard: smaller than gzip, and faster here than the browser's own streams.

/**
 * @typedef {object} Decoder What of the decoder's exports is used.
 * @property {WebAssembly.Memory} memory
 * @property {(bytes: number) => number} malloc
 * @property {(target: number, size: number, source: number, packed: number) => number} ZSTD_decompress
 */

/**
 * Returns what unpacks frames, one after the other, in the decoder's memory.
 * @param {WebAssembly.Module} code
 * @param {number} largestPacked Bytes of the largest frame.
 * @param {number} largest Bytes of the largest content.
 * @returns {Promise<(packed: Uint8Array, size: number) => Uint8Array<ArrayBuffer>>}
 */
async function unpacker(code, largestPacked, largest) {
  const { exports } = await WebAssembly.instantiate(code, { env: { emscripten_notify_memory_growth() {} } });
  const { memory, malloc, ZSTD_decompress } = /** @type {Decoder} */ (/** @type {unknown} */ (exports));
  const [source, target] = [malloc(largestPacked), malloc(largest)];
  return (packed, size) => {
    new Uint8Array(memory.buffer, source, packed.length).set(packed);
    const length = ZSTD_decompress(target, size, source, packed.length);
    if (length !== size) throw new Error(`a frame of ${packed.length} bytes does not hold ${size}`);
    return new Uint8Array(memory.buffer, target, size).slice();
  };
}

/**
 * Unpacks frames while they come.
 * @param {Promise<WebAssembly.Module>} code The decoder.
 * @param {ReadableStream<Uint8Array>} stream The frames, one after the other.
 * @param {{packed: number, bytes: number}[]} frames Bytes of each frame, and of its content.
 * @yields {Uint8Array<ArrayBuffer>} A frame's content.
 * @returns {AsyncGenerator<Uint8Array<ArrayBuffer>>}
 */
export async function* unpacked(code, stream, frames) {
  const sizes = [frames.map(({ packed }) => packed), frames.map(({ bytes }) => bytes)];
  const [largestPacked, largest] = sizes.map((of) => Math.max(...of));
  const unpack = await unpacker(await code, largestPacked, largest);
  const reader = stream.getReader();
  /** @type {Uint8Array} */
  let come = new Uint8Array(0);
  for (const { packed, bytes } of frames) {
    const frame = new Uint8Array(packed);
    let filled = 0;
    while (filled < packed) {
      if (!come.length) {
        const { done, value } = await reader.read();
        if (done) throw new Error(`a frame of ${packed} bytes ends after ${filled}`);
        come = value;
      }
      const part = come.subarray(0, packed - filled);
      frame.set(part, filled);
      filled += part.length;
      come = come.subarray(part.length);
    }
    yield unpack(frame, bytes);
  }
}
