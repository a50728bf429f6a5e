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
const ROOM_PIXELS = 330; // for the sentence, the headline and the footer of an embed on a phone

/**
 * Returns markup that shows one figure in another page.
 * @param {string} kind `element` or `iframe`.
 * @param {{figure: string, site: string, query: string, preset: string}} facts The figure, the site's address, the whole
 *   setting, and the preset that it is, or an empty text.
 */
export function embedCode(kind, { figure, site, query, preset }) {
  const title = $(`#title-${figure}`).textContent;
  if (kind === "iframe") {
    const height = Math.ceil($(`[data-figure="${figure}"]`).offsetHeight) + ROOM_PIXELS;
    const source = quoted(`${site}embed.html?${query}`);
    return `<iframe src="${source}" title="${quoted(title)}" width="100%" height="${height}" style="border:0" loading="lazy"></iframe>`;
  }
  const poster = preset ? ` poster="${quoted(`${site}posters/${preset}-${figure}-light.svg`)}"` : "";
  return `<script src="${quoted(site)}embed.js" async></script>\n<speculation-roofline query="${quoted(query)}"${poster} alt="${quoted(title)}"></speculation-roofline>`;
}
