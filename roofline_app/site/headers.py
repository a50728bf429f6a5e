"""The headers of the site's files: `_headers` for hosts that read it, and what `serve` sends.

No file needs one of them. They make a repeated visit ask for nothing but the page (lasting names), let frames without
an origin run the page (access from anywhere), and state the page's policy where a `<meta>` cannot: for the worker.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from roofline_app.page.markup import POLICY

NAME = "_headers"
FRESH = "no-cache"
LASTING = "public, max-age=31536000, immutable"
EVERYWHERE = {"Access-Control-Allow-Origin": "*", "X-Content-Type-Options": "nosniff"}
_LASTING_FOLDER = re.compile(r"(?:^|/)(?:assets|panel|pyodide-[\d.]+)/")  # each name in them changes with the content
# The embed states its policy by itself, for a frame without an origin has no 'self' in every browser; the single file
# allows its scripts by their hashes; a picture that is opened by itself has no script.
_GUARDED = re.compile(r"(?:^|/)(?:(?:(?:p/[\w.-]+/)?(?:index\.html)?|method(?:-\w+)?\.html)$|assets/)")


def headers_of(path: str) -> dict[str, str]:
    """Return the headers of one file.

    Args:
        path: Address on the host, without its leading slash and its query; a folder ends in a slash or is empty.
    """
    lasting = bool(_LASTING_FOLDER.search(path))
    policy = {"Content-Security-Policy": POLICY} if _GUARDED.search(path) else {}
    return EVERYWHERE | {"Cache-Control": LASTING if lasting else FRESH} | policy


def headers_file(names: Iterable[str], base_url: str = "") -> bytes:
    """Return `_headers`: rules that hold each file of the site once, for hosts add up what several rules say.

    Args:
        names: The site's files by address relative to the page.
        base_url: Where the site will be published; its path goes before every rule.
    """
    root = urlsplit(base_url).path.rstrip("/")
    rules = {"": ""} | {_rule(name): name for name in sorted(names)}
    blocks = [_block(f"{root}/*", EVERYWHERE)]
    for rule, name in rules.items():
        blocks.append(_block(f"{root}/{rule}", {k: v for k, v in headers_of(name).items() if k not in EVERYWHERE}))
    return "\n".join(blocks).encode()


def _rule(name: str) -> str:
    """Return the rule of a file: one for each folder of the site, one for each file beside the page."""
    folder, slash, _ = name.partition("/")
    return f"{folder}/*" if slash else folder


def _block(address: str, headers: dict[str, str]) -> str:
    return "\n".join([address, *(f"  {name}: {value}" for name, value in headers.items())]) + "\n"
