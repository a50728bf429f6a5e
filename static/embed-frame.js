// An embed tells the page around it how high it is, and when it is live.

import { $, $$ } from "./dom.js";

/** Tells the page around this one; it may be of any origin, and what is told is no secret. */
export function tellHost(facts) {
  if (parent !== self) parent.postMessage({ from: "speculation-roofline", ...facts }, "*");
}

/** Tells the height whenever it changes, opened popovers included. */
export function watchHeight() {
  // The custom element sizes its frame; in a frame of a fixed size, what does not fit must be scrolled to.
  if (window.name === "speculation-roofline") document.documentElement.dataset.sized = "";
  const opened = $$(".popover");
  const watcher = new ResizeObserver(() => {
    const shown = [document.body, ...opened.filter(({ hidden }) => !hidden)];
    tellHost({ height: Math.ceil(Math.max(...shown.map((part) => part.getBoundingClientRect().bottom + scrollY))) });
  });
  for (const part of [document.body, ...opened]) watcher.observe(part);
}

const quoted = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
const WIDTHS = [300, 320, 340, 360, 390, 420, 460, 500, 550, 600, 660, 719, 721, 780, 850, 920, 1000, 1100];
const RANGES = [[0, 350], [350, 720], [720, Infinity]]; // of width; a line of heights for each
const STEEPEST = 4; // pixels of height that a pixel of width saves

/** The heights of an embed of one figure at `WIDTHS`: the words of this page, laid out as an embed lays them out. */
function heights(figure) {
  const frame = document.createElement("iframe");
  frame.style.cssText = "position: absolute; visibility: hidden; border: 0; height: 0";
  document.body.append(frame);
  const inner = frame.contentDocument;
  inner.open();
  inner.write("<!doctype html><html data-embed><body class='alone no-drafters'>");
  inner.close();
  const style = inner.createElement("style");
  style.textContent = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]).map(({ cssText }) => cssText).join("\n");
  inner.head.append(style);
  inner.body.append(...["main", "footer"].map((part) => inner.importNode($(part), true)));
  for (const one of $$("[data-figure]", inner)) one.hidden = one.dataset.figure !== figure;
  for (const opened of $$("details", inner)) opened.open = false;
  for (const popover of $$(".popover", inner)) popover.hidden = true;
  $("#whole", inner).hidden = false;
  const measured = WIDTHS.map((width) => {
    frame.style.width = `${width}px`;
    return Math.ceil(inner.body.getBoundingClientRect().height);
  });
  frame.remove();
  return measured;
}

/** The falling line over the heights of a range of widths that leaves least empty. */
function lineOver(points) {
  let best = { excess: Infinity };
  for (let slope = 0; slope <= STEEPEST; slope += 0.05) {
    const start = Math.max(...points.map(({ width, height }) => height + slope * width));
    const excess = points.reduce((sum, { width, height }) => sum + start - slope * width - height, 0);
    if (excess < best.excess) best = { excess, slope, start };
  }
  return `${Math.ceil(best.start)}px - ${(best.slope * 100).toFixed(0)}cqw`;
}

/** The height of a frame as a style sheet can say it for every width: nothing is cut, and little is left empty. */
function fittingHeight(measured) {
  const points = measured.map((height, index) => ({ width: WIDTHS[index], height }));
  const lines = RANGES.map(([from, to]) => lineOver(points.filter(({ width }) => from <= width && width < to)));
  return `max(${Math.min(...measured)}px, ${lines.join(", ")})`;
}

/**
 * Returns markup that shows one figure in another page.
 * @param {string} kind `element` or `iframe`.
 * @param {{figure: string, site: string, query: string, preset: string}} facts The figure, the site's address, the whole
 *   setting, and the preset that it is, or an empty text.
 */
export function embedCode(kind, { figure, site, query, preset }) {
  const title = $(`#title-${figure}`).textContent;
  if (kind === "iframe") {
    const measured = heights(figure);
    const source = quoted(`${site}embed.html?${query}`);
    const style = `border:0;width:100%;height:${fittingHeight(measured)}`; // browsers without it keep the height of a phone
    return `<div style="container-type:inline-size"><iframe src="${source}" title="${quoted(title)}" width="100%" height="${measured[1]}" style="${style}" loading="lazy"></iframe></div>`;
  }
  const poster = preset ? ` poster="${quoted(`${site}posters/${preset}-${figure}-light.svg`)}"` : "";
  return `<script src="${quoted(site)}embed.js" async></script>\n<speculation-roofline query="${quoted(query)}"${poster} alt="${quoted(title)}"></speculation-roofline>`;
}
