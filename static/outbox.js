// Messages from page to worker: one in flight, the last value of each model's attribute, events in order.

/** @import { TurnMessage } from "./types/messages" */

// What a reader does to a view (zoom, legend, hover) is of no interest to Python.
const VIEW_ONLY = /(Range1d|DataRange1d|Figure|Plot|Toolbar|Canvas|Tool|Legend|Title|Axis)$/;

/** @typedef {{kind: string, model?: {type: string, id: string}, attr?: string}} DocumentEvent */
/** @typedef {{create_json_patch: (events: DocumentEvent[]) => unknown}} Drawn BokehJS's document. */

export class Outbox {
  /** @type {Map<string, DocumentEvent>} */
  #changes = new Map();

  /** @type {{name: string, value: unknown}[]} */
  #events = [];

  #inFlight = false;
  #unnamed = 0;

  /** @param {(message: TurnMessage) => void} post */
  constructor(post) {
    this.post = post;
    /** @type {Drawn | null} */
    this.drawn = null;
    this.open = false;
  }

  /**
   * Takes what has changed in the document.
   * @param {DocumentEvent} event
   */
  change(event) {
    const { kind, model, attr } = event;
    const isChange = kind === "ModelChanged" && model;
    if (isChange && VIEW_ONLY.test(model.type)) return;
    const key = isChange ? `${model.id}.${attr}` : `#${this.#unnamed++}`;
    this.#changes.delete(key);
    this.#changes.set(key, event);
    this.flush();
  }

  /**
   * Takes what the reader did outside of the document's widgets.
   * @param {string} name
   * @param {unknown} value
   */
  event(name, value) {
    this.#events.push({ name, value });
    this.flush();
  }

  /** Whether everything that the reader did is answered. */
  get isIdle() {
    return !this.#inFlight && !this.#events.length;
  }

  answered() {
    this.#inFlight = false;
    this.flush();
  }

  /** Another document takes this one's place: changes of the old one mean nothing to it. */
  forgetChanges() {
    this.#changes.clear();
  }

  flush() {
    if (!this.open || !this.drawn || this.#inFlight || !(this.#changes.size || this.#events.length)) return;
    const patch = this.#changes.size ? JSON.stringify(this.drawn.create_json_patch([...this.#changes.values()])) : "";
    this.#inFlight = true;
    this.post({ type: "turn", patch, events: JSON.stringify(this.#events) });
    this.#changes.clear();
    this.#events = [];
  }
}
