"""Figure 7: the best speedup over batch and context, and the draft length that reaches it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from roofline_app import format as fmt
from roofline_app.page.figures.axes import Axis
from roofline_app.page.figures.look import Look
from roofline_app.page.figures.pieces import Found
from roofline_app.page.figures.tables import Table
from roofline_app.results import Evaluation, Floats, Integers
from roofline_app.text import sentence

CONTEXTS = tuple(2**power for power in range(7, 21))
BATCHES = tuple(2**power for power in range(13))
EVERY = 2
NARROW_EVERY = 4
# Speedups between which the colours run, on a log scale.
LEAST, MOST = 1.0, 8.0
NO_FIT = "–"
Said = Literal["speedup", "length", "nothing"]
_SAYS: Mapping[Said, Callable[[float, int], str]] = {
    "speedup": lambda speedup, _: fmt.significant(speedup, 2),
    "length": lambda _, draft_tokens: fmt.count(draft_tokens),
    "nothing": lambda *_: "",
}
_ROWS_KEPT = 64


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MapRow:
    """One context; arrays of shape (batches,). A row is never changed, and equal to itself alone.

    Attributes:
        batch: Sequences decoded together.
        speedup: Of the best drafter there.
        draft_tokens: Its best draft length.
        names: Its name.
        fits: Whether memory and the model's stated context allow it.
    """

    batch: Integers
    speedup: Floats
    draft_tokens: Integers
    names: tuple[str, ...]
    fits: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One setting of the map; `column` and `row` count batches and contexts, `shade` runs from 0 to 1."""

    column: int
    row: int
    batch: int
    context: int
    speedup: float
    draft_tokens: int
    name: str
    text: str
    shade: float
    fits: bool
    fresh: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MapView:
    """What figure 7 shows; `now` is the current setting's place."""

    cells: tuple[Cell, ...]
    now: tuple[float, float]
    x: Axis
    y: Axis


def shade(speedup: float) -> float:
    """Return where a speedup stands between the palest and the strongest colour."""
    return min(max(math.log(speedup / LEAST) / math.log(MOST / LEAST), 0.0), 1.0)


@lru_cache(maxsize=_ROWS_KEPT)
def _cells(context: int, row: MapRow, said: Said, *, fresh: bool) -> tuple[Cell, ...]:
    say = _SAYS[said]
    values = zip(row.batch, row.speedup, row.draft_tokens, row.names, row.fits, strict=True)
    return tuple(
        Cell(
            column=column,
            row=CONTEXTS.index(context),
            batch=int(batch),
            context=context,
            speedup=float(speedup),
            draft_tokens=int(draft_tokens),
            name=name,
            text=say(float(speedup), int(draft_tokens)),
            shade=shade(float(speedup)),
            fits=bool(fits),
            fresh=fresh,
        )
        for column, (batch, speedup, draft_tokens, name, fits) in enumerate(values)
    )


def _axis(values: Sequence[int], labels: Sequence[str], every: int) -> Axis:
    ticks = tuple(float(index) for index in range(0, len(values), every))
    return Axis(start=-0.5, end=len(values) - 0.5, ticks=ticks, labels=tuple(labels[::every]))


def _place(value: int, values: Sequence[int]) -> float:
    return min(max(math.log2(value / values[0]), -0.5), len(values) - 0.5)


def setting_at(x: float, y: float) -> Mapping[str, int] | None:
    """Return the batch and the context of the cell at a place; None outside of the map."""
    column, row = round(x), round(y)
    if column in range(len(BATCHES)) and row in range(len(CONTEXTS)):
        return {"batch": BATCHES[column], "context": CONTEXTS[row]}
    return None


def map_view(rows: Mapping[int, MapRow], waiting: Sequence[int], *, evaluation: Evaluation, look: Look) -> MapView:
    """Return the cells that are there; rows that wait for their values are shown with the last ones, pale.

    Args:
        rows: Rows by context.
        waiting: Contexts whose row is of an earlier setting.
        evaluation: The current setting.
        look: How the user looks at it.
    """
    said: Said = "nothing" if look.narrow else "length" if look.lengths else "speedup"
    cells = [cell for context, row in rows.items() for cell in _cells(context, row, said, fresh=context not in waiting)]
    every = NARROW_EVERY if look.narrow else EVERY
    return MapView(
        cells=tuple(cells),
        now=(_place(evaluation.batch, BATCHES), _place(evaluation.context, CONTEXTS)),
        x=_axis(BATCHES, [str(batch) for batch in BATCHES], every),
        y=_axis(CONTEXTS, [fmt.tokens(context) for context in CONTEXTS], 1 if not look.narrow else EVERY),
    )


def rows_found(found: Found) -> Mapping[int, MapRow]:
    """Return the rows that are there, by context, in order."""
    return {context: found.values[context] for context in CONTEXTS if context in found.values}


def map_table(rows: Mapping[int, MapRow], language: str) -> Table:
    """Return speedup and draft length, one row per context and one column per batch."""
    header = (
        sentence("page.context_typed", language),
        *(sentence("page.column_batch", language, batch=batch) for batch in BATCHES),
    )
    body = tuple(
        (
            fmt.tokens(context),
            *(
                f"{fmt.speedup(float(speedup))} ({length})" if fits else NO_FIT
                for speedup, length, fits in zip(row.speedup, row.draft_tokens, row.fits, strict=True)
            ),
        )
        for context, row in rows.items()
    )
    return Table(caption=sentence("page.map_table_caption", language), header=header, rows=body)


def map_rows(rows: Mapping[int, MapRow]) -> list[dict[str, Any]]:
    """Return the cells as rows of numbers, for files."""
    return [
        {
            "context": context,
            "batch": int(batch),
            "drafter": name,
            "draft_tokens": int(length),
            "speedup": float(speedup),
            "fits": bool(fits),
        }
        for context, row in rows.items()
        for batch, name, length, speedup, fits in zip(
            row.batch, row.names, row.draft_tokens, row.speedup, row.fits, strict=True
        )
    ]
