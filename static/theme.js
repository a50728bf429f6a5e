// The theme: what the address asks for, else the reader's own.

/** @import { Theme } from "./types/protocol" */

import { $, setText } from "./dom.js";
import { said } from "./render.js";

const CHOICES = ["auto", "light", "dark"];
const dark = matchMedia("(prefers-color-scheme: dark)");
const asked = new URLSearchParams(location.search).get("theme") ?? "";
let chosen = CHOICES.includes(asked) ? asked : "auto";
/** @type {Record<string, string>} */
const words = Object.fromEntries(CHOICES.map((name) => [name, ""]));

/**
 * The theme in use.
 * @returns {Theme}
 */
export function theme() {
  if (chosen === "auto") return dark.matches ? "dark" : "light";
  return chosen === "dark" ? "dark" : "light";
}

/** What the address says of the theme; empty where the reader has chosen none. */
export const chosenTheme = () => (chosen === "auto" ? "" : chosen);

function show() {
  document.documentElement.dataset.theme = theme();
  setText($("#theme"), words[chosen]);
}

/**
 * Shows the theme and lets the reader change it.
 * @param {(theme: Theme) => void} tell Told of each change of colours.
 */
export function useTheme(tell) {
  for (const name of CHOICES) words[name] = said(`theme_${name}`);
  show();
  const changed = () => {
    show();
    tell(theme());
  };
  dark.addEventListener("change", changed);
  $("#theme").addEventListener("click", () => {
    chosen = CHOICES[(CHOICES.indexOf(chosen) + 1) % CHOICES.length];
    changed();
  });
}
