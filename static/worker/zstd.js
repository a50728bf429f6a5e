// Zstandard: smaller than gzip, and faster here than the browser's own streams.

/** Returns what unpacks frames, one after the other, in the decoder's memory. */
async function unpacker(code, largestPacked, largest) {
  const { exports } = await WebAssembly.instantiate(code, { env: { emscripten_notify_memory_growth() {} } });
  const [source, target] = [exports.malloc(largestPacked), exports.malloc(largest)];
  return (packed, size) => {
    new Uint8Array(exports.memory.buffer, source, packed.length).set(packed);
    const length = exports.ZSTD_decompress(target, size, source, packed.length);
    if (length !== size) throw new Error(`a frame of ${packed.length} bytes does not hold ${size}`);
    return new Uint8Array(exports.memory.buffer, target, size).slice();
  };
}

/**
 * Unpacks frames while they come.
 * @param {Promise<WebAssembly.Module>} code The decoder.
 * @param {ReadableStream<Uint8Array>} stream The frames, one after the other.
 * @param {{packed: number, bytes: number}[]} frames Bytes of each frame, and of its content.
 * @yields {Uint8Array} A frame's content.
 */
export async function* unpacked(code, stream, frames) {
  const largest = (name) => Math.max(...frames.map((frame) => frame[name]));
  const unpack = await unpacker(await code, largest("packed"), largest("bytes"));
  const reader = stream.getReader();
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
