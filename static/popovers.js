// The popovers of the sentence: one is open at a time; Escape, and a click elsewhere, close it.

import { $, $$, closest } from "./dom.js";

/** @param {HTMLElement} button */
const nameOf = (button) => button.dataset.open ?? "";

/** @param {HTMLElement} button */
const isOpen = (button) => button.getAttribute("aria-expanded") === "true";

/** @param {HTMLElement} button */
function close(button) {
  $(`#open-${nameOf(button)}`).hidden = true;
  button.setAttribute("aria-expanded", "false");
  $(".presets").inert = false;
}

/** @param {boolean} [isDone] Whether the reader has chosen: the focus goes back to the word. */
export function closeAll(isDone = false) {
  for (const button of $$("[data-open][aria-expanded=true]")) {
    close(button);
    if (isDone) button.focus();
  }
}

/**
 * @param {HTMLElement} popover
 * @param {HTMLElement} button
 */
function place(popover, button) {
  const box = (popover.parentElement ?? popover).getBoundingClientRect();
  const anchor = button.getBoundingClientRect();
  const left = Math.max(0, Math.min(anchor.left - box.left, box.width - popover.offsetWidth));
  popover.style.left = `${left}px`;
  popover.style.top = `${anchor.bottom - box.top + 6}px`;
}

/** @param {HTMLElement} button */
function open(button) {
  const popover = $(`#open-${nameOf(button)}`);
  closeAll();
  popover.hidden = false;
  button.setAttribute("aria-expanded", "true");
  $(".presets").inert = true; // the popover lies above them
  place(popover, button);
  const host = $("[data-root]", popover)?.firstElementChild?.shadowRoot;
  $("input, select, .noUi-handle", host ?? popover)?.focus();
}

/** Lets the sentence's buttons open their popovers. */
export function usePopovers() {
  document.addEventListener("click", (event) => {
    const button = closest(event, "[data-open]");
    if (!button) {
      if (!closest(event, ".popover")) closeAll();
    } else if (isOpen(button)) close(button);
    else open(button);
  });
  document.addEventListener("focusin", (event) => {
    const opened = $("[data-open][aria-expanded=true]");
    if (opened && event.target !== document.body && !closest(event, ".popover, [data-open]")) closeAll();
  });
  document.addEventListener("keydown", (event) => {
    const opened = $("[data-open][aria-expanded=true]");
    if (event.key !== "Escape" || !opened) return;
    close(opened);
    opened.focus();
  });
}
