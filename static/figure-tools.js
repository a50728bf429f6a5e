// What stands below every figure: its table, how it is computed, and files and links to take along.

/** @import { Send } from "./types/messages" */

import { download, picture } from "./export.js";
import { $, $$, $as, closest } from "./dom.js";
import { build } from "./worker-start.js";

/** Puts the tools below each figure, in the language of the page. */
export function placeTools() {
  for (const figure of $$("[data-figure]")) {
    const name = figure.dataset.figure ?? "";
    const tools = /** @type {DocumentFragment} */ ($as(HTMLTemplateElement, "#figure-tools").content.cloneNode(true));
    $(".twin", tools).dataset.table = name;
    $(".working", tools).dataset.working = name;
    $(".scroll", tools).setAttribute("aria-labelledby", `title-${name}`);
    $("[data-text=copy_table]", tools).dataset.copy = name;
    if (build.inlined) for (const button of $$("[data-embed-code]", tools)) button.remove(); // there is no site to embed
    figure.append(tools);
  }
}

/**
 * Hands a figure's picture over: BokehJS's own, whereas the race's pictures are Python's.
 * @param {HTMLElement} section
 * @param {string} figure
 * @param {string} kind
 * @param {Send} send
 */
async function takePicture(section, figure, kind, send) {
  if (!$(".plot", section)) send("save", { figure, kind });
  else if (kind === "svg" || kind === "png") {
    download(`speculation-roofline-${figure}.${kind}`, await picture(figure, kind));
  }
}

/**
 * Lets the tools act.
 * @param {Send} send
 * @param {(button: Element, text: string) => void} copyText Copies a text and says so on the button.
 * @param {{link: (figure: string) => string, embed: (figure: string, kind: "element" | "iframe") => string}} addresses The address of one
 *   figure alone, and the markup that embeds it.
 */
export function useTools(send, copyText, addresses) {
  for (const details of document.querySelectorAll("details")) {
    const { table, working } = details.dataset;
    const figure = table ?? working;
    if (!figure) continue;
    const name = table ? "table" : "working";
    details.addEventListener("toggle", () => send(name, { figure, open: details.open }));
  }
  document.addEventListener("click", (event) => {
    const button = closest(event, "[data-save], [data-picture], [data-share], [data-embed-code]");
    const section = /** @type {HTMLElement | null} */ (button?.closest("[data-figure]"));
    const figure = section?.dataset.figure;
    if (!button || !section || !figure) return;
    const { save, picture: kind, embedCode } = button.dataset;
    if (save) send("save", { figure, kind: save });
    else if (kind) takePicture(section, figure, kind, send);
    else if (embedCode === "element" || embedCode === "iframe") copyText(button, addresses.embed(figure, embedCode));
    else copyText(button, addresses.link(figure));
  });
  $("#save-all").addEventListener("click", () => send("save", { figure: "evaluation", kind: "json" }));
}
