// Files for the reader: texts that Python wrote, and pictures of the figures with their titles and keys.

import { $, $$ } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
const FONT = "system-ui, sans-serif";
const MARGIN = 16;
const TITLE = 52;
const ROW = 20;
const SWATCH = 10;
const SHARPNESS = 2;
const [VECTOR, PNG] = ["image/svg+xml", "image/png"];
let saved = 0;

/** Hands a file over as a download. */
export function download(name, blob) {
  const anchor = Object.assign(document.createElement("a"), { download: name, href: URL.createObjectURL(blob) });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
}

/** The pixels of a drawing, as PNG. */
async function pixels(vector) {
  const image = new Image();
  image.src = URL.createObjectURL(vector);
  await image.decode();
  const [width, height] = [image.naturalWidth, image.naturalHeight].map((size) => size * SHARPNESS);
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  canvas.getContext("2d").drawImage(image, 0, 0, width, height);
  URL.revokeObjectURL(image.src);
  return new Promise((resolve) => canvas.toBlob(resolve, PNG));
}

/** Hands over the file in a state of Python's, once; for a PNG, Python gives the drawing. */
export async function takeFile(file) {
  if (!file || file.number <= saved) return;
  saved = file.number;
  const { name, media, text } = file;
  const given = new Blob([text], { type: media === PNG ? VECTOR : media });
  download(name, media === PNG ? await pixels(given) : given);
}

function svgElement(tag, properties, text = "") {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(properties)) made.setAttribute(name, value);
  made.textContent = text;
  return made;
}

/** Sets the entries of a key in rows; returns their elements and the height. */
function keyElements(entries, width, top, colour) {
  const ruler = document.createElement("canvas").getContext("2d");
  ruler.font = `12px ${FONT}`;
  let [x, y] = [MARGIN, top];
  const made = entries.flatMap((entry) => {
    const needed = SWATCH + 6 + ruler.measureText(entry.textContent).width + 16;
    if (x > MARGIN && x + needed > width) [x, y] = [MARGIN, y + ROW];
    const fill = getComputedStyle($("i", entry)).backgroundColor;
    const swatch = svgElement("rect", { x, y: y - SWATCH + 1, width: SWATCH, height: SWATCH, rx: 2, fill });
    const words = svgElement("text", { x: x + SWATCH + 6, y, fill: colour, "font-size": 12, "font-family": FONT }, entry.textContent);
    x += needed;
    return [swatch, words];
  });
  return { made, bottom: entries.length ? y + ROW : top };
}

/** The setting in a line below the title. */
function setting() {
  const word = (name) => $(`[data-open="${name}"]`).textContent;
  const named = (name) => `${$(`#open-${name}`).getAttribute("aria-label")} ${word(name)}`;
  return [word("model"), word("node"), named("batch"), named("context")].join(" · ");
}

function words(text, y, properties) {
  return svgElement("text", { x: MARGIN, y, "font-family": FONT, ...properties }, text);
}

/** A figure as BokehJS draws it, below its title and above its key. */
async function drawing(name) {
  const section = $(`[data-figure="${name}"]`);
  const view = [...globalThis.Bokeh.index.roots].find(({ model }) => model.name === `figure-${name}`);
  const blob = await view.export("svg").to_blob();
  const plot = new DOMParser().parseFromString(await blob.text(), "image/svg+xml").documentElement;
  const [inner, below] = [Number(plot.getAttribute("width")), TITLE + Number(plot.getAttribute("height"))];
  const width = inner + 2 * MARGIN;
  const { color, backgroundColor } = getComputedStyle(document.body);
  const key = keyElements($$(".key li", section), width, below + ROW, color);
  const height = key.bottom + MARGIN / 2;
  const whole = svgElement("svg", { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` });
  const title = words($("h2", section).textContent, 23, { fill: color, "font-size": 14, "font-weight": 600 });
  const subtitle = words(setting(), 41, { fill: color, "font-size": width < 480 ? 10 : 12, opacity: 0.75 });
  plot.setAttribute("x", MARGIN);
  plot.setAttribute("y", TITLE);
  whole.append(svgElement("rect", { width, height, fill: backgroundColor }), title, subtitle, document.importNode(plot, true), ...key.made);
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
