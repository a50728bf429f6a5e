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
  outbox.drawn = { create_json_patch: (events) => events, get_model_by_name: () => null };
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

test("what was changed in a document that another replaces is changed in that one, by names", () => {
  const { outbox, posted } = opened();
  outbox.open = false;
  outbox.change({ ...changed("1", 7), model: { type: "Slider", id: "1", name: "batch" } });
  outbox.change(changed("2", 1)); // without a name, it cannot be found again
  outbox.event("query", "x");
  outbox.keepChanges();
  const batch = { value: 1 };
  outbox.drawn = {
    create_json_patch: (events) => events,
    get_model_by_name: (name) => (name === "batch" ? batch : null),
  };
  outbox.open = true;
  outbox.flush();
  outbox.makeChanges();
  assert.deepEqual(posted, [{ patch: [], events: [{ name: "query", value: "x" }] }]);
  assert.equal(batch.value, 7);
});

test("what a Python that has ended did not answer is said again to the next one, behind what it has to know", () => {
  const { outbox, posted } = opened();
  outbox.event("preset", "a");
  outbox.event("preset", "b");
  const sent = outbox.lost();
  outbox.again(sent, [{ name: "theme", value: "dark" }]);
  outbox.flush();
  assert.equal(posted.length, 1); // the next one is not there yet
  outbox.open = true;
  outbox.flush();
  assert.deepEqual(
    posted[1].events.map(({ value }) => value),
    ["dark", "a", "b"],
  );
});
