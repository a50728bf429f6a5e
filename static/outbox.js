// Messages from page to worker: one in flight, the last value of each model's attribute, events in order.

/** @import { TurnMessage } from "./types/messages" */

// What a reader does to a view (zoom, legend, hover) is of no interest to Python.
const VIEW_ONLY = /(Range1d|DataRange1d|Figure|Plot|Toolbar|Canvas|Tool|Legend|Title|Axis)$/;

/** @typedef {{kind: string, model?: {type: string, id: string, name?: string | null}, attr?: string, value?: unknown}} DocumentEvent */
/** @typedef {{create_json_patch: (events: DocumentEvent[]) => unknown, get_model_by_name: (name: string) => any}} Drawn BokehJS's document. */

export class Outbox {
  /** @type {Map<string, DocumentEvent>} */
  #changes = new Map();

  /** @type {{name: string, value: unknown}[]} */
  #events = [];

  #inFlight = false;
  #unnamed = 0;

  /** @type {{changes: DocumentEvent[], events: {name: string, value: unknown}[]}} */
  #sent = { changes: [], events: [] }; // in flight

  /** @type {Map<string, {name: string, attr: string, value: unknown}>} Changes of a document that is gone, by names. */
  #kept = new Map();

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
    this.#sent = { changes: [], events: [] };
    this.flush();
  }

  /** Nobody will answer what is in flight; returns it, and waits to be opened. */
  lost() {
    const sent = this.#sent;
    this.#sent = { changes: [], events: [] };
    this.#inFlight = false;
    this.open = false;
    return sent;
  }

  /**
   * Says again, before all that waits, what nobody has answered.
   * @param {{changes: DocumentEvent[], events: {name: string, value: unknown}[]}} sent
   * @param {{name: string, value: unknown}[]} first What has to be said before it.
   */
  again({ changes, events }, first) {
    for (const change of changes) this.#keep(change);
    this.#events = [...first, ...events, ...this.#events];
  }

  /** Another document takes this one's place, whose models have other ids and the same names. */
  keepChanges() {
    for (const change of this.#changes.values()) this.#keep(change);
    this.#changes.clear();
  }

  /** Makes in the document that is drawn now what was changed in those before it. */
  makeChanges() {
    for (const { name, attr, value } of this.#kept.values()) {
      const model = this.drawn?.get_model_by_name(name);
      if (model) model[attr] = value;
    }
    this.#kept.clear();
  }

  /** @param {DocumentEvent} change */
  #keep({ kind, model, attr, value }) {
    if (kind !== "ModelChanged" || !model?.name || !attr) return;
    this.#kept.set(`${model.name}.${attr}`, { name: model.name, attr, value });
  }

  flush() {
    if (!this.open || !this.drawn || this.#inFlight || !(this.#changes.size || this.#events.length)) return;
    this.#sent = { changes: [...this.#changes.values()], events: this.#events };
    const patch = this.#changes.size ? JSON.stringify(this.drawn.create_json_patch(this.#sent.changes)) : "";
    this.#inFlight = true;
    this.post({ type: "turn", patch, events: JSON.stringify(this.#events) });
    this.#changes.clear();
    this.#events = [];
  }
}
