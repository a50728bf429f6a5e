import assert from "node:assert/strict";
import { test } from "node:test";
import { WIDTHS, fittingHeight, lineOver } from "../../static/fitting-height.js";

test("a line over heights cuts none of them", () => {
  const points = [300, 500, 450, 390, 320].map((height, index) => ({ width: 300 + 40 * index, height }));
  const { start, slope } = lineOver(points);
  for (const { width, height } of points) assert.ok(start - slope * width >= height - 0.01 * width);
});

test("over heights on a falling line, the line is that one", () => {
  const points = [300, 350, 400].map((width) => ({ width, height: 1000 - 2 * width }));
  const { start, slope } = lineOver(points);
  assert.equal(slope, 2);
  assert.ok(1000 <= start && start <= 1001); // whole pixels, never too few
});

test("over heights that grow with the width, the line is level", () => {
  const points = [300, 400].map((width) => ({ width, height: width }));
  assert.deepEqual(lineOver(points), { start: 400, slope: 0 });
});

test("a frame is never lower than the lowest figure, whatever its width", () => {
  const heights = WIDTHS.map((width) => Math.round(200_000 / width));
  assert.ok(fittingHeight(heights).startsWith(`max(${Math.min(...heights)}px, `));
  assert.equal(fittingHeight(heights).match(/cqw/g)?.length, 3);
});
