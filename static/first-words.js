// What the page shows before Python answers: the words that the build wrote, where they are right for the address, else
// the pictures that it drew of a preset, else neither.

import { link, ownPreset } from "./address.js";
import { $, $$, element, setText } from "./dom.js";
import { language } from "./language.js";
import { endLoading } from "./notices.js";
import { isKept } from "./offline-register.js";
import { whole } from "./presentation.js";
import { show } from "./render.js";
import { theme } from "./theme.js";
import { build, home } from "./worker-start.js";

export const removePosters = () => $$(".poster").forEach((poster) => poster.remove());

/**
 * Shows what the build drew of a preset; pictures do not know who wants them still.
 * @param {string} preset
 */
function showPosters(preset) {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches ? "#still" : "";
  const ending = `${language === "en" ? "" : `-${language}`}.svg${still}`;
  for (const place of $$(".plot, .race")) {
    const figure = /** @type {HTMLElement | null} */ (place.closest("[data-figure]"))?.dataset.figure;
    const poster = element("img", "", { className: "poster", alt: "" }); // its words come with Python
    poster.src = `${home}posters/${preset}-${figure}-${theme()}${ending}`;
    place.before(poster);
  }
  document.documentElement.dataset.posters = "";
}

/** The preset that the address asks for and of which there are pictures, or undefined. */
function drawnPreset() {
  const [preset, ...others] = new URLSearchParams(link);
  /** @type {string[]} */
  const drawn = build.inlined ? [] : JSON.parse($("#drawn-presets")?.textContent ?? "[]");
  return preset?.[0] === "preset" && !others.length ? drawn.find((name) => name === preset[1]) : undefined;
}

/** Shows it. */
export function showFirstWords() {
  const written = $("#preset-state");
  if (written && whole(link) === ownPreset && language === "en") {
    endLoading();
    show(JSON.parse(written.textContent));
    return;
  }
  removePosters();
  const preset = drawnPreset();
  if (preset && !isKept()) showPosters(preset); // what is kept has no pictures, and is soon live
  if (link) for (const button of $$("[data-open]")) setText(button, "…");
}
