// The page's language: that of the address, else the browser's. index.html is English; other words lie beside it as data.

import { $, $$ } from "./dom.js";

const TAGS = { en: "en", zh: "zh-Hans" };
const NAMES = { en: "English", zh: "中文" };
const wanted = new URLSearchParams(location.search).get("lang");

/** The language that the address asks for, or empty. */
export const asked = wanted in TAGS ? wanted : "";

/** The language of the page. */
export const language = globalThis.first.language;
const other = language === "en" ? "zh" : "en";

/** Puts the sentence into the order of another language: its buttons move to where the template names them. */
function arrange(sentence, template) {
  const buttons = Object.fromEntries($$("[data-open]", sentence).map((button) => [button.dataset.open, button]));
  sentence.replaceChildren(...template.split(/[{}]/).map((part, index) => (index % 2 ? buttons[part] : part)));
}

/** Says the page's own words in its language. */
export function translate() {
  document.documentElement.lang = TAGS[language];
  const data = $(`#words-${language}`);
  if (!data) return;
  const words = JSON.parse(data.textContent);
  document.title = words.title;
  for (const part of [document, ...$$("template").map((template) => template.content)]) {
    for (const target of $$("[data-text]", part)) target.textContent = words[target.dataset.text];
    for (const target of $$("[data-label]", part)) target.setAttribute("aria-label", words[target.dataset.label]);
  }
  arrange($(".say"), words.say);
}

/** Makes the switch lead to this setting in the other language. */
export function switchLink(address) {
  const link = $("#language");
  link.href = address(other);
  link.hreflang = link.lang = TAGS[other];
  link.textContent = NAMES[other];
}
