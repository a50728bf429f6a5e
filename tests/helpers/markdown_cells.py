"""The cells of a Markdown table as a reader of Markdown takes them."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest


class _Cells(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: list[list[str]] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - its own form
        self.tags.add(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in {"td", "th"}:
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1] and data != "\n":
            self.rows[-1][-1] += data


def cells_of(text: str) -> list[list[str]]:
    """Return the rows below the header, for which the table must hold nothing but text."""
    markdown_it = pytest.importorskip("markdown_it")
    reader = _Cells()
    reader.feed(markdown_it.MarkdownIt("commonmark", {"html": True}).enable("table").render(text))
    assert reader.tags <= {"table", "thead", "tbody", "tr", "th", "td", "p", "strong"}, text
    return reader.rows[1:]
