// What Python knows of a page besides its address: told again where another Python takes over.

/** @import { Events, PageState } from "./types/protocol" */

/** @typedef {{name: string, value: any}} PageEvent */

/** Of these the last value counts, of each figure, column or switch. @type {Record<string, (value: any) => string>} */
const LAST = {
  theme: () => "",
  narrow: () => "",
  use: () => "",
  validation: () => "",
  show: ({ figure }) => figure,
  table: ({ figure }) => figure,
  working: ({ figure }) => figure,
  switch: ({ name }) => name,
  race: ({ column }) => column,
};
const OF_FILES = ["files", "draft-length", "fit-points"]; // in their order, until the files are removed

export class KeptEvents {
  /** @type {Map<string, PageEvent>} */
  #events = new Map();
  #count = 0;

  /**
   * Notes what is told.
   * @param {string} name
   * @param {unknown} value
   */
  note(name, value) {
    if (name === "clear-points") this.#forgetFiles();
    const key = LAST[name] ? `${name} ${LAST[name](value)}` : `${name} #${this.#count++}`;
    if (!LAST[name] && !OF_FILES.includes(name)) return;
    this.#events.delete(key);
    this.#events.set(key, { name, value });
  }

  /** @returns {Events["theme"] | undefined} */
  get theme() {
    return this.#events.get("theme ")?.value;
  }

  /**
   * What to tell a Python that has opened the address of a state.
   * @param {PageState | null} state
   * @returns {PageEvent[]}
   */
  after(state) {
    const events = [...this.#events.values()];
    const cards = state?.drafters ?? [];
    const hidden = cards.flatMap((card, line) =>
      card.hidden ? [{ name: "hide", value: { line, hidden: true } }] : [],
    );
    const isMoved = events.some(({ name }) => OF_FILES.includes(name)); // a file can hold a setting
    return [...events, ...(isMoved && state ? [{ name: "query", value: state.query }] : []), ...hidden];
  }

  #forgetFiles() {
    for (const [key, { name }] of this.#events) if (OF_FILES.includes(name)) this.#events.delete(key);
  }
}
