// An embed tells the page around it how high it is, and when it is live.

import { $, $$ } from "./dom.js";
import { WIDTHS, fittingHeight } from "./fitting-height.js";

const CHANNEL = "speculation-roofline"; // as embed.js, which stands alone in other pages

/**
 * Tells the page around this one; it may be of any origin, and what is told is no secret.
 * @param {{height: number} | {live: true}} facts
 */
export function tellHost(facts) {
  if (parent !== self) parent.postMessage({ from: CHANNEL, ...facts }, "*");
}

/** Tells the height whenever it changes, opened popovers included. */
export function watchHeight() {
  // The custom element sizes its frame; in a frame of a fixed size, what does not fit must be scrolled to.
  if (window.name === CHANNEL) document.documentElement.dataset.sized = "";
  const opened = $$(".popover");
  const watcher = new ResizeObserver(() => {
    const shown = [document.body, ...opened.filter(({ hidden }) => !hidden)];
    tellHost({ height: Math.ceil(Math.max(...shown.map((part) => part.getBoundingClientRect().bottom + scrollY))) });
  });
  for (const part of [document.body, ...opened]) watcher.observe(part);
}

/** @param {string} text */
const quoted = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

/**
 * Lays the words of this page out in a document as an embed of one figure does.
 * @param {Document} inner
 * @param {string} figure
 */
function layOut(inner, figure) {
  const style = inner.createElement("style");
  const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]);
  style.textContent = rules.map(({ cssText }) => cssText).join("\n");
  inner.head.append(style);
  inner.body.append(...["main", "footer"].map((part) => inner.importNode($(part), true)));
  for (const one of $$("[data-figure]", inner)) one.hidden = one.dataset.figure !== figure;
  for (const details of inner.querySelectorAll("details")) details.open = false;
  for (const popover of $$(".popover", inner)) popover.hidden = true;
  $("#whole", inner).hidden = false;
}

/**
 * Returns the heights of an embed of one figure at `WIDTHS`.
 * @param {string} figure
 */
function heights(figure) {
  const frame = document.createElement("iframe");
  frame.style.cssText = "position: absolute; visibility: hidden; border: 0; height: 0";
  document.body.append(frame);
  const inner = /** @type {Document} */ (frame.contentDocument);
  inner.open(); // a document that has come without a doctype would keep the ways of old browsers
  // eslint-disable-next-line no-restricted-properties -- nothing but these words
  inner.write("<!doctype html><html data-embed><body class='alone no-drafters'>");
  inner.close();
  layOut(inner, figure);
  const measured = WIDTHS.map((width) => {
    frame.style.width = `${width}px`;
    return Math.ceil(inner.body.getBoundingClientRect().height);
  });
  frame.remove();
  return measured;
}

/**
 * Returns markup that shows one figure in another page.
 * @param {"element" | "iframe"} kind
 * @param {{figure: string, site: string, query: string, preset: string, headline: string}} facts The figure, the site's
 *   address, the whole setting, the preset that it is, or an empty text, and the setting's answer.
 */
export function embedCode(kind, { figure, site, query, preset, headline }) {
  const title = quoted($(`#title-${figure}`).textContent);
  if (kind === "iframe") {
    const measured = heights(figure);
    const source = quoted(`${site}embed.html?${query}`);
    const style = `border:0;width:100%;height:${fittingHeight(measured)}`; // browsers without it keep the height of a phone
    const frame = `<iframe src="${source}" title="${title}" width="100%" height="${measured[1]}" style="${style}" loading="lazy">`;
    return `<div style="container-type:inline-size">${frame}</iframe></div>`;
  }
  const asked = new URLSearchParams(query); // the poster wears the theme and speaks the language of what takes its place
  const theme = asked.get("theme") === "dark" || asked.get("theme") === "light" ? asked.get("theme") : "{theme}";
  const lang = asked.get("lang") ?? "en";
  const name = `${preset}-${figure}-${theme}${lang === "en" ? "" : `-${lang}`}`;
  const poster = preset ? ` poster="${quoted(`${site}posters/${name}.svg`)}"` : "";
  const alt = quoted(`${$(`#title-${figure}`).textContent}. ${headline}`);
  const shown = `<speculation-roofline query="${quoted(query)}"${poster} alt="${alt}"></speculation-roofline>`;
  return `<script src="${quoted(site)}embed.js" async></script>\n${shown}`;
}
