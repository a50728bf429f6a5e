// The snapshot's pages on this device: in the origin's private file system, else in Cache Storage, else not at all.
// A store that is refused, full or damaged costs the download, never the page.

/** Names of what this site stores begin so: other sites of the same origin are left alone. */
function prefix() {
  const folder = new URL(".", self.location.href).pathname.replace(/assets\/[^/]*\/$/, "");
  return `roofline${folder.replace(/[^A-Za-z0-9]+/g, "-")}`; // a private file's name takes few signs
}

const fileName = (name) => prefix() + name.split("/").at(-1);
const key = (name) => `./${name.split("/").at(-1)}`;

async function fromFiles(name) {
  const folder = await navigator.storage.getDirectory();
  const entry = await folder.getFileHandle(fileName(name));
  try {
    const access = await entry.createSyncAccessHandle({ mode: "read-only" });
    const part = new Uint8Array(access.getSize());
    access.read(part, { at: 0 });
    access.close();
    return part;
  } catch {
    // An engine without shared handles, or a second tab.
    return new Uint8Array(await (await entry.getFile()).arrayBuffer());
  }
}

async function fromCache(name) {
  const cache = await caches.open(prefix());
  const answer = await cache.match(key(name));
  return answer && new Uint8Array(await answer.arrayBuffer());
}

const attempt = async (step) => {
  try {
    return await step();
  } catch {
    return null;
  }
};

/**
 * Returns the stored pages of a build.
 * @param {string} name Name that changes with the content.
 * @param {number} size Bytes of the pages; what is of another size is not they.
 * @returns {Promise<?{origin: "files" | "cache", part: Uint8Array}>} Null where they are not stored.
 */
export async function storedPages(name, size) {
  for (const [origin, read] of [["files", fromFiles], ["cache", fromCache]]) {
    const part = await attempt(() => read(name));
    if (part?.length === size) return { origin, part };
  }
  return null;
}

async function toFiles(name, parts, pause) {
  const folder = await navigator.storage.getDirectory();
  const entry = await folder.getFileHandle(fileName(name), { create: true });
  const access = await entry.createSyncAccessHandle();
  try {
    access.truncate(0);
    let at = 0;
    for (const part of parts) {
      if (access.write(part, { at }) !== part.length) throw new Error("the storage is full");
      at += part.length;
      await pause();
    }
    access.flush();
  } finally {
    access.close();
  }
}

async function toCache(name, parts) {
  const cache = await caches.open(prefix());
  await cache.put(key(name), new Response(new Blob(parts), { headers: { "Content-Type": "application/octet-stream" } }));
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
 * @param {Uint8Array[]} parts The pages.
 * @param {() => Promise<void>} pause Waits until the reader is not waiting.
 * @returns {Promise<string>} Where they are now: files, cache, or nowhere.
 */
export async function keepPages(name, parts, pause) {
  await forgetPages(name);
  for (const [place, store] of [["files", toFiles], ["cache", toCache]]) {
    try {
      await store(name, parts, pause);
      return place;
    } catch {
      await forgetPages();
    }
  }
  return "nowhere";
}
