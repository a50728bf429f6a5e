// The page on a Panel server: its Python is a session there. Bokeh keeps the document in step; the page's own words, and
// what the reader does outside of the widgets, go as messages of the document.

/** @import { PageLink, Send } from "./types/messages" */
/** @import { ServerSession } from "./types/protocol" */

import { drawRoots } from "./draw-document.js";

/** @param {string} token */
function ownSession(token) {
  const { pull_session } = globalThis.Bokeh.require("client/connection");
  const address = new URL(`${location.pathname.replace(/\/+$/, "")}/ws`, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  return pull_session(address.href, token, location.search.slice(1));
}

/**
 * Draws the document of the page's session and links both.
 * @param {ServerSession} session
 * @param {PageLink} page
 * @param {(name: string, value: string) => void} mark Tells styles and tests how far the page is.
 * @returns {Promise<Send>}
 */
export async function joinSession({ token, channel, state }, page, mark) {
  const { document: drawn } = await ownSession(token);
  const { MessageSentEvent } = globalThis.Bokeh.require("document/events");
  /** @type {Send} */
  const send = (name, value) => {
    drawn._trigger_on_change(new MessageSentEvent(drawn, channel, JSON.stringify({ name, value: value ?? null })));
  };
  drawn.on_message(channel, (/** @type {string} */ text) => page.onState(JSON.parse(text)));
  /** @type {{name: string, id: string}[]} */
  const models = drawn.roots();
  const roots = Object.fromEntries(models.map(({ name, id }) => [name, id]));
  const { rest } = await drawRoots(drawn, roots, page.onDrawn ?? (() => {}));
  page.onState(state);
  if (page.theme !== state.theme) send("theme", page.theme);
  mark("drawn", "yes");
  await rest;
  return send;
}
