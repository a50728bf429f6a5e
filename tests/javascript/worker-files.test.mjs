// Unpacking: images of files, frames, and the checksum of the snapshot's pages.

import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { NOTHING, summed } from "../../static/worker/checksum.js";
import { mount, unzipped } from "../../static/worker/fs-image.js";
import { unpacked } from "../../static/worker/zstd.js";

/** An image as the build writes it. @param {[string, string][]} files */
function image(files) {
  const encoder = new TextEncoder();
  const contents = files.map(([, text]) => encoder.encode(text));
  const index = encoder.encode(JSON.stringify(files.map(([name], place) => [name, contents[place].length])));
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, index.length, true);
  return Buffer.concat([length, index, ...contents]);
}

/** A file system that keeps what is made in it. */
function fileSystem() {
  /** @type {Map<string, any>} */
  const files = new Map();
  /** @type {string[]} */
  const folders = [];
  const node = (/** @type {string} */ path) => ({
    node_ops: {
      mknod(/** @type {any} */ _parent, /** @type {string} */ name) {
        const made = { contents: new Uint8Array(), usedBytes: 0 };
        files.set(`${path}/${name}`, made);
        return made;
      },
    },
  });
  const FS = {
    mkdirTree: (/** @type {string} */ path) => folders.push(path),
    lookupPath: (/** @type {string} */ path) => ({ node: node(path) }),
  };
  return { FS: /** @type {any} */ (FS), files, folders };
}

test("every file of an image appears with its own bytes, and each folder is made once", () => {
  const { FS, files, folders } = fileSystem();
  const written = /** @type {[string, string][]} */ ([
    ["a/one", "1"],
    ["a/two", ""],
    ["b/c/three", "drei ü"],
  ]);
  mount(FS, "/lib", new Uint8Array(image(written)));
  const texts = [...files].map(([path, { contents, usedBytes }]) => {
    assert.equal(contents.length, usedBytes);
    return [path, new TextDecoder().decode(contents)];
  });
  assert.deepEqual(
    texts,
    written.map(([name, text]) => [`/lib/${name}`, text]),
  );
  assert.deepEqual(folders, ["/lib/a", "/lib/b/c"]);
});

test("an answer that a host has unpacked already is taken as it is", async () => {
  const bytes = new TextEncoder().encode("text");
  assert.deepEqual(await unzipped(new Response(gzipSync(bytes))), bytes);
  assert.deepEqual(await unzipped(new Response(bytes)), bytes);
});

/** Lets a decoder that copies take the place of the real one. @param {() => Promise<void>} run */
async function copying(run) {
  const { instantiate } = WebAssembly;
  const memory = new WebAssembly.Memory({ initial: 1 });
  let top = 0;
  const malloc = (/** @type {number} */ bytes) => {
    top += bytes;
    return top - bytes;
  };
  const ZSTD_decompress = (/** @type {number[]} */ ...[target, size, source, packed]) => {
    new Uint8Array(memory.buffer).copyWithin(target, source, source + packed);
    return Math.min(size, packed);
  };
  Object.assign(WebAssembly, { instantiate: async () => ({ exports: { memory, malloc, ZSTD_decompress } }) });
  try {
    await run();
  } finally {
    Object.assign(WebAssembly, { instantiate });
  }
}

/** A stream of chunks. @param {number[][]} chunks */
const stream = (chunks) =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new Uint8Array(chunk));
      controller.close();
    },
  });
const code = /** @type {any} */ (Promise.resolve(null));

test("frames come out whole, however the network cuts them", async () => {
  await copying(async () => {
    const frames = [3, 1, 4].map((bytes) => ({ packed: bytes, bytes }));
    for (const chunks of [
      [[1, 2, 3, 4, 5, 6, 7, 8]],
      [[1], [2, 3, 4, 5], [6, 7, 8]],
      [[1, 2], [], [3], [4, 5, 6, 7], [8]],
    ]) {
      const parts = [];
      for await (const part of unpacked(code, stream(chunks), frames)) parts.push([...part]);
      assert.deepEqual(parts, [[1, 2, 3], [4], [5, 6, 7, 8]]);
    }
  });
});

test("a stream that ends within a frame says so", async () => {
  await copying(async () => {
    const short = async () => {
      for await (const part of unpacked(code, stream([[1, 2]]), [{ packed: 3, bytes: 3 }])) assert.fail(String(part));
    };
    await assert.rejects(short, /ends after 2/);
  });
});

test("a frame that does not hold what is stated is refused", async () => {
  await copying(async () => {
    const wrong = async () => {
      for await (const part of unpacked(code, stream([[1, 2]]), [{ packed: 2, bytes: 3 }])) assert.fail(String(part));
    };
    await assert.rejects(wrong, /does not hold 3/);
  });
});

test("the checksum is the same in one go and page by page, and another in another order", () => {
  const pages = [1, 2, 3].map((page) => Int32Array.from({ length: 1024 }, (_, index) => page * 1000 + index));
  const whole = Int32Array.from(pages.flatMap((page) => [...page]));
  const inParts = pages.reduce((sum, page) => summed(sum, page), NOTHING);
  assert.deepEqual(summed(NOTHING, whole), inParts);
  assert.notDeepEqual(
    [pages[1], pages[0], pages[2]].reduce((sum, page) => summed(sum, page), NOTHING),
    inParts,
  );
});
