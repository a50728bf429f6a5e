// The snapshot's pages on this device: in the origin's private file system, else in Cache Storage, else not at all.
// A store that is refused, full or damaged costs the download, never the page.

const CHUNK_BYTES = 2 ** 22;

/**
 * @typedef {object} Pages
 * @property {number} size Bytes.
 * @property {"network" | "files" | "cache"} origin Where they come from.
 * @property {(target: Uint8Array, at: number) => void} copy Copies the bytes from a position on.
 * @property {() => Uint8Array | null} bytes All of them, where they are in memory and not stored yet.
 */

/** Names of what this site stores begin so: other sites of the same origin are left alone. */
function prefix() {
  const folder = new URL(".", self.location.href).pathname.replace(/assets\/[^/]*\/$/, "");
  return `roofline${folder.replace(/[^A-Za-z0-9]+/g, "-")}`; // a private file's name takes few signs
}

const fileName = (name) => prefix() + name.split("/").at(-1);
const key = (name) => `./${name.split("/").at(-1)}`;

function inMemory(origin, bytes) {
  return {
    size: bytes.byteLength,
    origin,
    copy: (target, at) => target.set(bytes.subarray(at, at + target.length)),
    bytes: () => (origin === "network" ? bytes : null),
  };
}

async function fromFiles(name, size) {
  const folder = await navigator.storage.getDirectory();
  const entry = await folder.getFileHandle(fileName(name));
  try {
    const access = await entry.createSyncAccessHandle({ mode: "read-only" });
    if (access.getSize() !== size) {
      access.close();
      return null;
    }
    return { size, origin: "files", copy: (target, at) => access.read(target, { at }), bytes: () => null, close: () => access.close() };
  } catch {
    // An engine without shared handles, or a second tab: read the whole.
    const file = await entry.getFile();
    return file.size === size ? inMemory("files", new Uint8Array(await file.arrayBuffer())) : null;
  }
}

async function fromCache(name, size) {
  const cache = await caches.open(prefix());
  const answer = await cache.match(key(name));
  const bytes = answer && new Uint8Array(await answer.arrayBuffer());
  return bytes?.byteLength === size ? inMemory("cache", bytes) : null;
}

const attempt = async (step) => {
  try {
    return await step();
  } catch {
    return null;
  }
};

/**
 * Returns the pages of a build: stored ones, else downloaded.
 * @param {string} name Name that changes with the content.
 * @param {number} size Bytes of the pages.
 * @param {() => Promise<Uint8Array>} download Fetches and unpacks them.
 * @returns {Promise<Pages>}
 */
export async function openPages(name, size, download) {
  const stored = (await attempt(() => fromFiles(name, size))) ?? (await attempt(() => fromCache(name, size)));
  return stored ?? inMemory("network", await download());
}

async function toFiles(name, bytes, pause) {
  const folder = await navigator.storage.getDirectory();
  const entry = await folder.getFileHandle(fileName(name), { create: true });
  const access = await entry.createSyncAccessHandle();
  try {
    access.truncate(0);
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
      const chunk = bytes.subarray(at, at + CHUNK_BYTES);
      if (access.write(chunk, { at }) !== chunk.length) throw new Error("the storage is full");
      await pause();
    }
    access.flush();
  } finally {
    access.close();
  }
}

async function toCache(name, bytes) {
  const cache = await caches.open(prefix());
  await cache.put(key(name), new Response(bytes, { headers: { "Content-Type": "application/octet-stream" } }));
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
 * @param {Uint8Array} bytes The pages.
 * @param {() => Promise<void>} pause Waits until the reader is not waiting.
 * @returns {Promise<string>} Where they are now: files, cache, or nowhere.
 */
export async function keepPages(name, bytes, pause) {
  await forgetPages(name);
  for (const [place, store] of [["files", toFiles], ["cache", toCache]]) {
    try {
      await store(name, bytes, pause);
      return place;
    } catch {
      await forgetPages();
    }
  }
  return "nowhere";
}
