"""The twin of a figure: a table of the same values as text."""

from __future__ import annotations

from roofline_app import format as fmt
from roofline_app.export import tables
from roofline_app.page.protocol import TableWords
from roofline_app.text import sentence


class Table(tables.Table):
    """A table that travels to the page."""

    __slots__ = ()

    def as_json(self) -> TableWords:
        """Return the table as plain lists."""
        return {"caption": self.caption, "header": list(self.header), "rows": [list(row) for row in self.rows]}


def cut_caption(caption: str, rows: int, most: int, language: str) -> str:
    """Return a caption that says so where a table shows its first rows only.

    Args:
        caption: What the table shows.
        rows: How many there are.
        most: How many it shows at most.
        language: Of the words.
    """
    if rows <= most:
        return caption
    return sentence("page.cut_caption", language, caption=caption, shown=fmt.count(most), rows=fmt.count(rows))
