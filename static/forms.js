// Forms that Python describes as data: boxes, menus, searches and buttons, each with a line that says what it does.

/** @import { FieldChange, FieldWords } from "./types/protocol" */
/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement | HTMLButtonElement} Box What a field is shown with. */

import { $, closest, element, fill, setText } from "./dom.js";
import { isRefused } from "./refused-field.js";

/** @type {WeakMap<Element, string>} Which fields stand in a form, as JSON without their values. */
const shapes = new WeakMap();
/** @type {WeakMap<Element, string>} What Python has said last of a box. */
const shownValues = new WeakMap();
/** @type {WeakSet<Element>} Boxes with a text that Python does not know yet. */
const typing = new WeakSet();

/**
 * Fills the lists that searches look through.
 * @param {Record<string, string[]>} lists
 */
export function showLists(lists) {
  fill($("#lists"), Object.entries(lists), ([name, words]) => {
    const list = element("datalist", "", { id: `list-${name}` });
    list.append(...words.map((text) => element("option", "", { value: text })));
    return list;
  });
}

/**
 * @param {FieldWords} field
 * @param {string} id
 * @returns {Box}
 */
function control({ key, control: kind, label, options, listed }, id) {
  if (kind === "choice") {
    const menu = element("select", "", { id });
    menu.append(...options.map(({ value, words }) => element("option", words, { value })));
    return menu;
  }
  if (kind === "button") {
    const button = element("button", key.startsWith("drop-") ? "×" : label, { type: "button", id, className: "quiet" });
    button.setAttribute("aria-label", label);
    return button;
  }
  if (kind === "area") return element("textarea", "", { id, rows: 3, spellcheck: false });
  const type = kind === "switch" ? "checkbox" : "text";
  const box = element("input", "", { id, type, autocomplete: "off", spellcheck: false });
  if (kind === "search") box.setAttribute("list", `list-${listed}`);
  return box;
}

/**
 * @param {FieldWords} field
 * @param {HTMLElement} form
 */
function fieldRow(field, form) {
  const row = element("div", "", { className: `field as-${field.control} ${field.key.split("-")[0]}` });
  const id = `${form.dataset.form}-${field.key}`;
  if (field.control !== "note") {
    const made = control(field, id);
    made.dataset.field = field.key;
    if (field.control !== "button") row.append(element("label", field.label, { htmlFor: id }));
    row.append(made);
  }
  row.append(element("p", "", { className: "hint" }));
  return row;
}

/**
 * Whether a reader has begun to search and typed nothing yet: what is typed next must not join what the box showed.
 * @param {Box} box
 */
const isEmptied = (box) => box === document.activeElement && box.value === "" && searched(box) !== null;

/**
 * @param {Box} box
 * @param {FieldWords} field
 */
function setValue(box, { control: kind, value }) {
  if (kind === "switch") /** @type {HTMLInputElement} */ (box).checked = value === "on";
  else if (kind !== "button" && !typing.has(box) && !isEmptied(box) && !isRefused(box.id) && box.value !== value)
    box.value = value;
  shownValues.set(box, value);
  if (kind === "search") box.title = value;
}

/**
 * Shows a form; it is made anew only where other fields stand in it, and the focus stays.
 * @param {HTMLElement} form
 * @param {FieldWords[]} fields
 */
export function showForm(form, fields) {
  const shape = JSON.stringify(fields.map((field) => ({ ...field, value: "", hint: "" })));
  if (shapes.get(form) !== shape) {
    const focused = form.contains(document.activeElement) && document.activeElement?.id;
    shapes.set(form, shape);
    form.replaceChildren(...fields.map((field) => fieldRow(field, form)));
    if (focused) document.getElementById(focused)?.focus();
  }
  for (const [index, row] of [...form.children].entries()) {
    const box = /** @type {Box | null} */ (row.querySelector("[data-field]"));
    if (box) setValue(box, fields[index]);
    setText($(".hint", row), fields[index].hint);
    $(".hint", row).hidden = !fields[index].hint;
  }
}

/**
 * The box of a form that an event is of.
 * @param {Event} event
 */
const boxOf = (event) => /** @type {Box | null} */ (closest(event, "[data-field]"));

/** @param {Box | null} box */
const isTyped = (box) => box?.type === "text" || box?.type === "textarea";

/** @param {Box | null} box */
const searched = (box) => (box instanceof HTMLInputElement ? box.list : null);

/**
 * Puts back what a search showed before it was looked through.
 * @param {Box} box
 */
function restore(box) {
  box.value = shownValues.get(box) ?? "";
  typing.delete(box);
}

/**
 * Tells of what a reader changes in any form.
 * @param {(change: FieldChange) => void} tell
 */
export function watchForms(tell) {
  /** @param {Box} box */
  const take = (box) => {
    typing.delete(box);
    const isSwitch = box instanceof HTMLInputElement && box.type === "checkbox";
    const value = isSwitch ? (box.checked ? "on" : "") : box.value;
    const form = /** @type {HTMLElement | null} */ (box.closest("[data-form]"))?.dataset.form ?? "";
    tell({ form, field: box.dataset.field ?? "", value });
  };
  document.addEventListener("input", (event) => {
    const box = boxOf(event);
    if (!box || !isTyped(box)) return;
    typing.add(box);
    // A file that is pasted is whole.
    if (box.type === "textarea" && /** @type {InputEvent} */ (event).inputType === "insertFromPaste") take(box);
    // A name picked from a list is meant at once.
    const list = searched(box);
    if (list && [...list.options].some(({ value }) => value === box.value)) take(box);
  });
  document.addEventListener("change", (event) => {
    const box = boxOf(event);
    if (!box || (isTyped(box) && !typing.has(box))) return;
    if (searched(box) && !box.value) restore(box);
    else take(box);
  });
  document.addEventListener("click", (event) => {
    const box = boxOf(event);
    if (box?.type === "button") take(box);
  });
  // A search starts with all of its list, which the name in the box would narrow to itself.
  document.addEventListener("focusin", (event) => {
    const box = boxOf(event);
    if (box && searched(box)) Object.assign(box, { placeholder: box.value, value: "" });
  });
  document.addEventListener("focusout", (event) => {
    const box = boxOf(event);
    if (box && searched(box) && !box.value) restore(box);
  });
}
