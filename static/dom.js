// Elements found, made and filled; everything is set as text.

export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

/** Makes an element that holds a text. */
export function element(tag, text = "", properties = {}) {
  const made = Object.assign(document.createElement(tag), properties);
  made.textContent = text;
  return made;
}

/** Sets a text where it is another. */
export function setText(target, text) {
  if (target && target.textContent !== text) target.textContent = text;
}

/** Fills a list again only where what it shows has changed. */
export function fill(target, items, make) {
  const shown = JSON.stringify(items);
  if (target.shown === shown) return;
  target.shown = shown;
  target.replaceChildren(...items.map(make));
}
