// Pointers of the snapshot's pages: what the build writes comes back to the bit.

import assert from "node:assert/strict";
import { test } from "node:test";
import { distancesToNear, eachRun, link, nearToDistances, unlink } from "../../static/worker/pointers.js";

const MARKED = 0x7f000000;

/** @param {number} seed */
function random(seed) {
  let state = seed;
  return (/** @type {number} */ below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test("words come back, those too that look like distances", () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const below = random(seed);
    const address = below(2 ** 24) * 4;
    const words = Int32Array.from({ length: 4096 }, (_, index) => {
      const near = address + index * 4 + below(4096) - 2048;
      return [near, MARKED + below(1024) - 256, below(2 ** 32) | 0, 0][below(4)];
    });
    const written = words.slice();
    const alike = nearToDistances(written, address);
    assert.notDeepEqual(written, words);
    assert.ok(alike.length > 0);
    const first = below(1000);
    distancesToNear(written, address, new Set(alike.map((index) => first + index)), first);
    assert.deepEqual(written, words);
  }
});

test("near pointers of equal distance are equal words", () => {
  const words = Int32Array.from({ length: 64 }, (_, index) => 4096 + index * 4 + 24);
  assert.deepEqual(nearToDistances(words, 4096), []);
  assert.equal(new Set(words).size, 1);
});

test("a part of the pages is cut where memory is", () => {
  const runs = [10, 2, 20, 1, 30, 3];
  /** @type {number[][]} */
  const found = [];
  eachRun(runs, 100, { start: 150, end: 450 }, (...piece) => found.push(piece));
  assert.deepEqual(found, [
    [150, 200, 1150],
    [200, 300, 2000],
    [300, 450, 3000],
  ]);
});

/** A memory with a ring through nodes of an order. @param {number[]} nodes @param {number[]} flags */
function ring(nodes, flags) {
  const memory = new Int32Array(256);
  nodes.forEach((node, index) => {
    const next = nodes[(index + 1) % nodes.length];
    memory[node >> 2] = next;
    memory[(next >> 2) + 1] = node | flags[(index + 1) % nodes.length];
  });
  return memory;
}

test("a ring is linked again, by address, and keeps its flags", () => {
  const memory = ring([400, 80, 640, 16], [0, 1, 0, 2]);
  const first = unlink(memory, 80);
  assert.equal(first, 16);
  assert.ok(memory.every((word) => word < 400));
  link(memory, first);
  assert.deepEqual(memory, ring([16, 80, 400, 640], [2, 1, 0, 0]));
});

test("what is no ring is refused", () => {
  const memory = ring([400, 80, 640], [0, 0, 0]);
  memory[(640 >> 2) + 1] = 40;
  assert.throws(() => unlink(memory, 400), /no ring of links/);
});
