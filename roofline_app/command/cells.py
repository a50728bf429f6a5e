"""Values of the JSON output as words: their units are in their names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from roofline_app import format as fmt
from roofline_app.export.csv_rows import flat
from roofline_app.export.tables import Table
from roofline_app.text import FALLBACK, sentence

NOTHING = "–"
# By what a name, or its last part, ends in; the first that fits.
_UNITS: Mapping[str, Callable[[Any], str]] = {
    "flops_per_second": lambda value: fmt.scaled(value, "FLOP/s"),
    "bytes_per_second": lambda value: fmt.scaled(value, "B/s"),
    "bytes": fmt.bytes_,
    "parameters": fmt.parameters,
    "context_tokens": lambda value: fmt.tokens(round(value)),
    "price_usd_per_hour": fmt.usd,
    "seconds_per_token": fmt.seconds,
    "error": fmt.signed_percent,
    "spread": lambda value: fmt.percent(round(value, 3)),
    "ratio": fmt.speedup,
}


def cell(name: str, value: Any) -> str:
    """Return one value in words.

    Args:
        name: The value's name in the JSON, inner names after dots; it holds the unit.
        value: As JSON has it.
    """
    if value is None or value == "":
        return NOTHING
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return value
    for part in reversed(name.split(".")):
        for ending, words in _UNITS.items():
            if part.endswith(ending):
                return words(value)
    return fmt.count(value) if isinstance(value, int) else fmt.significant(value)


def table_of(
    rows: Iterable[Mapping[str, Any]], columns: Sequence[str], caption: str = "", language: str = FALLBACK
) -> Table:
    """Return some columns of JSON objects as a table.

    Args:
        rows: The objects.
        columns: Names of values, inner names after dots; what an object lacks is a dash.
        caption: What the table shows.
        language: Of the column names.
    """
    header = tuple(sentence(f"tables.{column.replace('.', '_')}", language) for column in columns)
    cells = (flat(row) for row in rows)
    return Table(
        caption=caption,
        header=header,
        rows=tuple(tuple(cell(column, row.get(column)) for column in columns) for row in cells),
    )
