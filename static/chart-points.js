// What a chart says at its places: the points of its lines, in words, and where keys lead among them.

/** @typedef {{words: string, column: string, digits: number, suffix: string}} Row */
/**
 * @typedef {object} Readout
 * @property {string[]} sources Names of the sources, one per line.
 * @property {string} x Column along the axis below.
 * @property {string} y Column along the axis at the left; empty for that of the line's dots.
 * @property {string} key Column that is the same for all lines at one place.
 * @property {string} words What the key is.
 * @property {string} said Column of words for the key, or empty.
 * @property {Row[]} rows What is said of each line.
 * @property {boolean} plane Whether a place is near in both directions, and arrows move in both.
 * @property {string} chooses "drag" where the mark of this setting can be dragged, "key" where only a key chooses, or empty.
 */
/** @typedef {{name: string, colour: string, x: number, y: number, key: number, said: string, values: string}} Point */

/** @param {any} spec A property of a glyph. */
const constant = (spec) => (typeof spec === "string" ? spec : (spec?.value ?? "currentColor"));

/**
 * @param {unknown} value
 * @param {Row} row
 */
function worded(value, { words, digits, suffix }) {
  if (typeof value === "number" && !Number.isFinite(value)) return "";
  const text = typeof value === "number" ? value.toFixed(digits) : String(value);
  return text && `${words ? `${words} ` : ""}${text}${suffix}`;
}

/**
 * All points that can be read.
 * @param {any} view
 * @param {Readout} readout
 * @returns {Point[]}
 */
export function pointsOf(view, readout) {
  return readout.sources.flatMap((name) => {
    const drawn = view.model.renderers.filter((/** @type {any} */ one) => one.data_source?.name === name);
    const last = drawn.at(-1);
    if (!last?.visible) return [];
    const columns = last.data_source.data;
    const y = readout.y || last.glyph.y.field;
    const colour = constant(last.glyph.line_color);
    return [...(columns[readout.x] ?? [])].flatMap((x, index) => {
      const at = (/** @type {string} */ column) => columns[column]?.[index];
      if (!Number.isFinite(at(y))) return [];
      const values = readout.rows.map((row) => worded(at(row.column), row)).filter(Boolean);
      const key = at(readout.key);
      const words = readout.said ? at(readout.said) : String(key);
      return [{ name: at("name"), colour, x, y: at(y), key, said: words, values: values.join(", ") }];
    });
  });
}

/** @type {Record<string, number>} */
export const STEPS = { ArrowRight: 1, ArrowLeft: -1, ArrowUp: 1, ArrowDown: -1, Home: -Infinity, End: Infinity };
export const UPRIGHT = ["ArrowUp", "ArrowDown"];

/** Whether a chart is of cells. @param {Readout} readout */
export const isGrid = ({ plane, key, x }) => Boolean(plane) && key === x;

/**
 * What keys go along: the places of a chart, or the points of one whose places are no row.
 * @param {Readout} readout
 * @param {boolean} isUpright
 * @returns {"x" | "y" | "key"}
 */
export function axisOf(readout, isUpright) {
  if (readout.plane && !isGrid(readout)) return "key";
  return isUpright && readout.plane ? "y" : "x";
}

/**
 * The place so many steps on, of those that there are; the first or the last where none is shown.
 * @param {number[]} places
 * @param {number | undefined} now
 * @param {number} step
 */
export function stepped(places, now, step) {
  const rising = [...new Set(places)].sort((a, b) => a - b);
  const before = step > 0 ? -1 : rising.length;
  const at = now === undefined ? before : rising.indexOf(now);
  return rising[Math.min(Math.max(at + step, 0), rising.length - 1)];
}
