// What stands below every figure: its table, how it is computed, and files and links to take along.

import { download, picture } from "./export.js";
import { $, $$ } from "./dom.js";
import { build } from "./worker-start.js";

/** Puts the tools below each figure, in the language of the page. */
export function placeTools() {
  for (const figure of $$("[data-figure]")) {
    const { figure: name } = figure.dataset;
    const tools = $("#figure-tools").content.cloneNode(true);
    $(".twin", tools).dataset.table = name;
    $(".working", tools).dataset.working = name;
    $(".scroll", tools).setAttribute("aria-labelledby", `title-${name}`);
    $("[data-text=copy_table]", tools).dataset.copy = name;
    if (build.inlined) for (const button of $$("[data-embed-code]", tools)) button.remove(); // there is no site to embed
    figure.append(tools);
  }
}

/**
 * Lets the tools act.
 * @param {(name: string, value: unknown) => void} send Tells Python.
 * @param {(button: Element, text: string) => void} copyText Copies a text and says so on the button.
 * @param {{link: (figure: string) => string, embed: (figure: string, kind: string) => string}} addresses The address of one
 *   figure alone, and the markup that embeds it.
 */
export function useTools(send, copyText, addresses) {
  for (const details of $$("[data-table], [data-working]")) {
    const { table, working } = details.dataset;
    const name = table ? "table" : "working";
    details.addEventListener("toggle", () => send(name, { figure: table ?? working, open: details.open }));
  }
  document.addEventListener("click", async ({ target }) => {
    const button = target.closest?.("[data-save], [data-picture], [data-share], [data-embed-code]");
    if (!button) return;
    const section = button.closest("[data-figure]");
    const { figure } = section.dataset;
    const { save, picture: kind, embedCode } = button.dataset;
    const isDrawnHere = $(".plot", section); // by BokehJS, whereas the race's pictures are Python's
    if (save || (kind && !isDrawnHere)) send("save", { figure, kind: save ?? kind });
    else if (kind) download(`speculation-roofline-${figure}.${kind}`, await picture(figure, kind));
    else copyText(button, embedCode ? addresses.embed(figure, embedCode) : addresses.link(figure));
  });
  $("#save-all").addEventListener("click", () => send("save", { figure: "evaluation", kind: "json" }));
}
