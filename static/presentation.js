// What of the page is shown: `figure=`, `figures=` and `controls=` of the address. They never change a number.

import { $, $$ } from "./dom.js";

const { embed } = document.documentElement.dataset;
const USUAL = embed === undefined ? [] : ["speedup"]; // figures of an embed that names none

const asked = new URLSearchParams(location.search);
const names = (/** @type {string} */ key) => (asked.get(key) ?? "").split(",").filter(Boolean);
const known = $$("[data-figure]").map(({ dataset }) => dataset.figure ?? "");
const named = [...names("figures"), ...names("figure")].filter((name) => known.includes(name));
const figures = named.length ? named : USUAL;
const controls = asked.has("controls") || figures.length ? names("controls") : null;
/** @type {Record<string, string>} */
const CONTROL_OF = { profile: "assumptions" };

/**
 * A query without what chooses figures and controls.
 * @param {string} query
 */
export const whole = (query) => query.replace(/(^|&)(figures?|controls)=[^&]*/g, "").replace(/^&/, "");

/** Hides the figures and disables the controls that the address leaves out. */
export function present() {
  if (figures.length) {
    document.body.classList.add("alone");
    for (const figure of $$("[data-figure]")) figure.hidden = !figures.includes(figure.dataset.figure ?? "");
    $("#whole").hidden = false;
  }
  if (!controls) return;
  for (const button of document.querySelectorAll("button")) {
    const { open } = button.dataset;
    if (open) button.disabled = !controls.includes(CONTROL_OF[open] ?? open);
  }
  document.body.classList.toggle("no-drafters", !controls.includes("drafters"));
}
