// Elements found, made and filled; everything is set as text.

/** @type {WeakMap<Element, string>} What a list shows, as JSON. */
const shown = new WeakMap();

/**
 * Returns the first element that fits, which the page is known to have.
 * @param {string} selector
 * @param {ParentNode} [root]
 */
export const $ = (selector, root = document) => /** @type {HTMLElement} */ (root.querySelector(selector));

/**
 * Returns all elements that fit.
 * @param {string} selector
 * @param {ParentNode} [root]
 */
export const $$ = (selector, root = document) => /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)]);

/**
 * Returns the first element that fits, as one of its kind.
 * @template {HTMLElement} Kind
 * @param {new () => Kind} kind
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {Kind}
 * @throws {TypeError} Where there is none of this kind.
 */
export function $as(kind, selector, root = document) {
  const found = root.querySelector(selector);
  if (found instanceof kind) return found;
  throw new TypeError(`${selector} is no ${kind.name}`);
}

/**
 * The element that an event began at, or the one around it that fits.
 * @param {Event} event
 * @param {string} selector
 */
export function closest({ target }, selector) {
  return target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest(selector)) : null;
}

/**
 * Makes an element that holds a text.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} [text]
 * @param {Record<string, unknown>} [properties]
 */
export function element(tag, text = "", properties = {}) {
  const made = document.createElement(tag);
  Object.assign(made, properties);
  made.textContent = text;
  return made;
}

/**
 * Sets a text where it is another.
 * @param {Element | null | undefined} target
 * @param {string} text
 */
export function setText(target, text) {
  if (target && target.textContent !== text) target.textContent = text;
}

/**
 * Fills a list again only where what it shows has changed.
 * @template Item
 * @param {Element} target
 * @param {readonly Item[]} items
 * @param {(item: Item, index: number) => Node} make
 */
export function fill(target, items, make) {
  const text = JSON.stringify(items);
  if (shown.get(target) === text) return;
  shown.set(target, text);
  target.replaceChildren(...items.map(make));
}

/**
 * Adds to a list what the next filling removes, even with the same items.
 * @param {Element} target
 * @param {Node} node
 */
export function addUntilFilled(target, node) {
  target.append(node);
  shown.delete(target);
}
