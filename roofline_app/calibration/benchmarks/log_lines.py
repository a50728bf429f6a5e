"""Entries of a server's log that hold a mark, and steady windows in them; long and hostile logs cost little."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

# No engine writes a longer prefix before a mark, or more behind it.
_LONGEST_BEFORE, _LONGEST_AFTER = 512, 1_024


def entries_with(text: str, mark: str, ends: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the entries of a log that hold a mark, each on one line and cut to a sane length.

    Args:
        text: The log.
        mark: What makes an entry count.
        ends: What can only stand in the entry behind; a line break alone ends none, as terminals wrap lines.

    Yields:
        Number of the mark's line, from 1, and the entry from the start of that line.
    """
    line, counted, position = 1, 0, 0
    start = text.find(mark)
    while start >= 0:
        line += text.count("\n", counted, start)
        counted = start
        before = text[max(position, start - _LONGEST_BEFORE) : start].rpartition("\n")[2]
        behind = text[start + len(mark) : start + _LONGEST_AFTER]
        behind = behind[: min(place for place in (len(behind), *map(behind.find, ends)) if place >= 0)]
        yield line, " ".join(f"{before}{mark}{behind}".split())
        position = start + len(mark) + len(behind)
        start = text.find(mark, position)


def steady(running: Sequence[int]) -> list[int]:
    """Return the places of intervals through which as many requests ran.

    A server's interval ends with so many requests running; only where the one before ended with as many did they run
    throughout.

    Args:
        running: Running requests at the end of each interval; 0 for one at rest.

    Returns:
        Places, from 0.
    """
    return [place for place in range(1, len(running)) if running[place] == running[place - 1] > 0]


def middle(values: Sequence[float]) -> float:
    """Return the median, which single stalls do not move."""
    return float(median(values))
