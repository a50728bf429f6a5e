// What charts say where they are touched: the values of all lines at one place, by pointer, tap and arrow keys. Python says in a
// plot's tags which sources can be read, and how; nothing is asked of it while the reader looks around.

/** @import { Send } from "./types/messages" */
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

import { $, $$, element } from "./dom.js";
import { said } from "./render.js";

const GRIP = 9; // pixels beside a mark in which it can be taken
const GAP = 12;
const WIDE_GAP = 4;

/** @param {string} figure */
const viewOf = (figure) =>
  [...(globalThis.Bokeh?.index.roots ?? [])].find(({ model }) => model.name === `figure-${figure}`);

/**
 * @param {any} view
 * @returns {Readout | undefined}
 */
const readoutOf = (view) => view?.model.tags[0]?.readout;

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
function pointsOf(view, readout) {
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

class Crosshair {
  /** @type {Point[]} */
  #shown = [];
  #line = element("i", "", { className: "cross-line", hidden: true });
  #box = element("div", "", { className: "cross-box", hidden: true });
  #spoken = element("p", "", { className: "spoken" });
  #drags = false;

  /**
   * @param {HTMLElement} plot
   * @param {string} figure
   * @param {Send} send
   */
  constructor(plot, figure, send) {
    this.plot = plot;
    this.figure = figure;
    this.send = send;
    this.#spoken.setAttribute("aria-live", "polite");
    this.#line.setAttribute("aria-hidden", "true");
    this.#box.setAttribute("aria-hidden", "true");
    plot.after(this.#spoken);
    plot.addEventListener("pointermove", (event) => this.#pointed(event));
    plot.addEventListener("pointerdown", (event) => this.#pressed(event));
    plot.addEventListener("pointerup", () => (this.#drags = false));
    plot.addEventListener(
      "pointerleave",
      ({ pointerType }) => pointerType === "mouse" && this.#drags === false && this.hide(),
    );
    plot.addEventListener("keydown", (event) => this.#typed(event));
    plot.addEventListener("blur", () => this.hide());
  }

  /** Names the chart, and says how it is read; a chart without values to read is a picture. */
  name() {
    const view = viewOf(this.figure);
    const readout = readoutOf(view);
    const { plot, figure } = this;
    for (const inner of $$("[tabindex]", view?.el.shadowRoot ?? plot)) inner.tabIndex = -1;
    plot.setAttribute("role", readout ? "application" : "img");
    plot.setAttribute("aria-labelledby", `title-${figure}`);
    if ($(`#axes-${figure}`)) plot.setAttribute("aria-describedby", `axes-${figure}`);
    if (!readout) return;
    plot.tabIndex = 0;
    plot.setAttribute("aria-roledescription", said(readout.chooses ? "chart_chooses" : "chart_reads") ?? "");
    plot.append(this.#line, this.#box);
  }

  hide() {
    this.#shown = [];
    this.#line.hidden = this.#box.hidden = true;
  }

  /**
   * Pixels of a place, from the upper left of the plot.
   * @param {any} view
   * @param {Point} point
   */
  #pixels({ frame }, { x, y }) {
    return [frame.x_scale.compute(x), frame.y_scale.compute(y)];
  }

  /**
   * The point nearest to some pixels.
   * @param {any} view
   * @param {Readout} readout
   * @param {number} left
   * @param {number} top
   */
  #nearest(view, readout, left, top) {
    const far = (/** @type {Point} */ point) => {
      const [x, y] = this.#pixels(view, point);
      return Math.hypot(x - left, readout.plane ? y - top : 0);
    };
    const all = pointsOf(view, readout);
    return all.length ? all.reduce((near, one) => (far(one) < far(near) ? one : near)) : null;
  }

  /** @param {PointerEvent} event */
  #pointed({ clientX, clientY }) {
    const view = viewOf(this.figure);
    const readout = readoutOf(view);
    if (!view || !readout) return;
    const { left, top } = this.plot.getBoundingClientRect();
    const [x, y] = [clientX - left, clientY - top];
    const { bbox } = view.frame;
    const isInside = x >= bbox.left - GAP && x <= bbox.right + GAP && y >= bbox.top && y <= bbox.bottom;
    const near = isInside ? this.#nearest(view, readout, x, y) : null;
    if (!near) this.hide();
    else {
      this.#show(view, readout, near);
      if (this.#drags) this.#choose(near);
    }
    const canDrag = readout.chooses === "drag" && isInside && this.#isAtMark(view, x);
    this.plot.style.cursor = canDrag || this.#drags ? "ew-resize" : "";
  }

  /** @param {PointerEvent} event */
  #pressed(event) {
    const view = viewOf(this.figure);
    const { left } = this.plot.getBoundingClientRect();
    this.#drags = readoutOf(view)?.chooses === "drag" && this.#isAtMark(view, event.clientX - left);
    if (this.#drags) {
      this.plot.setPointerCapture(event.pointerId);
      event.preventDefault();
    }
    this.#pointed(event);
  }

  /**
   * Whether pixels lie at the line of this setting.
   * @param {any} view
   * @param {number} left
   */
  #isAtMark(view, left) {
    const mark = view.model.center.find((/** @type {any} */ one) => one.type === "Span" && one.dimension === "height");
    return Boolean(mark) && Math.abs(view.frame.x_scale.compute(mark.location) - left) <= GRIP;
  }

  #chosen = Number.NaN;

  /** @param {Point} point */
  #choose({ x, y }) {
    if (this.#drags && x === this.#chosen) return;
    this.#chosen = x;
    this.send("choose", { figure: this.figure, x, y });
  }

  /** @param {KeyboardEvent} event */
  #typed(event) {
    const view = viewOf(this.figure);
    const readout = readoutOf(view);
    if (!view || !readout || event.ctrlKey || event.metaKey || event.altKey) return;
    const [now] = this.#shown;
    if (event.key === "Escape") this.hide();
    else if ((event.key === "Enter" || event.key === " ") && readout.chooses && now) this.#choose(now);
    else {
      const next = this.#next(view, readout, event.key);
      if (!next) return;
      this.#show(view, readout, next);
      this.#spoken.textContent = this.#words(readout);
    }
    event.preventDefault();
  }

  /**
   * The point that a key leads to.
   * @param {any} view
   * @param {Readout} readout
   * @param {string} key
   */
  #next(view, readout, key) {
    const all = pointsOf(view, readout);
    const isUpright = readout.plane && /^Arrow(Up|Down)$/.test(key);
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowUp: 1, ArrowDown: -1, Home: -Infinity, End: Infinity }[key];
    if (step === undefined || !all.length || (!readout.plane && /Up|Down/.test(key))) return null;
    const isGrid = readout.key === readout.x && readout.plane;
    const [now] = this.#shown;
    const axis = isUpright && isGrid ? "y" : readout.plane && !isGrid ? "key" : "x";
    const other = axis === "x" ? "y" : "x";
    const line = isGrid && now ? all.filter((one) => one[other] === now[other]) : all;
    const places = [...new Set(line.map((one) => one[axis]))].sort((a, b) => a - b);
    const at = now ? places.indexOf(now[axis]) : step > 0 ? -1 : places.length;
    const wanted = places[Math.min(Math.max(at + step, 0), places.length - 1)];
    return line.find((one) => one[axis] === wanted) ?? null;
  }

  /** @param {Readout} readout */
  #words({ words }) {
    const [first] = this.#shown;
    return [`${words} ${first.said}`, ...this.#shown.map(({ name, values }) => `${name}: ${values}`)].join("; ");
  }

  /**
   * @param {any} view
   * @param {Readout} readout
   * @param {Point} point
   */
  #show(view, readout, point) {
    const isCell = readout.plane && readout.key === readout.x;
    const same = pointsOf(view, readout).filter((one) => one.key === point.key);
    this.#shown = isCell ? [point] : [point, ...same.filter((one) => one.name !== point.name)];
    const listed = isCell ? this.#shown : same;
    const { bbox } = view.frame;
    const [x, y] = this.#pixels(view, point);
    Object.assign(this.#line.style, { left: `${x}px`, top: `${bbox.top}px`, height: `${bbox.bottom - bbox.top}px` });
    this.#line.hidden = readout.plane;
    const title = element("b", isCell ? point.said : `${readout.words} ${point.said}`);
    const lines = listed.map(({ name, colour, values }) => {
      const line = element("p");
      const swatch = element("i");
      swatch.style.background = colour;
      line.append(swatch, element("b", name), ` ${values}`);
      return line;
    });
    this.#box.replaceChildren(title, ...lines);
    this.#box.hidden = false;
    const { offsetWidth, offsetHeight } = this.#box;
    const room = this.plot.clientWidth - offsetWidth - WIDE_GAP;
    const left = x + GAP + offsetWidth > this.plot.clientWidth ? x - GAP - offsetWidth : x + GAP;
    const top = readout.plane ? y + GAP : bbox.top;
    Object.assign(this.#box.style, {
      left: `${Math.min(Math.max(left, 0), Math.max(room, 0))}px`,
      top: `${Math.max(Math.min(top, this.plot.clientHeight - offsetHeight), 0)}px`,
    });
  }
}

/** @type {Map<string, Crosshair>} */
const made = new Map();

/**
 * Lets a chart be read once it is drawn.
 * @param {string} root Name of its root.
 * @param {Element} place
 * @param {Send} send
 */
export function useCrosshair(root, place, send) {
  const figure = root.replace(/^figure-/, "");
  if (figure === root || !(place instanceof HTMLElement)) return;
  if (!made.has(figure)) made.set(figure, new Crosshair(place, figure, send));
  made.get(figure)?.name();
}
