// A text that is not used is marked where it was typed, and why stands below it.

/** @import { RefusedField } from "./types/protocol" */

import { $, $$, element } from "./dom.js";

let refused = "";

/**
 * Whether a field's text is not used: it stays, to be mended.
 * @param {string} field
 */
export const isRefused = (field) => field !== "" && field === refused;

/**
 * Notes which field it is, before the forms are shown.
 * @param {RefusedField | null} field
 */
export function markRefused(field) {
  refused = field?.field ?? "";
}

/**
 * The box of a field and what its message follows: a form's own, or a widget's in its shadow root.
 * @param {string} field
 * @returns {[Element | null | undefined, HTMLElement | null]}
 */
function placeOf(field) {
  const plain = document.getElementById(field);
  if (plain) return [plain, plain.closest(".field") ?? plain];
  const root = $(`[data-root="${field}"]`);
  const box = root?.firstElementChild?.shadowRoot?.querySelector("input, select");
  return [box, root?.closest(".row") ?? root];
}

/**
 * Shows why a field's text is not used; returns whether that can be seen where it was typed.
 * @param {RefusedField | null} field
 */
export function showRefused(field) {
  for (const message of $$(".refusal")) {
    const [box] = placeOf(message.dataset.of ?? "");
    for (const name of ["aria-invalid", "aria-description"]) box?.removeAttribute(name);
    message.remove();
  }
  if (!field) return false;
  const [box, place] = placeOf(field.field);
  if (!box || !place?.getClientRects().length) return false;
  box.setAttribute("aria-invalid", "true");
  box.setAttribute("aria-description", field.text);
  const message = element("p", field.text, { className: "refusal", role: "alert" });
  message.dataset.of = field.field;
  place.after(message);
  return true;
}
