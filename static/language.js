// The page's language: that of the address, else the browser's. index.html is English; other words lie beside it as data.

import { $, $$, $as, element } from "./dom.js";

const { languages, language: chosen } = globalThis.first; // tags and names by the languages' keys
const keys = Object.keys(languages);
const wanted = new URLSearchParams(location.search).get("lang") ?? "";

/** The language that the address asks for, or empty. */
export const asked = keys.includes(wanted) ? wanted : "";

/** The language of the page. */
export const language = chosen;
const other = keys[(keys.indexOf(language) + 1) % keys.length];

/**
 * Puts the sentence into the order of another language: its buttons move to where the template names them.
 * @param {Element} sentence
 * @param {string} template
 */
function arrange(sentence, template) {
  const buttons = Object.fromEntries($$("[data-open]", sentence).map((button) => [button.dataset.open, button]));
  const [before, ...rest] = template.split("{");
  const parts = rest.flatMap((part) => {
    const [, name, stop, text] = part.match(/^(\w+)\}(\p{Po}?)(.*)$/u) ?? ["", "", "", part];
    const kept = element("span", "", { className: "kept" }); // a button and the stop behind it
    kept.append(buttons[name], stop);
    return [kept, text];
  });
  sentence.replaceChildren(before, ...parts);
}

/** Says the page's own words in its language. */
export function translate() {
  document.documentElement.lang = languages[language].tag;
  const data = $(`#words-${language}`);
  if (!data) return;
  /** @type {Record<string, string>} */
  const words = JSON.parse(data.textContent);
  document.title = words.title;
  const templates = [...document.querySelectorAll("template")];
  for (const part of [document, ...templates.map((template) => template.content)]) {
    for (const target of $$("[data-text]", part)) target.textContent = words[target.dataset.text ?? ""];
    for (const target of $$("[data-address]", part)) target.setAttribute("href", words[target.dataset.address ?? ""]);
    for (const target of $$("[data-label]", part)) target.setAttribute("aria-label", words[target.dataset.label ?? ""]);
  }
  arrange($(".say"), words.say);
}

/**
 * Makes the switch lead to this setting in the next language.
 * @param {(language: string) => string} address
 */
export function switchLink(address) {
  const link = $as(HTMLAnchorElement, "#language");
  link.href = address(other);
  link.hreflang = link.lang = languages[other].tag;
  link.textContent = languages[other].name;
}
