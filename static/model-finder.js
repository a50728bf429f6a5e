// The models: found by words in any order, in the list itself. Enter takes the first.

/** @import { ListedModelWords } from "./types/protocol" */
/** @import { Send } from "./types/messages" */

import { $, $$, $as, element, fill, setText } from "./dom.js";
import { closeAll } from "./popovers.js";
import { said } from "./render.js";

/** @type {readonly ListedModelWords[]} */
let listed = [];

const SPLIT = /[\s/_-]+/;
// Where a word begins: behind anything but letters and digits, or where digits follow letters.
const START = "(?:^|[^a-z0-9.]|[a-z](?=[0-9]))";

/**
 * Returns the models in whose words all of a text's words stand: as beginnings, or where there are none, anywhere.
 * @template {{words: string}} Model
 * @param {readonly Model[]} models
 * @param {string} text
 */
export function matching(models, text) {
  const wanted = text.normalize("NFKC").toLowerCase().split(SPLIT).filter(Boolean);
  const begins = wanted.map((word) => new RegExp(START + word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")));
  const found = models.filter(({ words }) => begins.every((begin) => begin.test(words)));
  return found.length ? found : models.filter(({ words }) => wanted.every((word) => words.includes(word)));
}

/**
 * The id of the first model that a text finds, else the text.
 * @param {string} text
 */
export const firstModel = (text) => (text.trim() && matching(listed, text)[0]?.id) || text;

/** Shows the models that the box's text finds. */
function filter() {
  const { value } = $as(HTMLInputElement, "#model-search");
  const found = new Set(matching(listed, value).map(({ id }) => id));
  for (const button of $$("[data-model]")) button.hidden = !found.has(button.dataset.model ?? "");
  for (const family of $$("#models > li")) family.hidden = !$("[data-model]:not([hidden])", family);
  const words = found.size ? `${said("models_found")} ${found.size}` : (said("models_none") ?? "");
  setText($("#models-found"), value.trim() ? words : "");
}

/** @param {ListedModelWords} model */
function modelButton({ id, name, facts }) {
  const button = element("button", "", { type: "button" });
  button.dataset.model = id;
  button.append(element("span", name), " ", element("small", facts));
  return button;
}

/**
 * @param {readonly ListedModelWords[]} models
 * @param {string} chosen
 */
export function showModels(models, chosen) {
  listed = models;
  const families = [...new Set(models.map(({ family }) => family))].map((family) => ({
    family,
    entries: models.filter((model) => model.family === family),
  }));
  fill($("#models"), families, ({ family, entries }) => {
    const item = element("li");
    item.append(element("p", family), ...entries.map(modelButton));
    return item;
  });
  for (const button of $$("[data-model]")) {
    if (button.dataset.model === chosen) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
  filter();
}

/**
 * Lets the reader find a model.
 * @param {Send} send
 */
export function useModelFinder(send) {
  const box = $as(HTMLInputElement, "#model-search");
  const choose = (/** @type {string} */ model) => {
    send("model", model);
    box.value = "";
    filter();
  };
  box.addEventListener("input", filter);
  box.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") {
      event.preventDefault();
      $("[data-model]:not([hidden])")?.focus();
    }
    if (event.key !== "Enter" || !box.value.trim()) return;
    event.preventDefault(); // the word that gets the focus must not take this key for a click
    const model = firstModel(box.value);
    if (model === box.value && !listed.some(({ id }) => id === model))
      send("model", model); // it says what is missing
    else {
      choose(model);
      closeAll(true);
    }
  });
  $("#models").addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const shown = $$("[data-model]:not([hidden])");
    const next = shown.findIndex((button) => button === document.activeElement) + step;
    if (next < 0) box.focus();
    else shown[Math.min(next, shown.length - 1)]?.focus();
  });
  $("#models").addEventListener("click", ({ target }) => {
    const button =
      target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest("[data-model]")) : null;
    if (!button) return;
    choose(button.dataset.model ?? "");
    closeAll(true);
  });
}
