"""Tables of words, aligned for a terminal or as Markdown."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

_NUMBER = re.compile(r"[-−+$≤≥]?[\d.,]+.*|–?")
_GAP = "  "
_WIDE = frozenset("WF")
# What Markdown, or the HTML that it becomes, would take for something else than text.
_MARKS = re.compile(r"[\\`*_\[\]|<>&~#]")
_ENTITIES: Mapping[str, str] = MappingProxyType({"<": "&lt;", ">": "&gt;", "&": "&amp;"})


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


def aligned(table: Table) -> str:
    """Return a table for a terminal: columns as wide as their widest cell, numbers to the right."""
    right = _numeric(table)
    lines = [[_plain(cell) for cell in line] for line in (table.header, *table.rows)]
    widths = [max(map(_width, column)) for column in zip(*lines, strict=True)]
    ruled = [lines[0], ["─" * width for width in widths], *lines[1:]]
    body = [_GAP.join(_padded(*cell) for cell in zip(line, widths, right, strict=True)).rstrip() for line in ruled]
    return "\n".join([*([_plain(table.caption)] if table.caption else []), *body])


def markdown(table: Table) -> str:
    """Return a table in Markdown, in which no cell is anything but text."""
    rules = ["--:" if is_number else ":--" for is_number in _numeric(table)]
    lines = [
        [escaped(cell) for cell in table.header],
        rules,
        *([escaped(cell) for cell in row] for row in table.rows),
    ]
    body = [f"| {' | '.join(line)} |" for line in lines]
    return "\n".join([*([f"**{escaped(table.caption)}**", ""] if table.caption else []), *body])


def escaped(text: str) -> str:
    """Return a text that Markdown shows as it is, on one line."""
    return _MARKS.sub(lambda match: _ENTITIES.get(match.group(), f"\\{match.group()}"), _plain(text))


def _numeric(table: Table) -> Sequence[bool]:
    """Return of each column whether it holds numbers, with or without units."""
    return [all(_NUMBER.fullmatch(row[place]) for row in table.rows) for place in range(len(table.header))]


def _plain(text: str) -> str:
    """Return a text on one line, without what would steer a terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _width(text: str) -> int:
    """Return the columns of a terminal that a text takes."""
    return sum(
        2 if unicodedata.east_asian_width(letter) in _WIDE else 0 if unicodedata.combining(letter) else 1
        for letter in text
    )


def _padded(text: str, width: int, to_right: bool) -> str:
    room = " " * (width - _width(text))
    return room + text if to_right else text + room
