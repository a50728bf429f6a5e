// The page on a Panel server: its Python is a session there. Bokeh keeps the document in step; the page's own words, and
// what the reader does outside of the widgets, go as messages of the document.

import { drawRoots } from "./draw-document.js";
import { build } from "./worker-start.js";

const CHANNEL = "roofline"; // as roofline_app.page.runtime.server

function ownSession() {
  const { pull_session } = globalThis.Bokeh.require("client/connection");
  const address = new URL(`${location.pathname.replace(/\/+$/, "")}/ws`, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  return pull_session(address.href, build.session.token, location.search.slice(1));
}

/**
 * Draws the document of the page's session and links both.
 * @param {object} page As for the loader's `connect`.
 * @param {(name: string, value: string) => void} mark Tells styles and tests how far the page is.
 * @returns {Promise<(name: string, value: unknown) => void>} Tells Python of what the reader does.
 */
export async function joinSession(page, mark) {
  const { document: drawn } = await ownSession();
  const { MessageSentEvent } = globalThis.Bokeh.require("document/events");
  const send = (name, value) => {
    drawn._trigger_on_change(new MessageSentEvent(drawn, CHANNEL, JSON.stringify({ name, value: value ?? null })));
  };
  drawn.on_message(CHANNEL, (state) => page.onState(JSON.parse(state)));
  const roots = Object.fromEntries(drawn.roots().map(({ name, id }) => [name, id]));
  const { rest } = await drawRoots(drawn, roots, page.onDrawn ?? (() => {}));
  page.onState(build.session.state);
  if (page.theme !== build.session.state.theme) send("theme", page.theme);
  mark("drawn", "yes");
  await rest;
  return send;
}
