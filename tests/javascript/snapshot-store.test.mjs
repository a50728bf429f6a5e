// Where the snapshot's pages are kept, with stores that work, refuse, are full or hold something else.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

Object.assign(globalThis, { self: { location: { href: "https://example.org/site/assets/build/worker.js" } } });

/** @type {Map<string, Uint8Array>} */
let files = new Map();
/** @type {Map<string, Uint8Array<ArrayBuffer>>} */
let cached = new Map();
let room = Infinity; // bytes that the private files take

const folder = {
  async getFileHandle(/** @type {string} */ name, { create = false } = {}) {
    if (!files.has(name) && !create) throw new Error("not found");
    if (!files.has(name)) files.set(name, new Uint8Array());
    const content = () => files.get(name) ?? new Uint8Array();
    const access = {
      getSize: () => content().length,
      read: (/** @type {Uint8Array} */ target, { at = 0 }) => target.set(content().subarray(at, at + target.length)),
      truncate: () => files.set(name, new Uint8Array()),
      write(/** @type {Uint8Array} */ part, { at = 0 }) {
        if (at + part.length > room) return 0;
        files.set(name, Buffer.concat([content().subarray(0, at), part]));
        return part.length;
      },
      flush() {},
      close() {},
    };
    return { createSyncAccessHandle: async () => access };
  },
  keys: () => [...files.keys()],
  removeEntry: async (/** @type {string} */ name) => files.delete(name),
};
const cache = {
  match: async (/** @type {string} */ key) => (cached.has(key) ? new Response(cached.get(key)) : undefined),
  put: async (/** @type {string} */ key, /** @type {Response} */ answer) =>
    cached.set(key, new Uint8Array(await answer.arrayBuffer())),
  keys: async () => [...cached.keys()].map((key) => ({ url: key.slice(1), key })),
  delete: async (/** @type {{key: string}} */ request) => cached.delete(request.key),
};
/** @type {any} */
const storage = { getDirectory: async () => folder };
/** @type {any} */
const caches = { open: async () => cache };
Object.defineProperty(globalThis, "navigator", { value: { storage }, configurable: true });
Object.assign(globalThis, { caches });

const { keepPages, openPages } = await import("../../static/worker/snapshot-store.js");

const PARTS = [new Uint8Array([1, 2, 3]), new Uint8Array([4, 5])];
const SIZE = 5;
const pause = async () => {};
const download = async () => PARTS;
const refuse = async () => {
  throw new Error("refused");
};

/** The pages' bytes. @param {import("../../static/worker/types/snapshot").Pages} pages */
function bytes(pages) {
  const target = new Uint8Array(pages.size);
  pages.copy(target, 0);
  return [...target];
}

beforeEach(() => {
  files = new Map();
  cached = new Map();
  room = Infinity;
  storage.getDirectory = async () => folder;
  caches.open = async () => cache;
});

test("what is not stored is downloaded, and can be stored", async () => {
  const pages = await openPages("assets/pages.1.bin", SIZE, download);
  assert.deepEqual([pages.origin, pages.size, pages.parts()], ["network", SIZE, PARTS]);
  assert.deepEqual(bytes(pages), [1, 2, 3, 4, 5]);
});

test("bytes can be copied from any position, across parts", async () => {
  const pages = await openPages("p", SIZE, download);
  for (let at = 0; at < SIZE; at++) {
    const target = new Uint8Array(SIZE - at);
    pages.copy(target, at);
    assert.deepEqual([...target], [1, 2, 3, 4, 5].slice(at));
  }
});

test("what was stored in private files is taken from there, and is not stored again", async () => {
  assert.equal(await keepPages("p", PARTS, pause), "files");
  const pages = await openPages("p", SIZE, refuse);
  assert.deepEqual([pages.origin, pages.parts(), bytes(pages)], ["files", null, [1, 2, 3, 4, 5]]);
});

test("where private files are refused or full, the cache keeps the pages, and nothing is left in the files", async () => {
  room = 3;
  assert.equal(await keepPages("p", PARTS, pause), "cache");
  assert.equal(files.size, 0);
  assert.equal((await openPages("p", SIZE, refuse)).origin, "cache");
  storage.getDirectory = refuse;
  assert.equal(await keepPages("p", PARTS, pause), "cache");
});

test("where everything is refused, the page does without", async () => {
  storage.getDirectory = refuse;
  caches.open = refuse;
  assert.equal(await keepPages("p", PARTS, pause), "nowhere");
  assert.equal((await openPages("p", SIZE, download)).origin, "network");
});

test("a store of another size is no store", async () => {
  await keepPages("p", PARTS.slice(1), pause);
  assert.equal((await openPages("p", SIZE, download)).origin, "network");
});

test("another build's pages make room; another site's stay", async () => {
  await keepPages("old", PARTS, pause);
  files.set("another-site", new Uint8Array(1));
  await keepPages("new", PARTS, pause);
  assert.equal(files.size, 2);
  assert.ok(files.has("another-site"));
  assert.equal((await openPages("old", SIZE, download)).origin, "network");
});
