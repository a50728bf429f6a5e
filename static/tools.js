// What stands below every figure: its table.

import { $, $$ } from "./show.js";

/** Puts the tools below each figure, in the language of the page. */
export function placeTools() {
  for (const figure of $$("[data-figure]")) {
    const { figure: name } = figure.dataset;
    const tools = $("#figure-tools").content.cloneNode(true);
    $(".twin", tools).dataset.table = name;
    $(".scroll", tools).setAttribute("aria-labelledby", `title-${name}`);
    $("[data-text=copy_table]", tools).dataset.copy = name;
    figure.append(tools);
  }
}
