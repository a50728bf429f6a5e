// Files for the reader: texts that Python wrote, and pictures of the figures with their titles and keys.

/** @import { NumberedFile } from "./types/protocol" */

import { $, $$ } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
const FONT = "system-ui, sans-serif";
const MARGIN = 16;
const ROW = 20;
const SWATCH = 10;
const SHARPNESS = 2;
const [VECTOR, PNG] = ["image/svg+xml", "image/png"];
let saved = 0;

/**
 * Hands a file over as a download.
 * @param {string} name
 * @param {Blob} blob
 */
export function download(name, blob) {
  const anchor = Object.assign(document.createElement("a"), { download: name, href: URL.createObjectURL(blob) });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
}

/**
 * The pixels of a drawing, as PNG.
 * @param {Blob} vector
 * @returns {Promise<Blob>}
 */
async function pixels(vector) {
  const image = new Image();
  image.src = URL.createObjectURL(vector);
  await image.decode();
  const [width, height] = [image.naturalWidth, image.naturalHeight].map((size) => size * SHARPNESS);
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  canvas.getContext("2d")?.drawImage(image, 0, 0, width, height);
  URL.revokeObjectURL(image.src);
  return new Promise((resolve, reject) => {
    canvas.toBlob((made) => (made ? resolve(made) : reject(new Error("the picture is too large"))), PNG);
  });
}

/**
 * Hands over the file in a state of Python's, once; for a PNG, Python gives the drawing.
 * @param {NumberedFile | null} file
 */
export async function takeFile(file) {
  if (!file || file.number <= saved) return;
  saved = file.number;
  const { name, media, text } = file;
  const given = new Blob([text], { type: media === PNG ? VECTOR : media });
  download(name, media === PNG ? await pixels(given) : given);
}

/**
 * @param {string} tag
 * @param {Record<string, string | number>} properties
 * @param {string} [text]
 */
function svgElement(tag, properties, text = "") {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(properties)) made.setAttribute(name, String(value));
  made.textContent = text;
  return made;
}

/**
 * Sets the entries of a key in rows; returns their elements and the height.
 * @param {HTMLElement[]} entries
 * @param {number} width
 * @param {number} top
 * @param {string} colour
 */
function keyElements(entries, width, top, colour) {
  const ruler = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  ruler.font = `12px ${FONT}`;
  let [x, y] = [MARGIN, top];
  const made = entries.flatMap((entry) => {
    const needed = SWATCH + 6 + ruler.measureText(entry.textContent).width + 16;
    if (x > MARGIN && x + needed > width) [x, y] = [MARGIN, y + ROW];
    const swatchColour = getComputedStyle($("i", entry)).backgroundColor;
    const place = { x, y: y - SWATCH + 1 };
    const swatch = svgElement("rect", { ...place, width: SWATCH, height: SWATCH, rx: 2, fill: swatchColour });
    const font = { fill: colour, "font-size": 12, "font-family": FONT };
    const text = svgElement("text", { x: x + SWATCH + 6, y, ...font }, entry.textContent);
    x += needed;
    return [swatch, text];
  });
  return { made, bottom: entries.length ? y + ROW : top };
}

/** The setting in a line below the title. */
function setting() {
  const word = (/** @type {string} */ name) => $(`[data-open="${name}"]`).textContent;
  const named = (/** @type {string} */ name) => `${$(`#open-${name}`).getAttribute("aria-label")} ${word(name)}`;
  return [word("model"), word("node"), named("batch"), named("context"), word("profile")].join(" · ");
}

/**
 * A text in lines that fit; a word that is too long is divided.
 * @param {string} text
 * @param {number} width
 * @param {number} top Baseline of the first line.
 * @param {Record<string, string | number>} style
 * @param {number} size
 */
function wrapped(text, width, top, style, size) {
  const ruler = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  ruler.font = `${style["font-weight"] ?? 400} ${size}px ${FONT}`;
  const lines = [""];
  for (const piece of text.match(/[^\s&]+[\s&]*/g) ?? []) {
    for (const part of ruler.measureText(piece).width > width ? piece : [piece]) {
      if (lines[lines.length - 1] && ruler.measureText(lines.at(-1) + part.trimEnd()).width > width) lines.push("");
      lines[lines.length - 1] += part;
    }
  }
  const space = Math.round(size * 1.35);
  const place = { x: MARGIN, "font-family": FONT, "font-size": size, ...style };
  const made = lines.map((line, index) => svgElement("text", { ...place, y: top + index * space }, line));
  return { made, bottom: top + (lines.length - 1) * space };
}

/**
 * A figure as BokehJS draws it, below its title and above its key.
 * @param {string} name
 */
async function drawing(name) {
  const section = $(`[data-figure="${name}"]`);
  const view = [...globalThis.Bokeh.index.roots].find(({ model }) => model.name === `figure-${name}`);
  const blob = await view.export("svg").to_blob();
  const plot = new DOMParser().parseFromString(await blob.text(), "image/svg+xml").documentElement;
  const inner = Number(plot.getAttribute("width"));
  const width = inner + 2 * MARGIN;
  const { color: fill, backgroundColor } = getComputedStyle(document.body);
  const title = wrapped($("h2", section).textContent, inner, 23, { fill, "font-weight": 600 }, 14);
  const faint = { fill, opacity: 0.75 };
  const subtitle = wrapped(setting(), inner, title.bottom + ROW, faint, 12);
  const top = subtitle.bottom + SWATCH;
  const below = top + Number(plot.getAttribute("height"));
  const key = keyElements($$(".key li", section), width, below + ROW, fill);
  const address = location.protocol.startsWith("http") ? location.href : "";
  const source = wrapped(address, inner, key.bottom + 4, faint, 9);
  const height = source.bottom + SWATCH;
  const whole = svgElement("svg", { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` });
  const ground = svgElement("rect", { width, height, fill: backgroundColor });
  plot.setAttribute("x", String(MARGIN));
  plot.setAttribute("y", String(top));
  const shown = document.importNode(plot, true);
  whole.append(ground, ...title.made, ...subtitle.made, shown, ...key.made, ...source.made);
  return new XMLSerializer().serializeToString(whole);
}

/**
 * A picture of a figure.
 * @param {string} name The figure's.
 * @param {"svg" | "png"} kind
 * @returns {Promise<Blob>}
 */
export async function picture(name, kind) {
  const vector = new Blob([await drawing(name)], { type: VECTOR });
  return kind === "svg" ? vector : pixels(vector);
}
