// Images of compiled files, as the build writes them: length of the index, index, contents.

/** @import { FileNode, FileSystem } from "./types/pyodide" */

/**
 * Returns the bytes of an answer, unpacked; a host may have undone the compression already, so that the first bytes decide.
 * @param {Response} answer
 */
export async function unzipped(answer) {
  const bytes = new Uint8Array(await answer.arrayBuffer());
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * Makes the files of an image appear in the file system; their contents stay where they are.
 * @param {FileSystem} FS
 * @param {string} sitePackages
 * @param {Uint8Array} bytes
 */
export function mount(FS, sitePackages, bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  /** @type {[string, number][]} */
  const index = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  /** @type {Map<string, FileNode>} */
  const folders = new Map();
  const folder = (/** @type {string} */ path) => {
    const known = folders.get(path);
    if (known) return known;
    FS.mkdirTree(path);
    const { node } = FS.lookupPath(path);
    folders.set(path, node);
    return node;
  };
  let offset = 4 + length;
  for (const [name, size] of index) {
    const path = `${sitePackages}/${name}`;
    const cut = path.lastIndexOf("/");
    const parent = folder(path.slice(0, cut));
    const node = parent.node_ops.mknod(parent, path.slice(cut + 1), 0o100644, 0);
    node.contents = bytes.subarray(offset, offset + size);
    node.usedBytes = size;
    offset += size;
  }
}
