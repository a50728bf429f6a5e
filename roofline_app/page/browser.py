"""What the worker calls: build the page for an address, and answer to what its reader does."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Literal, Protocol

from bokeh.document import Document
from bokeh.io.doc import set_curdoc
from panel.io.state import state as panel_state

from roofline_app.page.link import Link, Send
from roofline_app.page.page import Page


class AnyPage(Protocol):
    """What a page must offer to be linked."""

    @property
    def document(self) -> Document:
        """The document, its roots named."""

    def state(self) -> Mapping[str, object]:
        """What the page shows besides the document, as JSON values."""

    def handle(self, name: str, value: object) -> None:
        """Take what the reader did outside of the document's widgets."""


class Session:
    """A page and its link to the browser."""

    def __init__(self, page: AnyPage, send: Send) -> None:
        """Link a page; changes go to `send` from now on."""
        self.page = page
        document = page.document
        document._session_context = None  # changes are handled in the same call
        document.callbacks._held_events.clear()  # the first rendering holds them all
        document.callbacks._hold = None  # unhold() would send them again
        set_curdoc(document)
        panel_state.curdoc = document
        panel_state._loaded[document] = panel_state._connected[document] = True  # as on a server
        self.opening = opening(page)
        self.link = Link(document, page.state, send)

    def turn(self, patch: str, events: str) -> None:
        """Apply one message of the page; the answer is one patch.

        Args:
            patch: JSON of a patch, or empty.
            events: JSON list of {"name", "value"}.
        """
        with self.link.turn():
            if patch:
                self.link.receive(patch)
            for event in json.loads(events):
                self.page.handle(event["name"], event["value"])


def opening(page: AnyPage) -> str:
    """Return what the browser draws first: JSON of the documents, the ids of the roots by name, and the state."""
    documents = {"page": page.document.to_json(deferred=False)}
    roots = {root.name: root.id for root in page.document.roots}
    return json.dumps({"documents": documents, "roots": roots, "state": page.state()})


_sessions: list[Session] = []


def start(query: str, theme: Literal["light", "dark"], language: str, send: Send) -> str:
    """Build the page of an address.

    Args:
        query: Query string of the address, without question mark.
        theme: Colours.
        language: Language of the page.
        send: Takes the changes that follow; see `Link`.

    Returns:
        What to draw, see `opening`.
    """
    session = Session(Page(query, theme, language), send)
    _sessions[:] = [session]
    return session.opening


def turn(patch: str, events: str) -> None:
    """Apply one message of the page; see `Session.turn`."""
    _sessions[-1].turn(patch, events)
