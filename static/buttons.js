// The page's buttons: what each tells Python, and what is copied.

/** @import { PageState } from "./types/protocol" */
/** @import { Send } from "./types/messages" */

import { absolute, address, wholeAddress } from "./address.js";
import { $, $$, $as, closest, setText } from "./dom.js";
import { notify } from "./notices.js";
import { said } from "./render.js";

const COPIED_MS = 1500;

/** Buttons that tell one thing, by id: the event and its value. @type {Record<string, (send: Send) => unknown>} */
const CLICKS = {
  "add-drafter": (send) => send("add-drafter", null),
  pin: (send) => send("pin", true),
  unpin: (send) => send("pin", false),
  swap: (send) => send("swap", null),
};

/** @param {Element} button */
const isPressed = (button) => button.getAttribute("aria-pressed") === "true";

/**
 * Copies a text and says so on the button; where the browser does not allow it, shows it to be copied by hand.
 * @param {Element} button
 * @param {string} text
 */
export async function copyText(button, text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    notify(text);
    return;
  }
  const words = button.textContent;
  if (words === said("copied")) return;
  setText(button, said("copied"));
  setTimeout(() => setText(button, words), COPIED_MS);
}

/**
 * The answer for a post: headline, verdict and link.
 * @param {PageState} state
 */
function markdown(state) {
  const plain = (/** @type {string} */ text) => text.replace(/[\\`*_[\]<>#|]/g, "\\$&");
  const link = absolute(wholeAddress()).replace(/[()]/g, encodeURIComponent);
  return `**${plain(state.headline_text)}**\n\n${plain(state.verdict)}\n\n[${said("title")}](${link})\n`;
}

/**
 * A table's cells, as a spreadsheet takes them.
 * @param {string} figure
 */
function cells(figure) {
  const rows = $$(`[data-table="${figure}"] tr`).map((row) => $$("th, td", row).map((cell) => cell.textContent));
  return rows.map((texts) => texts.join("\t")).join("\n");
}

/** What a click does on what Python's lists are made of, by the datum that says so. */
const ON_LISTS = {
  /** @type {(target: HTMLElement, preset: string, send: Send) => void} */
  preset: (_target, preset, send) => send("preset", preset),
  /** @type {(target: HTMLElement, line: string, send: Send) => void} */
  remove: (_target, line, send) => send("remove-drafter", Number(line)),
  /** @type {(target: HTMLElement, line: string, send: Send) => void} */
  hide: (target, line, send) => send("hide", { line: Number(line), hidden: !isPressed(target) }),
  /** @type {(target: HTMLElement, figure: string) => void} */
  copy: (target, figure) => void copyText(target, cells(figure)),
};
const LISTED = Object.keys(ON_LISTS)
  .map((name) => `[data-${name}]`)
  .join(", ");

/** @param {Send} send */
function useLists(send) {
  document.addEventListener("click", (event) => {
    const target = closest(event, LISTED);
    if (!target) return;
    if (target.dataset.preset) {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return; // in another tab
      event.preventDefault();
    }
    for (const [name, act] of Object.entries(ON_LISTS)) {
      const value = target.dataset[name];
      if (value) act(target, value, send);
    }
  });
}

/**
 * Lets the buttons act.
 * @param {Send} send
 * @param {() => PageState | null} state Python's last one.
 */
export function useButtons(send, state) {
  for (const button of $$(".switch[aria-pressed]")) {
    button.addEventListener("click", () => send("switch", { name: button.id, on: !isPressed(button) }));
  }
  for (const [id, act] of Object.entries(CLICKS)) $(`#${id}`).addEventListener("click", () => act(send));
  useLists(send);
  const validation = $as(HTMLDetailsElement, "#validation");
  validation.addEventListener("toggle", () => send("validation", validation.open));
  const [link, post] = [$("#copy-link"), $("#copy-markdown")];
  link.addEventListener("click", () => copyText(link, absolute(address())));
  post.addEventListener("click", () => {
    const shown = state();
    if (shown) copyText(post, markdown(shown));
  });
}
