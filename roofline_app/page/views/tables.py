"""The twin of a figure: a table of the same values as text."""

from __future__ import annotations

from dataclasses import dataclass


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

    def as_json(self) -> dict[str, object]:
        """Return the table as plain lists."""
        return {"caption": self.caption, "header": list(self.header), "rows": [list(row) for row in self.rows]}
