// Pointers in the snapshot's pages, kept as distances from where they stand: those repeat, addresses do not, so that the
// pages pack smaller. Nothing is lost: the build writes them, every start reads them back.

const NEAR_WORDS = 256; // what a pointer may be away to count as near
const MARK = 0x7f000000; // above all addresses: a word from here on, of twice NEAR_WORDS values, is a distance
const MARK_BITS = ~(2 * NEAR_WORDS - 1);
const WORD_BYTES = 4;
const FLAGS = 3; // beside the address of the previous link

/**
 * Calls for each piece of a part of the pages that lies in one piece in memory.
 * @param {number[]} runs First page and number of pages of each run, one after the other.
 * @param {number} pageBytes
 * @param {{start: number, end: number}} part Bytes of the pages, from and to.
 * @param {(from: number, to: number, address: number) => void} call Bytes of the pages, and where the first belongs.
 */
export function eachRun(runs, pageBytes, { start, end }, call) {
  let at = 0;
  for (let index = 0; index < runs.length; index += 2) {
    const length = runs[index + 1] * pageBytes;
    const [from, to] = [Math.max(at, start), Math.min(at + length, end)];
    if (from < to) call(from, to, runs[index] * pageBytes + from - at);
    at += length;
  }
}

/**
 * Turns near pointers into distances.
 * @param {Int32Array} words
 * @param {number} address Of the first word.
 * @returns {number[]} Where words are that only look like distances.
 */
export function nearToDistances(words, address) {
  const alike = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    const distance = word - (address + index * WORD_BYTES);
    const steps = distance / WORD_BYTES + NEAR_WORDS;
    if (distance % WORD_BYTES === 0 && steps >= 0 && steps < 2 * NEAR_WORDS) words[index] = MARK + steps;
    else if ((word & MARK_BITS) === MARK) alike.push(index);
  }
  return alike;
}

/**
 * Turns distances into pointers again.
 * @param {Int32Array} words
 * @param {number} address Of the first word.
 * @param {Set<number>} alike Where words are that only look like distances, counted from `first`.
 * @param {number} first
 */
export function distancesToNear(words, address, alike, first) {
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if ((word & MARK_BITS) !== MARK || alike.has(first + index)) continue;
    words[index] = address + (index + word - MARK - NEAR_WORDS) * WORD_BYTES;
  }
}

/**
 * Brings a ring of two-way links into the order of its addresses and leaves distances to the next one.
 * @param {Int32Array} memory From address 0 on.
 * @param {number} node Address of one of its links: next, then previous.
 * @returns {number} Address of the first link; the last one's distance is 0.
 */
export function unlink(memory, node) {
  const nodes = [node];
  for (let at = node; memory[at >> 2] !== node;) {
    const next = memory[at >> 2];
    if ((memory[(next >> 2) + 1] & ~FLAGS) !== at) throw new Error(`no ring of links at ${at}`);
    nodes.push(next);
    at = next;
  }
  nodes.sort((one, other) => one - other);
  nodes.forEach((at, index) => {
    memory[at >> 2] = index + 1 < nodes.length ? nodes[index + 1] - at : 0;
    memory[(at >> 2) + 1] &= FLAGS;
  });
  return nodes[0];
}

/**
 * Links a ring again.
 * @param {Int32Array} memory From address 0 on.
 * @param {number} first Address of the first link.
 */
export function link(memory, first) {
  let at = first;
  for (let distance = memory[at >> 2]; distance; distance = memory[at >> 2]) {
    memory[at >> 2] = at + distance;
    memory[((at + distance) >> 2) + 1] |= at;
    at += distance;
  }
  memory[at >> 2] = first;
  memory[(first >> 2) + 1] |= at;
}
