"""The page on a local Panel server: a session for each user, in this Python instead of the browser's.

Bokeh keeps the document in step with the user's; the page's own words, and what a user does outside of the widgets,
go as messages of the document (`static/panel-session.js`).
"""

from __future__ import annotations

import json
import re
import socket
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import jinja2
import panel as pn
from bokeh.document.events import DocumentPatchedEvent, MessageSentEvent
from panel.io.state import set_curdoc, state as panel_state
from tornado.web import HTTPError, RequestHandler, StaticFileHandler

from roofline_app import registry
from roofline_app.page.markup import BOKEH_SCRIPTS, METHOD, POLICY, Front, whole_page
from roofline_app.page.method import METHOD_PAGES, method_pages
from roofline_app.page.page import Page
from roofline_app.page.protocol import PageState, ServerManifest
from roofline_app.page.theme import PALETTES
from roofline_app.text import FALLBACK, LANGUAGES, sentence

CHANNEL = "roofline"
EMBED = "/embed.html"
PRESET = r"/p/([\w.-]+)(?:/(?:index\.html)?)?"
_OWN = "assets"
_LOOKS = ("theme=", "lang=")
_WHOLE = jinja2.Template("{{ page(doc.token) }}")  # Bokeh's server asks for a template
_SCRIPTS = (*(f"static/js/{name}" for name in BOKEH_SCRIPTS), "static/extensions/panel/panel.min.js")


class PageSession:
    """A page of a session of the server.

    Attributes:
        page: The page; its document is the session's.
    """

    def __init__(self, page: Page) -> None:
        """Listen to a page's document and to its user."""
        self.page = page
        self._said = json.dumps(self.state())
        self._scheduled = False
        self._roots = tuple(root.id for root in page.document.roots)
        page.document.on_change(self._changed)
        page.document.on_message(CHANNEL, self._heard)
        page.document.on_session_destroyed(self._forget)

    def state(self) -> PageState:
        """Return the page's words; they say where Python is."""
        state = self.page.state()
        return {**state, "footer": f"{sentence('page.served', self.page.language)} {state['footer']}"}

    def _heard(self, message: str) -> None:
        """Handle an event from outside of the widgets."""
        event = json.loads(message)
        with set_curdoc(self.page.document):
            self.page.handle(event["name"], event["value"])
        self._schedule()

    def _changed(self, event: object) -> None:
        if isinstance(event, DocumentPatchedEvent) and not isinstance(event, MessageSentEvent):
            self._schedule()

    def _schedule(self) -> None:
        """Send the changes, once, when all of them are made."""
        if not self._scheduled:
            self._scheduled = True
            self.page.document.add_next_tick_callback(self._say)

    def _say(self) -> None:
        self._scheduled = False
        state = json.dumps(self.state())
        if state != self._said:
            self._said = state
            message = MessageSentEvent(self.page.document, CHANNEL, state)
            self.page.document.callbacks.trigger_on_change(message)

    def _forget(self, _: object) -> None:
        """Release the widgets, which Panel keeps by their models."""
        for root in self._roots:
            panel_state._views.pop(root, None)


def session_page(index: str, state: PageState, token: str) -> str:
    """Return the page of a session.

    Args:
        index: The page, without what it loads.
        state: The page's words.
        token: By which the browser joins the session.
    """
    front = Front(
        policy=POLICY,
        manifest=ServerManifest(session={"token": token, "channel": CHANNEL, "state": state}),
        first_script=f"{_OWN}/early.js",
        scripts=_SCRIPTS,
        opening={},
        paint={},
        base_url="",
    )
    return front.page(index)


def static_folder() -> Path:
    """Return the folder of what the browser gets besides Python: in an installed package, else beside it."""
    package = Path(__file__).resolve().parents[2]
    installed = package / "static"
    return installed if installed.is_dir() else package.parent / "static"


def index_page(static: Path) -> str:
    """Return the page as the server's addresses need it, with its words in every language."""
    page = whole_page((static / "index.html").read_text(encoding="utf-8"))
    for path in sorted(static.iterdir()):
        if path.name == METHOD:
            continue
        page = page.replace(f'="{path.name}"', f'="{_OWN}/{path.name}"')
    return page


def _language(asked: str, accepted: str) -> str:
    """Return the language that an address asks for, else the browser's first, as `language.js` does."""
    if asked in LANGUAGES:
        return asked
    first = re.split("[-,;]", accepted.strip(), maxsplit=1)[0].lower()
    return first if first in LANGUAGES else FALLBACK


@dataclass(frozen=True, slots=True)
class Application:
    """What a server's address shows.

    Attributes:
        index: The page, without what it loads.
    """

    index: str

    def open_session(self) -> None:
        """Build the page of the request that Panel's server has at hand, in its document."""
        document = pn.state.curdoc
        request = document.session_context.request
        asked = {name: values[0].decode("utf-8", "replace") for name, values in request.arguments.items()}
        theme = asked["theme"] if asked.get("theme") in PALETTES else "light"
        language = _language(asked.get("lang", ""), request.headers.get("Accept-Language", ""))
        link = "&".join(part for part in (request.query or "").split("&") if not part.startswith(_LOOKS))
        session = PageSession(Page(link, theme, language, document))
        document.template = _WHOLE
        document.template_variables["page"] = partial(session_page, self.index, session.state())


class PresetAddress(RequestHandler):
    """A preset's own address, which leads to the page."""

    def get(self, preset: str) -> None:
        """Redirect to the page with this preset.

        Raises:
            HTTPError: Where there is no such preset.
        """
        if preset not in registry.presets():
            raise HTTPError(404)
        link = "&".join(part for part in (f"preset={preset}", self.request.query) if part)
        up = "../" * (self.request.path.count("/") - 1)
        self.redirect(f"{up}?{link}")


class MethodPage(RequestHandler):
    """The page of the method in a language."""

    def initialize(self, static: Path) -> None:
        """Make the pages from the folder of static files."""
        self.pages = method_pages(static, f"{_OWN}/")

    def get(self, name: str) -> None:
        """Send it."""
        self.write(self.pages[name])


def _free_port(address: str) -> int:
    with socket.create_server((address, 0)) as found:
        return int(found.getsockname()[1])


def serve(port: int, address: str) -> None:
    """Serve the page until interrupted.

    Args:
        port: 0 takes a free one.
        address: Of the interface to listen on.

    Raises:
        OSError: Where the port or the address cannot be had.
    """
    running = server(port, address)
    running.start()
    print(f"http://{address}:{running.port}/", flush=True)  # noqa: T201 - where to go
    running.io_loop.start()  # Panel ends it on an interrupt


def server(port: int, address: str = "127.0.0.1") -> Any:
    """Return Panel's server of the page, not yet started.

    Args:
        port: 0 takes a free one.
        address: Of the interface to listen on.

    Raises:
        OSError: Where the port or the address cannot be had.
    """
    static = static_folder()
    index = index_page(static)
    embed = index.replace("<html ", "<html data-embed ", 1)
    port = port or _free_port(address)
    return pn.io.server.get_server(
        {"/": Application(index).open_session, EMBED: Application(embed).open_session},
        port=port,
        address=address,
        websocket_origin=[f"{name}:{port}" for name in dict.fromkeys((address, "127.0.0.1", "localhost"))],
        location=False,
        static_dirs={f"/{_OWN}": str(static)},
        extra_patterns=[
            (r"/(embed\.js)", StaticFileHandler, {"path": str(static)}),
            (rf"/({'|'.join(map(re.escape, METHOD_PAGES))})", MethodPage, {"static": static}),
            (PRESET, PresetAddress),
        ],
    )
