// An embed tells the page around it how high it is, and when it is live.

import { $$ } from "./dom.js";

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
