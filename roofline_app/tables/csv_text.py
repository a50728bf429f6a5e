"""Rows as CSV that a spreadsheet opens and never runs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

# A spreadsheet would compute a text that starts like this.
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def _cell(value: object) -> object:
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return "" if value is None else value


def united(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return rows that all have the columns of any of them; what a row lacks is None."""
    known = list(rows)
    columns = dict.fromkeys(column for row in known for column in row)
    return [{column: row.get(column) for column in columns} for row in known]


def as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return rows as CSV with a header; texts that a spreadsheet would run are marked as texts.

    Args:
        rows: All with the same columns; without any there is no header either.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    if rows:
        writer.writerow([_cell(column) for column in rows[0]])
    writer.writerows([_cell(value) for value in row.values()] for row in rows)
    return text.getvalue()
