// Draws a document with BokehJS: what is on the screen first, the rest in pauses, so that the page answers meanwhile.

/** @import { Opening } from "./types/protocol" */

/**
 * @typedef {object} Drawing
 * @property {any} drawn BokehJS's document.
 * @property {Promise<void>} rest The end of the drawing of what is not on the screen.
 * @property {() => void} complete Makes all models of the document at once, if they are not there yet.
 * @property {() => boolean} isComplete Whether they are.
 */
/** @typedef {{name: string, id: string, index: number, element: Element}} Place */
/** @typedef {(name: string, element: Element) => void} OnDrawn */

const LONGEST_FRAME_MS = 100;
const FIRST_FIGURE = "[data-figure] [data-root]"; // its curves follow every control, on the screen or not

/** @returns {Promise<void>} */
const nextTask = () => new Promise((resolve) => setTimeout(resolve));

/** The answer to a touch is on the screen; a page that nobody sees has no frames. */
function painted() {
  const frame = new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return Promise.race([frame, new Promise((resolve) => setTimeout(resolve, LONGEST_FRAME_MS))]);
}

/** @param {Element} element */
function isOnScreen(element) {
  const { top, width } = element.getBoundingClientRect();
  return width > 0 && top < innerHeight;
}

/**
 * The elements of roots, in the order of the document.
 * @param {Record<string, string>} roots
 * @returns {Place[]}
 */
function placesOf(roots) {
  return Object.entries(roots).flatMap(([name, id], index) => {
    const element = document.querySelector(`[data-root="${CSS.escape(name)}"]`);
    return element ? [{ name, id, index, element }] : [];
  });
}

/**
 * BokehJS renders all roots of a document at once: it is given one without any, and its roots one by one after.
 * @param {any} drawn
 */
async function emptyRendering(drawn) {
  const withoutRoots = Object.create(drawn, { all_roots: { value: [] } });
  const views = await globalThis.Bokeh.embed.add_document_standalone(withoutRoots, document.body);
  drawn.views_manager = views;
  return views;
}

/**
 * @param {any} drawn
 * @param {any} views
 * @param {Place} place
 * @param {OnDrawn} onDrawn
 * @param {AbortSignal} [signal]
 */
async function drawRoot(drawn, views, { name, id, element }, onDrawn, signal) {
  if (signal?.aborted) return;
  const view = await views.build_view(drawn.get_model_by_id(id));
  if (signal?.aborted) return;
  element.replaceChildren();
  view.build(element);
  globalThis.Bokeh.index.add(view);
  onDrawn(name, element);
}

/**
 * Draws a document's roots into the elements that name them.
 * @param {any} drawn BokehJS's document.
 * @param {Record<string, string>} roots Roots' ids by name.
 * @param {(name: string, element: Element) => void} onDrawn Told of each root.
 * @param {AbortSignal} [signal] Ends the drawing where another document takes this one's place.
 * @param {() => Promise<void>} [complete] Called when what is on the screen is drawn: other roots may lack their models, and
 *   wait, until it is done.
 * @returns {Promise<{rest: Promise<void>}>} Once what is on the screen is drawn: the end of the rest.
 */
export async function drawRoots(drawn, roots, onDrawn, signal, complete = nextTask) {
  const views = await emptyRendering(drawn);
  const places = placesOf(roots);
  const first = places.filter(({ element }) => isOnScreen(element));
  for (const place of first) await drawRoot(drawn, views, place, onDrawn, signal);
  const others = async () => {
    await complete();
    for (const place of places.filter((one) => !first.includes(one))) {
      await nextTask();
      await drawRoot(drawn, views, place, onDrawn, signal);
    }
  };
  return { rest: others() };
}

/**
 * Makes the rest of a document's roots, with all that belongs to them; BokehJS itself would draw them at once, anywhere.
 * @param {any} drawn
 * @param {unknown[]} models
 */
function addRoots(drawn, models) {
  const { Deserializer } = globalThis.Bokeh.require("core/serialization/deserializer");
  const attach = (/** @type {any} */ model) => model.attach_document(drawn);
  drawn._add_roots(...new Deserializer(drawn.resolver, drawn._all_models, attach).decode(models));
}

/**
 * Draws a document from its JSON. A root's JSON holds what no earlier root has brought, so that the roots up to the last one
 * on the screen can be made without the others, which are most of the document.
 * @param {Opening} opening
 * @param {OnDrawn} onDrawn Told of each root.
 * @param {AbortSignal} signal Ends the drawing where another document takes this one's place.
 * @param {Promise<void>} calm What is not on the screen waits for it.
 * @returns {Promise<Drawing>} Once what is on the screen is drawn.
 */
export async function drawDocument({ documents, roots }, onDrawn, signal, calm) {
  const { Document } = globalThis.Bokeh.require("document");
  const [{ roots: models, ...whole }] = /** @type {{roots: unknown[]}[]} */ (Object.values(documents));
  const places = placesOf(roots);
  const always = document.querySelector(FIRST_FIGURE);
  const first = places.filter(({ element }) => isOnScreen(element) || element === always);
  const needed = Math.max(0, ...first.map(({ index }) => index + 1));
  const drawn = Document.from_json({ ...whole, roots: models.slice(0, needed) });
  let missing = models.slice(needed);
  const complete = () => {
    if (missing.length && !signal.aborted) addRoots(drawn, missing);
    missing = [];
  };
  const completeLater = async () => {
    await calm;
    await painted();
    complete();
  };
  const { rest } = await drawRoots(drawn, roots, onDrawn, signal, completeLater);
  return { drawn, rest, complete, isComplete: () => !missing.length };
}
