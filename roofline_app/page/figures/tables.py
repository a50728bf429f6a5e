"""The twin of a figure: a table of the same values as text."""

from __future__ import annotations

from dataclasses import dataclass

from roofline_app import format as fmt
from roofline_app.page.protocol import TableWords
from roofline_app.text import sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Words and numbers of one table; every row is as long as the header.

    Attributes:
        caption: What the table shows.
        header: Column names with units.
        rows: Cells as text, the first of each row its heading.
    """

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

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
