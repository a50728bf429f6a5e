// Links the page with its Python: starts the worker, draws the document it sends, and keeps both in step.

// What a reader does to a view (zoom, legend, hover) is of no interest to Python.
const VIEW_ONLY = /(Range1d|DataRange1d|Figure|Plot|Toolbar|Canvas|Tool|Legend|Title|Axis)$/;

/**
 * Starts Python for this page.
 * @param {{query: string, theme: string, language: string, onProgress: (stage: string, done: number, total: number) => void,
 *   onState: (state: object) => void, onReady: () => void, onError: (text: string, fatal: boolean) => void}} page
 * @returns {{send: (name: string, value: unknown) => void}} Tells Python of what the reader does outside of its widgets.
 */
export function connect({ query, theme, language, onProgress, onState, onReady, onError }) {
  const build = JSON.parse(document.getElementById("build").textContent);
  const base = document.baseURI;
  const worker = new Worker(new URL(build.worker, base), { type: "module" });
  const changes = new Map(); // last value of each model's attribute
  let events = []; // what the page said by send(), in order
  let waiting = []; // patches that came before the document was drawn
  let drawn = null; // BokehJS's document
  let inFlight = false;
  let patching = false;
  let unnamed = 0;

  const mark = (stage) => {
    document.documentElement.dataset.python = stage; // for styles and tests: starting, ready or failed
  };
  mark("starting");

  // A reader gets the last line, which says what is wrong; the whole goes to the console.
  function fail(text, fatal) {
    console.error(text);
    if (fatal) mark("failed");
    onError(text.trim().split("\n").at(-1), fatal);
  }

  function flush() {
    if (!drawn || inFlight || !(changes.size || events.length)) return;
    const patch = changes.size ? JSON.stringify(drawn.create_json_patch([...changes.values()])) : "";
    inFlight = true;
    worker.postMessage({ type: "turn", patch, events: JSON.stringify(events) });
    changes.clear();
    events = [];
  }

  function changed(event) {
    const isChange = event.kind === "ModelChanged";
    if (patching || (isChange && VIEW_ONLY.test(event.model.type))) return;
    const key = isChange ? `${event.model.id}.${event.attr}` : `#${unnamed++}`;
    changes.delete(key);
    changes.set(key, event);
    flush();
  }

  function apply({ text, table, bytes, state }) {
    if (text) {
      const buffers = new Map();
      for (const [id, offset, length] of JSON.parse(table)) {
        const start = bytes.byteOffset + offset;
        buffers.set(id, bytes.buffer.slice(start, start + length));
      }
      patching = true;
      try {
        drawn.apply_json_patch(JSON.parse(text), buffers);
      } finally {
        patching = false;
      }
    }
    if (state) onState(JSON.parse(state));
  }

  async function draw({ documents, roots, state }) {
    onProgress("draw", 0, 1);
    const elements = {};
    for (const [name, id] of Object.entries(roots)) {
      const element = document.querySelector(`[data-root="${CSS.escape(name)}"]`);
      if (!element) continue;
      element.id ||= `root-${name}`;
      elements[id] = element.id;
    }
    onState(state);
    const item = { docid: Object.keys(documents)[0], roots: elements, root_ids: Object.values(roots) };
    await globalThis.Bokeh.embed.embed_items(documents, [item]);
    drawn = globalThis.Bokeh.documents.at(-1);
    drawn.on_change(changed, false);
    for (const message of waiting) apply(message);
    waiting = [];
    mark("ready");
    onProgress("draw", 1, 1);
    onReady();
    flush();
  }

  const answers = {
    progress: ({ stage, done, total }) => onProgress(stage, done, total),
    document: ({ document: text }) => draw(JSON.parse(text)).catch((error) => fail(String(error), true)),
    patch: (message) => (drawn ? apply(message) : waiting.push(message)),
    turn: ({ messages }) => {
      inFlight = false;
      for (const message of messages) apply(message);
      flush();
    },
    error: ({ text, fatal }) => fail(text, fatal),
  };
  worker.onmessage = ({ data }) => answers[data.type](data);
  worker.onerror = (event) => fail(event.message ?? "The worker did not start.", true);
  worker.postMessage({ type: "start", base, build, query, theme, language });

  return {
    send(name, value) {
      events.push({ name, value });
      flush();
    },
  };
}
