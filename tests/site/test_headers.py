"""Headers of the site's files: names that change with their content last, all else is asked for anew."""

from __future__ import annotations

import fnmatch
import re

import pytest

from roofline_app.page.markup import POLICY
from roofline_app.site.headers import FRESH, LASTING, headers_file, headers_of

NAMES = [
    "assets/0123456789abcdef/worker.mjs",
    "assets/pages.0123456789ab.bin",
    "embed.html",
    "embed.js",
    "examples/post.html",
    "index.html",
    "p/dense/index.html",
    "panel/1.9.4/dist/css/button.css",
    "posters/dense-speedup-light.svg",
    "pyodide-0.28.3/pyodide.asm.wasm",
    "service-worker.js",
    "speculation-roofline.html",
]


def rules(content: bytes) -> dict[str, dict[str, str]]:
    """Headers by rule, as a host reads them."""
    found: dict[str, dict[str, str]] = {}
    for line in content.decode().splitlines():
        if line.startswith(" "):
            name, _, value = line.strip().partition(": ")
            found[list(found)[-1]][name] = value
        elif line:
            found[line] = {}
    return found


def sent(content: bytes, address: str) -> dict[str, list[str]]:
    """What a host sends that adds up the rules that hold an address."""
    headers: dict[str, list[str]] = {}
    for rule, named in rules(content).items():
        if fnmatch.fnmatchcase(address, rule):
            for name, value in named.items():
                headers.setdefault(name, []).append(value)
    return headers


@pytest.mark.parametrize("base", ["", "https://example.org/", "https://example.org/tools/roofline/"])
@pytest.mark.parametrize("name", ["", *NAMES])
def test_a_host_sends_each_header_once_and_as_serve_does(name: str, base: str) -> None:
    root = "/tools/roofline/" if "tools" in base else "/"
    host = sent(headers_file(NAMES, base), f"{root}{name}")
    assert host == {header: [value] for header, value in headers_of(name).items()}


@pytest.mark.parametrize("name", NAMES)
def test_what_lasts_changes_its_name_with_its_content(name: str) -> None:
    named_by_content = re.search(r"\b[0-9a-f]{12,16}\b|/\d+\.\d+\.\d+/|-\d+\.\d+\.\d+/", name)
    assert headers_of(name)["Cache-Control"] == (LASTING if named_by_content else FRESH)


def test_every_file_can_be_read_by_a_frame_without_an_origin() -> None:
    assert {headers_of(name)["Access-Control-Allow-Origin"] for name in NAMES} == {"*"}


def test_the_policy_guards_pages_and_worker_and_leaves_those_with_one_of_their_own() -> None:
    guarded = {name for name in ("", "method.html", *NAMES) if "Content-Security-Policy" in headers_of(name)}
    own = {"embed.html", "speculation-roofline.html", "examples/post.html"}
    assert guarded >= {"", "index.html", "method.html", "p/dense/index.html", "assets/0123456789abcdef/worker.mjs"}
    assert not guarded & own


@pytest.mark.parametrize(
    "directive", ["default-src 'self'", "connect-src 'self'", "base-uri 'self'", "form-action 'none'"]
)
def test_the_policy_allows_no_other_origin(directive: str) -> None:
    assert directive in POLICY.split("; ")
    assert not re.search(r"https?:|\*|'unsafe-eval'", POLICY)
