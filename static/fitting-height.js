// The height of a frame of a fixed size as a style sheet can say it, for pages that take an iframe without a script.

/** Widths at which heights are measured, in pixels. */
export const WIDTHS = [300, 320, 340, 360, 390, 420, 460, 500, 550, 600, 660, 719, 721, 780, 850, 920, 1000, 1100];

const RANGES = [
  [0, 350],
  [350, 720],
  [720, Infinity],
]; // of width; a line of heights for each
const STEEPEST = 4; // pixels of height that a pixel of width saves

/** @typedef {{width: number, height: number}} Size */

/**
 * Returns the falling line over heights that leaves least empty: its height at no width, and its slope downwards.
 * @param {Size[]} points At least one.
 */
export function lineOver(points) {
  let best = { excess: Infinity, slope: 0, start: 0 };
  for (let slope = 0; slope <= STEEPEST; slope += 0.05) {
    const start = Math.max(...points.map(({ width, height }) => height + slope * width));
    const excess = points.reduce((sum, { width, height }) => sum + start - slope * width - height, 0);
    if (excess < best.excess) best = { excess, slope, start };
  }
  return { start: Math.ceil(best.start), slope: Number(best.slope.toFixed(2)) };
}

/**
 * Returns a length in CSS that fits every width: nothing is cut, and little is left empty.
 * @param {number[]} heights At `WIDTHS`.
 */
export function fittingHeight(heights) {
  const points = heights.map((height, index) => ({ width: WIDTHS[index], height }));
  const lines = RANGES.map(([from, to]) => lineOver(points.filter(({ width }) => from <= width && width < to)));
  const words = lines.map(({ start, slope }) => `${start}px - ${Math.round(slope * 100)}cqw`);
  return `max(${Math.min(...heights)}px, ${words.join(", ")})`;
}
