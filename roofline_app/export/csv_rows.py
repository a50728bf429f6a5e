"""Rows as CSV that a spreadsheet opens and never runs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

# A spreadsheet would compute a text that starts like this.
FORMULA = ("=", "+", "-", "@", "\t", "\r")
BETWEEN = "; "


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


def flat(value: Mapping[str, Any], within: str = "") -> dict[str, Any]:
    """Return an object's values as one row: those of inner objects under names joined by dots.

    Args:
        value: As JSON has it.
        within: What stands before its names.

    Returns:
        Single values as they are, and lists of them as one text; lists of objects or lists are no cells and left out.

    Examples:
        >>> flat({"id": "b200", "peaks": {"bf16": 1.0}, "names": ["a", "b"], "layers": [{}]})
        {'id': 'b200', 'peaks.bf16': 1.0, 'names': 'a; b'}
    """
    found: dict[str, Any] = {}
    for name, inner in value.items():
        if isinstance(inner, Mapping):
            found |= flat(inner, f"{within}{name}.")
        elif not isinstance(inner, list):
            found[within + name] = inner
        elif not any(isinstance(one, (Mapping, list)) for one in inner):
            found[within + name] = BETWEEN.join(map(str, inner))
    return found
