// Which figures a reader sees: Python computes those.

/** @import { Send } from "./types/messages" */

import { $$ } from "./dom.js";
import { isEmbed } from "./worker-start.js";

const MARGIN = "200px";

/** Names of the figures that a reader sees. */
export function figuresInSight() {
  const isInSight = (/** @type {HTMLElement} */ figure) => {
    const { top, bottom, height } = figure.getBoundingClientRect();
    return height > 0 && bottom > 0 && top < innerHeight;
  };
  return $$("[data-figure]")
    .filter(isInSight)
    .map(({ dataset }) => dataset.figure ?? "");
}

/**
 * Tells Python of each figure that comes into sight or leaves it.
 * @param {Send} send
 * @param {() => void} onFirst Called when Python has been told of all of them once.
 */
export function watchFigures(send, onFirst) {
  const watcher = new IntersectionObserver(
    (entries) => {
      onFirst();
      for (const { target, isIntersecting } of entries) {
        const figure = /** @type {HTMLElement} */ (target);
        const isShown = isIntersecting || (isEmbed && !figure.hidden); // it is told live, and takes its poster's place, unseen
        send("show", { figure: figure.dataset.figure ?? "", visible: isShown });
      }
    },
    { rootMargin: MARGIN },
  );
  for (const figure of $$("[data-figure]")) watcher.observe(figure);
}
