// Frames that share one Python, without a browser: channels and locks as the standard describes them.

import assert from "node:assert/strict";
import { test } from "node:test";

/** @type {Map<string, Set<Channel>>} */
const channels = new Map();

class Channel {
  /** @type {((event: {data: any}) => void) | null} */
  onmessage = null;

  /** @param {string} name */
  constructor(name) {
    this.name = name;
    channels.set(name, (channels.get(name) ?? new Set()).add(this));
  }

  /** @param {unknown} data */
  postMessage(data) {
    for (const other of channels.get(this.name) ?? [])
      if (other !== this) other.onmessage?.({ data: structuredClone(data) });
  }
}

/** @type {Map<string, (() => void)[]>} */
const queues = new Map();
const locks = {
  /**
   * @param {string} name
   * @param {() => unknown} lead
   */
  async request(name, lead) {
    const queue = queues.get(name) ?? [];
    queues.set(name, queue);
    queue.push(lead);
    if (queue.length === 1) lead();
  },
};

/** The leader of a name goes away: the next in the queue leads. @param {string} name */
function endLeader(name) {
  const queue = queues.get(name) ?? [];
  queue.shift();
  queue[0]?.();
}

Object.defineProperty(globalThis, "navigator", { value: { locks }, configurable: true });
/** @type {(() => void)[]} */
const leavings = [];
Object.assign(globalThis, {
  BroadcastChannel: Channel,
  addEventListener: (/** @type {string} */ name, /** @type {() => void} */ leave) => {
    if (name === "pagehide") leavings.push(leave);
  },
});
const { Seat } = await import("../../static/shared-python.js");

/** A worker that notes what it is told. */
class FakeWorker {
  /** @type {any[]} */
  told = [];
  /** @type {((event: any) => void) | null} */
  onmessage = null;
  onerror = null;
  /** @type {(() => void) | null} */
  onend = null;
  isEnded = false;

  /** @param {any} message */
  postMessage(message) {
    this.told.push(message);
  }

  terminate() {
    this.isEnded = true;
  }

  /** @param {any} data */
  say(data) {
    this.onmessage?.({ data });
  }

  /** @param {string} type */
  count(type) {
    return this.told.filter((message) => message.type === type).length;
  }
}

/** @type {{worker: FakeWorker, plain: boolean}[]} */
const started = [];
const start = (/** @type {boolean} */ plain) => {
  const worker = new FakeWorker();
  started.push({ worker, plain });
  return worker;
};

/** Takes a seat and opens a page. @param {string} name @param {string} query */
function seat(name, query) {
  const made = new Seat(start, name);
  /** @type {any[]} */
  const heard = [];
  made.onmessage = ({ data }) => heard.push(data);
  made.postMessage({ type: "open", query, theme: "light", language: "en" });
  return { seat: made, heard };
}

test("three frames start one worker, which opens a page for each, once", () => {
  started.length = 0;
  for (const query of ["a", "b", "c"]) seat("three", query);
  assert.equal(started.length, 1);
  const sessions = started[0].worker.told.map(({ session }) => session);
  assert.equal(new Set(sessions).size, 3);
  assert.equal(started[0].worker.count("open"), 3);
});

test("what concerns one frame reaches that frame alone; what concerns all reaches all", () => {
  started.length = 0;
  const [one, two] = ["a", "b"].map((query) => seat("reach", query));
  const { worker } = started[0];
  const { session } = worker.told.find(({ query }) => query === "b");
  one.heard.length = two.heard.length = 0;
  worker.say({ type: "ready", session, route: "shared" });
  assert.deepEqual(one.heard, []);
  assert.equal(two.heard.length, 1);
  worker.say({ type: "progress", stage: "page", done: 0, total: 1 });
  assert.deepEqual([one.heard.length, two.heard.length], [1, 2]);
});

test("where the leader goes away, another starts Python, and every page opens again as it was last", () => {
  started.length = 0;
  seat("heirs", "first");
  const left = seat("heirs", "a");
  const { worker } = started[0];
  const { session } = worker.told.find(({ query }) => query === "a");
  worker.say({ type: "ready", session, route: "shared" });
  const change = { text: "", table: "", bytes: new Uint8Array(0), state: JSON.stringify({ query: "a, moved" }) };
  worker.say({ type: "turn", session, messages: [change] });
  left.seat.postMessage({ type: "turn", patch: "", events: "[]" });
  left.heard.length = 0;
  endLeader("heirs");
  assert.equal(started.length, 2);
  const [opened] = started[1].worker.told.filter((message) => message.session === session);
  assert.deepEqual([opened.type, opened.query, opened.again], ["open", "a, moved", true]);
  assert.deepEqual(left.heard, [{ type: "lost", session }]); // the turn that nobody will answer is over
  left.seat.postMessage({ type: "turn", patch: "", events: "[]" });
  assert.equal(started[1].worker.count("turn"), 0); // it was meant for the Python before
});

test("where the leader's worker ends, another takes its place, and every page opens again", () => {
  started.length = 0;
  const [one, two] = ["a", "b"].map((query) => seat("ended", query));
  for (const { session } of [...started[0].worker.told])
    started[0].worker.say({ type: "ready", session, route: "files" });
  one.heard.length = two.heard.length = 0;
  started[0].worker.onend?.();
  assert.equal(started.length, 2);
  assert.equal(started[1].worker.count("open"), 2);
  assert.deepEqual([one.heard[0].type, two.heard[0].type], ["lost", "lost"]);
});

test("a worker that ends again and again is not started for ever, and every frame is told", () => {
  started.length = 0;
  const [one, two] = ["a", "b"].map((query) => seat("again", query));
  for (let index = 0; index < 9; index += 1) started.at(-1)?.worker.onend?.();
  assert.equal(started.length, 4);
  for (const { heard } of [one, two]) assert.equal(heard.at(-1).cause, "ended");
});

test("what other scripts of the origin say on the channel is no note", () => {
  started.length = 0;
  const { heard } = seat("forged", "a");
  heard.length = 0;
  const stranger = new Channel("forged");
  const notes = [null, 7, "x", {}, { to: "all" }, { to: "all", said: null }, { to: "all", said: { type: "turn" } }];
  for (const note of [
    ...notes,
    { to: "leader", message: { type: "start" } },
    { to: "all", said: { type: "toString" } },
  ])
    stranger.postMessage(note);
  assert.deepEqual(heard, []);
  assert.equal(started[0].worker.told.length, 1);
});

test("where the snapshot does not fit, the leader starts Python plainly, once for all", () => {
  started.length = 0;
  for (const query of ["a", "b"]) seat("refused", query);
  started[0].worker.say({ type: "refused", text: "tables" });
  assert.equal(started[0].worker.isEnded, true);
  assert.deepEqual(
    started.map(({ plain }) => plain),
    [false, true],
  );
  assert.equal(started[1].worker.count("open"), 2);
});

test("a frame that is closed leaves its page", () => {
  started.length = 0;
  seat("leaving", "first");
  seat("leaving", "second");
  leavings.at(-1)?.();
  assert.equal(started[0].worker.count("leave"), 1);
});
