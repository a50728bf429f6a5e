"""The page of the method: readable without a script, in the site's look, under the page's policy."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

from roofline_app import registry
from roofline_app.page.markup import METHOD, POLICY, scriptless_page

STATIC = Path(__file__).resolve().parents[2] / "static"
FOLDER = "assets/0123/"
TEXT = scriptless_page((STATIC / METHOD).read_text(encoding="utf-8"), FOLDER)
VOID = {"meta", "link", "br", "img"}


class Page(HTMLParser):
    """Collects what is open where, and every address."""

    def __init__(self, text: str) -> None:
        """Read a page."""
        super().__init__()
        self.paths: list[str] = []
        self.open: list[str] = []
        self.addresses: list[str] = []
        self.ids: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag and its addresses."""
        self.paths.append("/".join([*self.open, tag]))
        self.addresses += [value for name, value in attrs if name in {"href", "src"} and value]
        self.ids += [value for name, value in attrs if name == "id" and value]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Leave a tag, which must be the innermost open one."""
        assert self.open.pop() == tag


def test_it_has_a_title_one_heading_and_one_main_part() -> None:
    page = Page(TEXT)
    assert page.open == []
    for path in ("html/head/title", "html/body/main", "html/body/main/h1"):
        assert page.paths.count(path) == 1
    assert page.paths.count("html/body/main/section/h2") == len(page.ids)


def test_it_stands_under_the_pages_policy_and_has_no_script() -> None:
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', TEXT)
    assert unescape(policy) == POLICY
    assert "<script" not in TEXT
    assert not re.search(r"\son\w+=", TEXT)


def test_its_links_lead_to_files_of_the_site() -> None:
    pages = {"./", *(f"p/{preset}/" for preset in registry.presets())}
    for address in Page(TEXT).addresses:
        style = address.startswith(FOLDER) and (STATIC / address.removeprefix(FOLDER)).is_file()
        assert style or address in pages or address.startswith("data:"), address


def test_it_wears_the_colours_of_the_page() -> None:
    look, own = ((STATIC / name).read_text(encoding="utf-8") for name in ("style.css", "method.css"))
    light, dark = (
        dict(re.findall(r"--([\w-]+): (#\w+)", block)) for block in re.findall(r"(?m)^:root[^{]*\{([^}]*)\}", look)[:2]
    )
    mixed = re.findall(r"--([\w-]+): light-dark\((#\w+), (#\w+)\)", own)
    assert len(mixed) >= 6
    for name, by_day, by_night in mixed:
        assert (by_day, by_night) == (light[name], dark[name])


def test_the_page_leads_to_it() -> None:
    assert re.search(
        rf'<footer>.*<a href="{METHOD}" data-text="method">', (STATIC / "index.html").read_text(encoding="utf-8")
    )
