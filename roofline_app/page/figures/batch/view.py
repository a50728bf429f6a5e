"""Figure 2: best speedup against batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from roofline_app import format as fmt
from roofline_app.page.figures.axes import Axis, end_labels, shortened, speedup_axis
from roofline_app.page.figures.batch.strip import FRAME, Strip, strip, with_strip
from roofline_app.page.figures.look import Look
from roofline_app.page.figures.measured_points.points import PlacedMark, by_batch as by_batch_marks, highest
from roofline_app.page.figures.pinned_lines import PinnedLine, pinned_by_batch
from roofline_app.page.figures.rows import Row, columns_as_rows
from roofline_app.page.figures.tables import Table
from roofline_app.results import Evaluation, Floats, Integers
from roofline_app.text import sentence

MOST_TICKS = 6
WIDE_TICKS = 7
NARROW_TICKS = 4
LONGEST_NAME = 82
FRAME_PIXELS = (420.0, float(FRAME))


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchCurve:
    """One drafter over the batches; arrays of shape (batches,)."""

    name: str
    label: str
    colour: str
    batch: Integers
    speedup: Floats
    draft_tokens: Integers
    speedup_at_this_draft_length: Floats
    label_y: float
    shown: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchView:
    """What figure 2 shows.

    Attributes:
        curves: One per drafter.
        x: Batches, each a power of two, on a log axis.
        y: Speedups.
        batch: The current batch.
        largest_batch: The largest batch that fits into memory.
        marks: Measured points.
        fixed: Whether the draft length stays at this setting's best instead of each batch's.
        pinned: Lines of a pinned setting.
        strip: What stands below the curves.
    """

    curves: tuple[BatchCurve, ...]
    x: Axis
    y: Axis
    batch: int
    largest_batch: int
    fixed: bool
    marks: tuple[PlacedMark, ...]
    pinned: tuple[PinnedLine, ...]
    strip: Strip


def batch_axis(batches: Integers, most: int) -> Axis:
    """Return a log axis over the batches with at most so many of them named."""
    step = int(np.ceil(len(batches) / most))
    ticks = tuple(float(batch) for batch in batches[::step])
    return Axis(
        start=float(batches[0]), end=float(batches[-1]), ticks=ticks, labels=tuple(f"{tick:.0f}" for tick in ticks)
    )


def batch_view(
    evaluation: Evaluation,
    look: Look,
    *,
    label_room: float,
    pinned: Sequence[Evaluation] = (),
    frame: tuple[float, float] = FRAME_PIXELS,
) -> BatchView:
    """Return the curves over batch, at each batch's best draft length or at this setting's, by the look."""
    by_batch = evaluation.best_by_batch
    drawn = [line.speedup_at_this_draft_length if look.fixed else line.speedup for line in by_batch.drafters]
    shown = look.shown(len(drawn))
    behind = pinned_by_batch(pinned, look)
    marks = by_batch_marks(look.marks, evaluation, look.language)
    curves_y = (*(drawn[index] for index in shown), *(line.y for line in behind))
    top = max(highest(marks), *(float(line.max()) for line in curves_y))
    y_axis = speedup_axis(top, MOST_TICKS)
    ends = {index: float(drawn[index][-1]) for index in shown}
    places = end_labels(ends, y_axis, label_room)
    colours = [result.colour for result in evaluation.drafters]
    curves = tuple(
        BatchCurve(
            name=line.name,
            label=shortened(line.name, LONGEST_NAME),
            colour=colour,
            batch=by_batch.batch,
            speedup=line.speedup,
            draft_tokens=line.draft_tokens,
            speedup_at_this_draft_length=line.speedup_at_this_draft_length,
            label_y=places.get(index, 0.0),
            shown=index in places,
        )
        for index, (line, colour) in enumerate(zip(by_batch.drafters, colours, strict=True))
    )
    return BatchView(
        curves=curves,
        x=batch_axis(by_batch.batch, NARROW_TICKS if look.narrow else WIDE_TICKS),
        y=with_strip(y_axis),
        batch=evaluation.batch,
        largest_batch=evaluation.memory.largest_batch,
        fixed=look.fixed,
        marks=marks,
        pinned=behind,
        strip=strip(evaluation, y_axis, look.language, frame=frame, narrow=look.narrow),
    )


def batch_table(evaluation: Evaluation, language: str) -> Table:
    """Return best speedups and draft lengths by batch."""
    by_batch = evaluation.best_by_batch
    header = [sentence("page.batch", language)]
    columns = [[str(batch) for batch in by_batch.batch]]
    for line in by_batch.drafters:
        header.append(sentence("page.column_best_speedup", language, name=line.name))
        header.append(sentence("page.column_best_length", language, name=line.name))
        columns.append([fmt.speedup(value) for value in line.speedup])
        columns.append([str(length) for length in line.draft_tokens])
    rows = tuple(zip(*columns, strict=True))
    return Table(caption=sentence("figures.batch_caption", language), header=tuple(header), rows=rows)


def batch_rows(evaluation: Evaluation) -> list[Row]:
    """Return a row per drafter and batch, for files."""
    by_batch = evaluation.best_by_batch
    return [
        row
        for line in by_batch.drafters
        for row in columns_as_rows(
            {"drafter": line.name},
            batch=by_batch.batch,
            draft_tokens=line.draft_tokens,
            speedup=line.speedup,
            speedup_at_this_draft_length=line.speedup_at_this_draft_length,
        )
    ]
