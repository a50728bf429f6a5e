// The snapshot's pages on this device: in the origin's private file system, else in Cache Storage, else not at all.
// A store that is refused, full or damaged costs the download, never the page.

/** @import { Pages } from "./types/snapshot" */
/** @typedef {Uint8Array<ArrayBuffer>[]} Parts */

/** Names of what this site stores begin so: other sites of the same origin are left alone. */
function prefix() {
  const folder = new URL(".", self.location.href).pathname.replace(/assets\/[^/]*\/$/, "");
  return `roofline${folder.replace(/[^A-Za-z0-9]+/g, "-")}`; // a private file's name takes few signs
}

/** @param {string} name */
const fileName = (name) => prefix() + name.split("/").at(-1);
/** @param {string} name */
const key = (name) => `./${name.split("/").at(-1)}`;

/**
 * @param {Pages["origin"]} origin
 * @param {Parts} parts
 * @returns {Pages}
 */
function inMemory(origin, parts) {
  const copy = (/** @type {Uint8Array} */ target, /** @type {number} */ at) => {
    let start = 0; // of a part
    for (const part of parts) {
      const [from, to] = [Math.max(at, start), Math.min(at + target.length, start + part.length)];
      if (from < to) target.set(part.subarray(from - start, to - start), from - at);
      start += part.length;
    }
  };
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  return { size, origin, copy, parts: () => (origin === "network" ? parts : null) };
}

/**
 * @param {string} name
 * @param {number} size
 * @returns {Promise<Pages | null>}
 */
async function fromFiles(name, size) {
  const folder = await navigator.storage.getDirectory();
  const entry = await folder.getFileHandle(fileName(name));
  try {
    const access = await entry.createSyncAccessHandle({ mode: "read-only" });
    if (access.getSize() !== size) {
      access.close();
      return null;
    }
    const copy = (/** @type {Uint8Array} */ target, /** @type {number} */ at) => {
      access.read(/** @type {Uint8Array<ArrayBuffer>} */ (target), { at });
    };
    return { size, origin: "files", copy, parts: () => null, close: () => access.close() };
  } catch {
    // An engine without shared handles, or a second tab: read the whole.
    const file = await entry.getFile();
    return file.size === size ? inMemory("files", [new Uint8Array(await file.arrayBuffer())]) : null;
  }
}

/**
 * @param {string} name
 * @param {number} size
 * @returns {Promise<Pages | null>}
 */
async function fromCache(name, size) {
  const cache = await caches.open(prefix());
  const answer = await cache.match(key(name));
  const bytes = answer && new Uint8Array(await answer.arrayBuffer());
  return bytes?.byteLength === size ? inMemory("cache", [bytes]) : null;
}

/**
 * @template Result
 * @param {() => Promise<Result>} step
 */
async function attempt(step) {
  try {
    return await step();
  } catch {
    return null;
  }
}

/**
 * Returns the pages of a build: stored ones, else downloaded.
 * @param {string} name Name that changes with the content.
 * @param {number} size Bytes of the pages.
 * @param {() => Promise<Parts>} download Fetches and unpacks them.
 * @returns {Promise<Pages>}
 */
export async function openPages(name, size, download) {
  const places = [fromFiles, fromCache].map((from) => attempt(() => from(name, size)));
  const [inFiles, inCache] = await Promise.all(places); // at once: this thread is about to be busy
  return inFiles ?? inCache ?? inMemory("network", await download());
}

/** @typedef {(name: string, parts: Parts, pause: () => Promise<void>) => Promise<void>} Store */

/** @type {Store} */
async function toFiles(name, parts, pause) {
  const folder = await navigator.storage.getDirectory();
  const entry = await folder.getFileHandle(fileName(name), { create: true });
  const access = await entry.createSyncAccessHandle();
  try {
    access.truncate(0);
    let at = 0;
    for (const part of parts) {
      // eslint-disable-next-line no-restricted-properties -- of a file
      if (access.write(part, { at }) !== part.length) throw new Error("the storage is full");
      at += part.length;
      await pause();
    }
    access.flush();
  } finally {
    access.close();
  }
}

/** @type {Store} */
async function toCache(name, parts) {
  const cache = await caches.open(prefix());
  await cache.put(
    key(name),
    new Response(new Blob(parts), { headers: { "Content-Type": "application/octet-stream" } }),
  );
}

/**
 * Removes stored pages of this site.
 * @param {string} [kept] Name of those to keep.
 */
export async function forgetPages(kept) {
  await attempt(async () => {
    const folder = await navigator.storage.getDirectory();
    for await (const entry of folder.keys()) {
      if (entry.startsWith(prefix()) && !(kept && entry === fileName(kept))) await folder.removeEntry(entry);
    }
  });
  await attempt(async () => {
    const cache = await caches.open(prefix());
    for (const request of await cache.keys()) {
      if (!kept || !request.url.endsWith(key(kept).slice(1))) await cache.delete(request);
    }
  });
}

/**
 * Stores downloaded pages for the next visit, in steps.
 * @param {string} name Name that changes with the content.
 * @param {Parts} parts The pages.
 * @param {() => Promise<void>} pause Waits until the reader is not waiting.
 * @returns {Promise<string>} Where they are now: files, cache, or nowhere.
 */
export async function keepPages(name, parts, pause) {
  await forgetPages(name);
  for (const [place, store] of /** @type {const} */ ([
    ["files", toFiles],
    ["cache", toCache],
  ])) {
    try {
      await store(name, parts, pause);
      return place;
    } catch {
      await forgetPages();
    }
  }
  return "nowhere";
}
