"""The sensitivity strip: how far each assumption moves the best speedup, and what improvements would bring."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from roofline_app import format as fmt
from roofline_app.page.figures.axes import Axis, nice_step
from roofline_app.page.figures.look import Band, Look, Shown
from roofline_app.page.figures.rows import Row
from roofline_app.page.figures.tables import Table
from roofline_app.results import DrafterResult
from roofline_app.sensitivity import Sensitivity, band, sensitivities
from roofline_app.text import sentence

WIDE_TICKS, NARROW_TICKS = 4, 2
NARROW_LABELS = 3
ROOM = 0.06


@dataclass(frozen=True, slots=True, kw_only=True)
class StripRow:
    """One row of the strip.

    Attributes:
        key: Which assumption or improvement.
        words: The same in words.
        improvement: Whether it is an improvement.
        y: Where it stands.
        low: Best speedup with the assumption changed downwards.
        high: The same upwards.
        draft_tokens: Best draft lengths of both, in words.
        label: What stands at its end.
    """

    key: str
    words: str
    improvement: bool
    y: float
    low: float
    high: float
    draft_tokens: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StripView:
    """What the strip shows; `now` is the speedup of the setting as it is."""

    rows: tuple[StripRow, ...]
    now: float
    line: int
    colour: str
    x: Axis
    y: Axis


def _lengths(one: Sensitivity) -> str:
    low, high = one.low_draft_tokens, one.high_draft_tokens
    return str(low) if low == high else f"{low} → {high}"


def _label(one: Sensitivity, *, narrow: bool) -> str:
    low, high = one.ends
    speedups = fmt.speedup(high) if low == high else f"{low:.2f} → {fmt.speedup(high)}"
    return speedups if narrow else f"{speedups}, γ* {_lengths(one)}"


def _x_axis(values: Sequence[float], *, narrow: bool) -> Axis:
    low, high = min(values), max(values)
    room = max((high - low) * ROOM, high * 0.01)
    step = nice_step(high - low + 2 * room, NARROW_TICKS if narrow else WIDE_TICKS)
    first, last = math.floor((low - room) / step), math.ceil((high + room) / step)
    ticks = tuple(step * index for index in range(max(first, 0), last + 1))
    every = 2 if narrow and len(ticks) > NARROW_LABELS else 1
    labels = tuple("" if index % every else f"{tick:.4g}×" for index, tick in enumerate(ticks))
    return Axis(start=ticks[0], end=ticks[-1], ticks=ticks, labels=labels)


def strip_view(found: Sequence[Sensitivity], result: DrafterResult, look: Look, *, line: int) -> StripView:
    """Return the strip.

    Args:
        found: Assumptions, then improvements.
        result: The drafter that they are of.
        look: How the user looks at it.
        line: Position of that drafter.
    """
    gap = next((index for index, one in enumerate(found) if one.improvement), len(found))
    rows = tuple(
        StripRow(
            key=one.key,
            words=sentence(f"page.sensitivity_{one.key}", look.language),
            improvement=one.improvement,
            y=-float(index) - (1.0 if index >= gap else 0.0),
            low=one.ends[0],
            high=one.ends[1],
            draft_tokens=_lengths(one),
            label=_label(one, narrow=look.narrow),
        )
        for index, one in enumerate(found)
    )
    now = result.best.speedup
    ends = [now, *(row.low for row in rows), *(row.high for row in rows)]
    ticks = tuple(row.y for row in rows)
    return StripView(
        rows=rows,
        now=now,
        line=line,
        colour=result.colour,
        x=_x_axis(ends, narrow=look.narrow),
        y=Axis(start=min(ticks, default=0.0) - 0.8, end=0.8, ticks=ticks, labels=tuple(row.words for row in rows)),
    )


def found_so_far(shown: Shown) -> tuple[Sensitivity, ...]:
    """Return the best drafter's sensitivities found so far; none at first."""
    if not shown.found.values and not shown.found.waiting:
        return ()
    return sensitivities(shown.evaluation, shown.evaluation.best_drafter, shown.found.values)


def strip_shown(shown: Shown) -> StripView:
    """Return the strip of the best drafter."""
    best = shown.evaluation.best_drafter
    return strip_view(found_so_far(shown), best, shown.look, line=shown.evaluation.drafters.index(best))


def strip_note(shown: Shown) -> str:
    """Return whose sensitivities these are, and how they are drawn."""
    return sentence("page.sensitivity_note", shown.language, name=shown.evaluation.best_drafter.name)


def band_of(shown: Shown) -> Band | None:
    """Return the band around the best line of figure 1, once everything that it holds is there."""
    if shown.found.waiting or not shown.found.values:
        return None
    low, high = band(found_so_far(shown))
    line = shown.evaluation.drafters.index(shown.evaluation.best_drafter)
    return Band(line=line, low=tuple(low.tolist()), high=tuple(high.tolist()))


def strip_table(found: Sequence[Sensitivity], language: str) -> Table:
    """Return each assumption's and improvement's speedups and draft lengths."""
    columns = ("sensitivity_what", "sensitivity_low", "sensitivity_high", "best_draft_length")
    rows = tuple(
        (sentence(f"page.sensitivity_{one.key}", language), *map(fmt.speedup, one.ends), _lengths(one)) for one in found
    )
    header = tuple(sentence(f"page.{column}", language) for column in columns)
    return Table(caption=sentence("figures.sensitivity_caption", language), header=header, rows=rows)


def strip_rows(found: Sequence[Sensitivity]) -> list[Row]:
    """Return the same as numbers."""
    return [
        {
            "assumption": one.key,
            "improvement": one.improvement,
            "low_speedup": one.ends[0],
            "high_speedup": one.ends[1],
            "low_draft_tokens": one.low_draft_tokens,
            "high_draft_tokens": one.high_draft_tokens,
        }
        for one in found
    ]
