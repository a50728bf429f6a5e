// What a reader takes along to an engine: commands that serve this setting, and those that measure it.

/** @import { CommandStep, EngineCommands } from "./types/protocol" */
/** @import { Send } from "./types/messages" */

import { $, $as, element, fill } from "./dom.js";

const panel = $as(HTMLDetailsElement, "#use");

/** @param {CommandStep} step */
function stepItem({ title, command }) {
  const item = element("li");
  const box = element("pre", "", { tabIndex: 0 });
  box.append(element("code", command));
  box.setAttribute("aria-label", title);
  const words = $("[data-text=copy_command]", panel).textContent;
  const copy = element("button", words, { type: "button", className: "quiet" });
  copy.dataset.command = "";
  copy.setAttribute("aria-label", `${words}: ${title}`);
  const head = element("p", title);
  head.append(" ", copy);
  item.append(head, box);
  return item;
}

/** @param {string} address */
function sourceItem(address) {
  const { host, pathname } = new URL(address);
  const item = element("li");
  item.append(element("a", host + pathname, { href: address, rel: "noreferrer", target: "_blank" }));
  return item;
}

/**
 * Shows the commands of the engine that was asked for.
 * @param {EngineCommands | null} use
 */
export function showUse(use) {
  if (!use) return;
  fill($(".steps", panel), use.steps, stepItem);
  fill($(".use-notes", panel), use.notes, (note) => element("li", note));
  fill($(".sources", panel), use.sources, sourceItem);
}

/**
 * Lets the panel act.
 * @param {Send} send
 * @param {(button: Element, text: string) => void} copyText Copies a text and says so on the button.
 */
export function useUse(send, copyText) {
  const engine = $as(HTMLSelectElement, "#engine-choice");
  const ask = () => send("use", panel.open ? engine.value : "");
  panel.addEventListener("toggle", ask);
  engine.addEventListener("change", ask);
  panel.addEventListener("click", ({ target }) => {
    if (!(target instanceof HTMLElement) || !("command" in target.dataset)) return;
    const item = target.closest("li");
    if (item) copyText(target, $("code", item).textContent);
  });
}
