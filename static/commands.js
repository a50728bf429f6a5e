// What a reader takes along to an engine: commands that serve this setting, and those that measure it.

import { $, element, fill } from "./dom.js";

const panel = $("#use");

/** Shows the commands of the engine that was asked for. */
export function showUse(use) {
  if (!use) return;
  fill($(".steps", panel), use.steps, ({ title, command }) => {
    const step = element("li");
    const words = element("code", command);
    const box = element("pre", "", { tabIndex: 0 });
    box.append(words);
    box.setAttribute("aria-label", title);
    const copy = element("button", $("[data-text=copy_command]", panel).textContent, { type: "button", className: "quiet" });
    copy.dataset.command = "";
    copy.setAttribute("aria-label", `${copy.textContent}: ${title}`);
    const head = element("p", title);
    head.append(" ", copy);
    step.append(head, box);
    return step;
  });
  fill($(".use-notes", panel), use.notes, (note) => element("li", note));
  fill($(".sources", panel), use.sources, (address) => {
    const item = element("li");
    item.append(element("a", new URL(address).host + new URL(address).pathname, { href: address, rel: "noreferrer", target: "_blank" }));
    return item;
  });
}

/**
 * Lets the panel act.
 * @param {(name: string, value: unknown) => void} send Tells Python.
 * @param {(button: Element, text: string) => void} copyText Copies a text and says so on the button.
 */
export function useUse(send, copyText) {
  const ask = () => send("use", panel.open ? $("#engine-choice").value : "");
  panel.addEventListener("toggle", ask);
  $("#engine-choice").addEventListener("change", ask);
  panel.addEventListener("click", ({ target }) => {
    if ("command" in (target.dataset ?? {})) copyText(target, $("code", target.closest("li")).textContent);
  });
}
