"""Serve a built site on this machine only."""

from __future__ import annotations

import functools
import threading
from collections.abc import Mapping
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar
from urllib.parse import unquote

from roofline_app.site.headers import headers_of

_TYPES = {
    ".wasm": "application/wasm",
    ".js": "text/javascript",
    ".bin": "application/octet-stream",
}


class _Handler(SimpleHTTPRequestHandler):
    """Sends a folder's files, with the headers that a host sends that reads `_headers`."""

    protocol_version = "HTTP/1.1"
    extra_headers: ClassVar[dict[str, str]] = {}

    def end_headers(self) -> None:
        """Add the headers of the file, and those asked for in place of them."""
        path = unquote(self.path.partition("?")[0]).removeprefix("/")
        for name, value in (headers_of(path) | self.extra_headers).items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base class's name)
        """Do not log."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore errors: a browser that leaves closes its connections."""


def server(
    folder: Path, port: int = 0, headers: Mapping[str, str] | None = None, types: Mapping[str, str] | None = None
) -> ThreadingHTTPServer:
    """Return a server of a folder on 127.0.0.1, not yet started.

    Args:
        folder: Root of the site.
        port: 0 takes a free one.
        headers: Sent with every file.
        types: MIME types by suffix in place of the right ones.
    """
    handler = type(
        "Handler",
        (_Handler,),
        {
            "extra_headers": dict(headers or {}),
            "extensions_map": {**SimpleHTTPRequestHandler.extensions_map, **_TYPES, **(types or {})},
        },
    )
    return _Server(("127.0.0.1", port), functools.partial(handler, directory=str(folder)))


def in_background(running: ThreadingHTTPServer) -> str:
    """Start a server in a thread of its own; return its address."""
    threading.Thread(target=running.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{running.server_address[1]}/"
