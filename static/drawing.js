// Draws a document with BokehJS: what is on the screen first, the rest in pauses, so that the page answers meanwhile.

const nextTask = () => new Promise((resolve) => setTimeout(resolve));

function isOnScreen(element) {
  const { top, width } = element.getBoundingClientRect();
  return width > 0 && top < innerHeight;
}

/** BokehJS renders all roots of a document at once: it is given one without any, and its roots one by one after. */
async function emptyRendering(drawn) {
  const withoutRoots = Object.create(drawn, { all_roots: { value: [] } });
  const views = await globalThis.Bokeh.embed.add_document_standalone(withoutRoots, document.body);
  drawn.views_manager = views;
  return views;
}

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
 * @param {object} drawn BokehJS's document.
 * @param {Record<string, string>} roots Roots' ids by name.
 * @param {(name: string, element: Element) => void} onDrawn Told of each root.
 * @param {AbortSignal} [signal] Ends the drawing where another document takes this one's place.
 * @returns {Promise<{rest: Promise<void>}>} Once what is on the screen is drawn: the end of the rest.
 */
export async function drawRoots(drawn, roots, onDrawn, signal) {
  const views = await emptyRendering(drawn);
  const places = [];
  for (const [name, id] of Object.entries(roots)) {
    const element = document.querySelector(`[data-root="${CSS.escape(name)}"]`);
    if (element) places.push({ name, id, element });
  }
  const first = places.filter(({ element }) => isOnScreen(element));
  for (const place of first) await drawRoot(drawn, views, place, onDrawn, signal);
  const others = async () => {
    for (const place of places.filter((one) => !first.includes(one))) {
      await nextTask();
      await drawRoot(drawn, views, place, onDrawn, signal);
    }
  };
  return { rest: others() };
}

/**
 * Draws a document from its JSON.
 * @param {{documents: object, roots: Record<string, string>}} opening Documents' JSON, and roots' ids by name.
 * @param {(name: string, element: Element) => void} onDrawn Told of each root.
 * @param {AbortSignal} signal Ends the drawing where another document takes this one's place.
 * @returns {Promise<{drawn: object, rest: Promise<void>}>} BokehJS's document once what is on the screen is drawn; and
 *   the end of the rest.
 */
export async function drawDocument({ documents, roots }, onDrawn, signal) {
  const { Document } = globalThis.Bokeh.require("document");
  const drawn = Document.from_json(Object.values(documents)[0]);
  return { drawn, ...(await drawRoots(drawn, roots, onDrawn, signal)) };
}
