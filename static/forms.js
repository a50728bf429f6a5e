// Forms that Python describes as data: boxes, menus, searches and buttons, each with a line that says what it does.

import { $, $$, element, fill, setText } from "./dom.js";

/** Fills the lists that searches look through. */
export function showLists(lists) {
  fill($("#lists"), Object.entries(lists), ([name, words]) => {
    const list = element("datalist", "", { id: `list-${name}` });
    list.append(...words.map((text) => element("option", "", { value: text })));
    return list;
  });
}

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
  const box = element("input", "", { id, type: kind === "switch" ? "checkbox" : "text", autocomplete: "off", spellcheck: false });
  if (kind === "search") box.setAttribute("list", `list-${listed}`);
  return box;
}

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

function setValue(box, { control: kind, value }) {
  if (kind === "switch") box.checked = value === "on";
  else if (kind !== "button" && !box.typing && box.value !== value) box.value = value;
  box.shownValue = value;
  if (kind === "search") box.title = value;
}

/** Shows a form; it is made anew only where other fields stand in it, and the focus stays. */
export function showForm(form, fields) {
  const shape = JSON.stringify(fields.map(({ value, hint, ...rest }) => rest));
  if (form.shape !== shape) {
    const focused = form.contains(document.activeElement) && document.activeElement.id;
    form.shape = shape;
    form.replaceChildren(...fields.map((field) => fieldRow(field, form)));
    if (focused) document.getElementById(focused)?.focus();
  }
  for (const [index, row] of [...form.children].entries()) {
    const box = $("[data-field]", row);
    if (box) setValue(box, fields[index]);
    setText($(".hint", row), fields[index].hint);
    $(".hint", row).hidden = !fields[index].hint;
  }
}

/**
 * Tells of what a reader changes in any form.
 * @param {(change: {form: string, field: string, value: string}) => void} tell
 */
export function watchForms(tell) {
  const taken = (box) => {
    box.typing = false;
    const value = box.type === "checkbox" ? (box.checked ? "on" : "") : box.value;
    tell({ form: box.closest("[data-form]").dataset.form, field: box.dataset.field, value });
  };
  const field = (event) => event.target.closest?.("[data-field]");
  document.addEventListener("input", (event) => {
    const box = field(event);
    if (box?.type !== "text") return;
    box.typing = true;
    // A name picked from a list is meant at once.
    if (box.list && $$("option", box.list).some(({ value }) => value === box.value)) taken(box);
  });
  document.addEventListener("change", (event) => {
    const box = field(event);
    if (!box || (box.type === "text" && !box.typing)) return;
    if (box.list && !box.value) Object.assign(box, { value: box.shownValue, typing: false });
    else taken(box);
  });
  document.addEventListener("click", (event) => {
    const box = field(event);
    if (box?.type === "button") taken(box);
  });
  // A search starts with all of its list, which the name in the box would narrow to itself.
  document.addEventListener("focusin", (event) => {
    const box = field(event);
    if (box?.list) Object.assign(box, { placeholder: box.value, value: "" });
  });
  document.addEventListener("focusout", (event) => {
    const box = field(event);
    if (box?.list && !box.value) Object.assign(box, { value: box.shownValue, typing: false });
  });
}
