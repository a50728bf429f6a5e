"""The site as one file that opens by a double click: scripts, styles, interpreter and data lie in the page."""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
import re
from collections.abc import Mapping
from typing import Any

from roofline_app.page.markup import data
from roofline_app.site.scripts import PAGE, WORKER
from roofline_app.text import FALLBACK

NAME = "speculation-roofline.html"
_POLICY = (
    "default-src 'none'; script-src {hashes} blob: 'wasm-unsafe-eval'; worker-src blob:; connect-src blob: data:; "
    "style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'"
)
_INTERPRETER = "pyodide.asm.js"
_META = re.compile(r'<meta http-equiv="Content-Security-Policy" content="[^"]*">')
_STYLE = re.compile(r'<link rel="stylesheet" href="([^"]+)">')
_MODULE = re.compile(
    r'<script type="module"[^>]*></script>\n?|<script src="[^"]+" async></script>\n?|<link rel="modulepreload"[^>]*>\n?'
)
_SCRIPT = re.compile(r'<script src="([^"]+)"></script>\n?')
_METHOD = re.compile(r'<p class="method">.*?</p>')  # leads to a page that one file does not have beside it
_POSTER = re.compile(r'(?<=src="|set=")posters/[^"#]+')
_BUILD = re.compile(r'(?<=<script type="application/json" id="build">).*?(?=</script>)')
_COMPRESSED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PK")
_CLOSING = re.compile(r"</(?=script)", re.IGNORECASE)
_HARMFUL = re.compile(r"<!--.*<script|\r", re.IGNORECASE | re.DOTALL)


def single_file(files: Mapping[str, bytes], scripts: Mapping[str, bytes]) -> bytes:
    """Return a site as one page.

    Args:
        files: The site's files by address relative to the page.
        scripts: The page's and the worker's as classic scripts.

    Raises:
        ValueError: For a script that cannot stand in a page, by name.
    """
    page = files["index.html"].decode()
    found = _BUILD.search(page)
    if not found:
        message = "index.html names no build"
        raise ValueError(message)
    build = json.loads(found[0])
    inlined = _Inlined()
    page = _METHOD.sub("", _MODULE.sub("", page), count=1)
    page = _STYLE.sub(lambda link: f"<style>{files[link[1]].decode()}</style>", page)
    page = _POSTER.sub(lambda name: _as_address(files[name[0]]), page)
    page = _SCRIPT.sub(lambda script: inlined.element(script[1], files[script[1]].decode()), page)
    page = _BUILD.sub(lambda _: _json({**_without_addresses(build), "inlined": True}), page)
    openings = build["prepared"][FALLBACK]["openings"]
    worker = (files[f"{build['interpreter']}{_INTERPRETER}"] + scripts[WORKER]).decode()
    end = [
        data("opening-dark", json.loads(files[openings["dark"]])),
        data("inlined", {name: _packed(files[name]) for name in _needed(build)}),
        f'<script type="text/plain" id="worker">{_safe(WORKER, worker)}</script>',
        inlined.element(PAGE, scripts[PAGE].decode()),
        *(inlined.element(name, files[name].decode()) for name in build["scripts"]),
    ]
    page = page.replace("</body>", "\n".join(end) + "\n</body>", 1)
    policy = html.escape(_POLICY.format(hashes=" ".join(inlined.hashes)), quote=False)
    return _META.sub(f'<meta http-equiv="Content-Security-Policy" content="{policy}">', page, count=1).encode()


class _Inlined:
    """Scripts that have been laid into the page, and what its policy must know of them."""

    def __init__(self) -> None:
        self.hashes: list[str] = []

    def element(self, name: str, text: str) -> str:
        """Return an element with a script; the policy will allow it."""
        text = _safe(name, text)
        digest = hashlib.sha256(text.encode()).digest()
        self.hashes.append(f"'sha256-{base64.b64encode(digest).decode()}'")
        return f"<script>{text}</script>"


def _safe(name: str, text: str) -> str:
    """Return a script's text as it can stand in a page: its words do not close it."""
    if found := _HARMFUL.search(text):
        message = f"{name}: {found[0][:20]!r} cannot stand in a page"
        raise ValueError(message)
    return _CLOSING.sub(r"<\\/", text)


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")


def _needed(build: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the addresses of what the worker asks for."""
    snapshot = build["prepared"][FALLBACK]["snapshot"]
    libraries = (library["file"] for library in snapshot["libraries"])
    return (*build["bytes"], *(snapshot[name] for name in ("settings", "pages", "decoder")), *libraries)


def _without_addresses(build: Mapping[str, Any]) -> dict[str, Any]:
    """Return a manifest without what a file on its own does not have: a service worker, files of other languages."""
    own = build["prepared"][FALLBACK]
    prepared = {FALLBACK: {**own, "openings": {}}}
    return {**{name: value for name, value in build.items() if name != "offline"}, "prepared": prepared, "scripts": []}


def _packed(content: bytes) -> str:
    """Return a file as text, compressed where it is not yet."""
    packed = content if content.startswith(_COMPRESSED) else gzip.compress(content, compresslevel=9, mtime=0)
    return base64.b64encode(packed).decode()


def _as_address(picture: bytes) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(picture).decode()}"
