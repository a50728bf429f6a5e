// What charts say where they are touched: the values of all lines at one place, by pointer, tap and arrow keys. Python says in a
// plot's tags which sources can be read, and how; nothing is asked of it while the reader looks around.

/** @import { Send } from "./types/messages" */
/** @import { Point, Readout } from "./chart-points.js" */

import { axisOf, isGrid, pointsOf, stepped, STEPS, UPRIGHT } from "./chart-points.js";
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

/**
 * @param {{left: number, right: number, top: number, bottom: number}} box
 * @param {number} x
 * @param {number} y
 */
const isWithin = ({ left, right, top, bottom }, x, y) => x >= left - GAP && x <= right + GAP && y >= top && y <= bottom;

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
    const isInside = isWithin(view.frame.bbox, x, y);
    const near = isInside ? this.#nearest(view, readout, x, y) : null;
    if (near) this.#show(view, readout, near);
    else this.hide();
    if (near && this.#drags) this.#choose(near);
    this.plot.style.cursor = this.#drags || (isInside && this.#canDrag(view, readout, x)) ? "ew-resize" : "";
  }

  /** @param {PointerEvent} event */
  #pressed(event) {
    const view = viewOf(this.figure);
    const { left } = this.plot.getBoundingClientRect();
    const readout = readoutOf(view);
    this.#drags = Boolean(readout) && this.#canDrag(view, /** @type {Readout} */ (readout), event.clientX - left);
    if (this.#drags) {
      this.plot.setPointerCapture(event.pointerId);
      event.preventDefault();
    }
    this.#pointed(event);
  }

  /**
   * Whether pixels lie at the line of this setting, and it can be dragged.
   * @param {any} view
   * @param {Readout} readout
   * @param {number} left
   */
  #canDrag(view, { chooses }, left) {
    if (chooses !== "drag") return false;
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
    if (event.key === "Escape") this.hide();
    else if (!this.#taken(readout, event.key) && !this.#moved(view, readout, event.key)) return;
    event.preventDefault();
  }

  /**
   * Takes the place that is shown into the setting, where a key says so.
   * @param {Readout} readout
   * @param {string} key
   */
  #taken(readout, key) {
    const [now] = this.#shown;
    if (!["Enter", " "].includes(key) || !readout.chooses || !now) return false;
    this.#choose(now);
    return true;
  }

  /**
   * Goes to the place that a key leads to, and says it.
   * @param {any} view
   * @param {Readout} readout
   * @param {string} key
   */
  #moved(view, readout, key) {
    const next = this.#next(view, readout, key);
    if (!next) return false;
    this.#show(view, readout, next);
    this.#spoken.textContent = this.#words(readout);
    return true;
  }

  /**
   * The point that a key leads to.
   * @param {any} view
   * @param {Readout} readout
   * @param {string} key
   */
  #next(view, readout, key) {
    const all = pointsOf(view, readout);
    const isUpright = UPRIGHT.includes(key);
    const step = STEPS[key];
    if (!step || !all.length || (isUpright && !readout.plane)) return null;
    const [now] = this.#shown;
    const axis = axisOf(readout, isUpright);
    const other = axis === "x" ? "y" : "x";
    const line = isGrid(readout) && now ? all.filter((one) => one[other] === now[other]) : all;
    const wanted = stepped(
      line.map((one) => one[axis]),
      now?.[axis],
      step,
    );
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
