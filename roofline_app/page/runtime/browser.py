"""Entry points of the worker: build the page for an address, and answer the user's actions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Literal, Protocol

from bokeh.document import Document
from bokeh.io.doc import set_curdoc
from panel.io.state import state as panel_state

from roofline_app.page.page import Page
from roofline_app.page.runtime.sync import Send, Sync

PREPARED_THEME: Literal["light"] = "light"


class AnyPage(Protocol):
    """What a page must offer to be linked."""

    @property
    def document(self) -> Document:
        """The document, its roots named."""

    @property
    def language(self) -> str:
        """Language of the words."""

    def state(self) -> Mapping[str, object]:
        """What the page shows besides the document, as JSON values."""

    def handle(self, name: str, value: object) -> None:
        """Handle an event from outside of the document's widgets."""


class Session:
    """A page and its link to the browser."""

    def __init__(self, page: AnyPage, send: Send | None = None) -> None:
        """Link a page; changes go to `send` from now on, or nowhere until there is one."""
        self.page = page
        document = page.document
        document._session_context = None  # changes are handled in the same call
        document.callbacks._held_events.clear()  # the first rendering holds them all
        document.callbacks._hold = None  # unhold() would send them again
        self.attend()
        panel_state._loaded[document] = panel_state._connected[document] = True  # as on a server
        self.opening = opening(page)
        self.link = Sync(document, page.state, send)

    def attend(self) -> None:
        """Make this page the one that Bokeh and Panel mean by the current one."""
        set_curdoc(self.page.document)
        panel_state.curdoc = self.page.document

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

    def open_again(self) -> str:
        """Return the first drawing of the page as it is now, see `opening`."""
        self.opening = opening(self.page)
        return self.opening

    def resume(self, query: str, theme: str, send: Send) -> None:
        """Take over from the rendering that the browser has drawn: the default page in one of the themes.

        Args:
            query: Query string of the address; what it changes goes to `send` as an ordinary patch.
            theme: Colours of that rendering.
            send: Takes the changes from now on.
        """
        if theme != PREPARED_THEME:
            with self.link.turn():
                self.page.handle("theme", theme)
        self.link.send_to(send)
        if query:
            with self.link.turn():
                self.page.handle("query", query)


def opening(page: AnyPage) -> str:
    """Return the browser's first drawing: JSON of the documents, the ids of the roots by name, and the state."""
    documents = {"page": page.document.to_json(deferred=False)}
    roots = {root.name: root.id for root in page.document.roots}
    return json.dumps({"documents": documents, "roots": roots, "state": page.state()})


_sessions: list[Session] = []
_joined: dict[str, Session] = {}


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


def prepare(language: str) -> str:
    """Build the default page, for `resume` to go on with; return what to draw, see `opening`."""
    session = Session(Page("", PREPARED_THEME, language))
    _sessions[:] = [session]
    return session.opening


def resume(query: str, theme: Literal["light", "dark"], language: str, send: Send) -> str:
    """Go on with the default page that was prepared, here or when the site was built.

    Args:
        query: Query string of the address, without question mark.
        theme: Colours of the page that the user has.
        language: Language of the page.
        send: Takes the changes that follow; see `Link`.

    Returns:
        Empty where the prepared page serves; else what to draw in its place, see `opening`.
    """
    if language != current().page.language:
        return start(query, theme, language, send)
    current().resume(query, theme, send)
    return ""


def see(figures: str) -> None:
    """Note the figures on the screen, a JSON list of names, before `resume`: the others need not be computed.

    Later ones come one by one, as `show` events.
    """
    current().page.handle("on-screen", json.loads(figures))


def current() -> Session:
    """Return the user's page."""
    return _sessions[-1]


def join(name: str, query: str, theme: Literal["light", "dark"], language: str, send: Send) -> str:
    """Build one more page, beside the one that `current` returns: several embeds share one Python.

    Args:
        name: Of its session.
        query: Query string of the address, without question mark.
        theme: Colours.
        language: Language of the page.
        send: Takes the changes that follow; see `Link`.

    Returns:
        What to draw, see `opening`.
    """
    _joined[name] = Session(Page(query, theme, language), send)
    return _joined[name].opening


def leave(name: str) -> None:
    """Forget a page that has joined; the first one stays."""
    _joined.pop(name, None)


def turn(patch: str, events: str, name: str = "") -> None:
    """Apply one message of the first page, or of a page that has joined; see `Session.turn`."""
    session = _joined[name] if name else current()
    if _joined:
        session.attend()
    session.turn(patch, events)
