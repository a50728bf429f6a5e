import assert from "node:assert/strict";
import { test } from "node:test";
import { Outbox } from "../../static/outbox.js";

/** An outbox, and what it has posted. */
function opened() {
  /** @type {{patch: any[], events: any[]}[]} */
  const posted = [];
  const outbox = new Outbox(({ patch, events }) => {
    posted.push({ patch: patch ? JSON.parse(patch) : [], events: JSON.parse(events) });
  });
  outbox.drawn = { create_json_patch: (events) => events };
  outbox.open = true;
  return { outbox, posted };
}

/**
 * @param {string} id
 * @param {unknown} value
 * @param {string} [type]
 */
const changed = (id, value, type = "Slider") => ({ kind: "ModelChanged", model: { type, id }, attr: "value", value });

test("one message is in flight; what comes meanwhile goes in one message after the answer", () => {
  const { outbox, posted } = opened();
  outbox.event("preset", "a");
  outbox.event("preset", "b");
  outbox.change(changed("1", 7));
  assert.equal(posted.length, 1);
  outbox.answered();
  assert.deepEqual(posted[1].events, [{ name: "preset", value: "b" }]);
  assert.equal(posted[1].patch.length, 1);
});

test("of a dragged slider only the last value is sent, behind what was changed before", () => {
  const { outbox, posted } = opened();
  outbox.event("theme", "dark");
  for (const value of [1, 2, 3]) outbox.change(changed("slider", value));
  outbox.change(changed("other", 1));
  outbox.change(changed("slider", 4));
  outbox.answered();
  assert.deepEqual(
    posted[1].patch.map(({ model, value }) => [model.id, value]),
    [
      ["other", 1],
      ["slider", 4],
    ],
  );
});

test("events keep their order and are never merged", () => {
  const { outbox, posted } = opened();
  outbox.open = false;
  for (const value of [0, 1, 0]) outbox.event("hide", value);
  outbox.open = true;
  outbox.flush();
  assert.deepEqual(
    posted[0].events.map(({ value }) => value),
    [0, 1, 0],
  );
});

test("nothing is sent before there is a document and a Python, and nothing is lost", () => {
  const { outbox, posted } = opened();
  outbox.open = false;
  outbox.change(changed("1", 1));
  assert.equal(posted.length, 0);
  assert.equal(outbox.isIdle, true); // no event waits
  outbox.open = true;
  outbox.flush();
  assert.equal(posted.length, 1);
  assert.equal(outbox.isIdle, false);
});

test("zooming and hovering stay in the browser", () => {
  const { outbox, posted } = opened();
  for (const type of ["Range1d", "Legend", "HoverTool", "bokeh.models.LinearAxis"])
    outbox.change(changed("1", 1, type));
  assert.equal(posted.length, 0);
});

test("changes of a document that another replaces are forgotten, events are not", () => {
  const { outbox, posted } = opened();
  outbox.open = false;
  outbox.change(changed("1", 1));
  outbox.event("query", "x");
  outbox.forgetChanges();
  outbox.open = true;
  outbox.flush();
  assert.deepEqual(posted, [{ patch: [], events: [{ name: "query", value: "x" }] }]);
});
