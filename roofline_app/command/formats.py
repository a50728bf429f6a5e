"""An answer in the form that was asked for: JSON, tables for a terminal or as Markdown, CSV."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from roofline_app.export.csv_rows import as_csv, united
from roofline_app.export.tables import Table, aligned, escaped, markdown

JSON, CSV, TABLE, MARKDOWN = FORMATS = ("json", "csv", "table", "markdown")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a verb prints.

    Attributes:
        value: As JSON.
        tables: Makes its tables.
        rows: Makes its rows for CSV, numbers unscaled, under the names of the JSON.
        words: Makes the sentences above the tables.
    """

    value: Any
    tables: Callable[[], Sequence[Table]]
    rows: Callable[[], Sequence[Mapping[str, Any]]]
    words: Callable[[], Sequence[str]] = field(default=tuple)


def written(answer: Answer, form: str) -> str:
    """Return an answer as text, without a line break at its end.

    Args:
        answer: The answer.
        form: One of `FORMATS`.
    """
    if form == JSON:
        return json_text(answer.value)
    if form == CSV:
        return as_csv(united(answer.rows())).rstrip("\n")
    draw, say = (aligned, str) if form == TABLE else (markdown, escaped)
    return "\n\n".join([*map(say, answer.words()), *map(draw, answer.tables())])


def json_text(value: Any) -> str:
    """Return a value as the JSON that commands print."""
    return json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False)
