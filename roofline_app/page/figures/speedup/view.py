"""Figure 1: speedup against draft length, one curve per drafter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from roofline_app import format as fmt
from roofline_app.page.figures.axes import MOST_TICKS, Axis, draft_axis, end_labels, shortened, speedup_axis
from roofline_app.page.figures.look import Band, Look
from roofline_app.page.figures.measured_points.points import PlacedMark, by_draft_length, highest
from roofline_app.page.figures.pinned_lines import PinnedLine, pinned_speedups
from roofline_app.page.figures.rows import Row, columns_as_rows
from roofline_app.page.figures.tables import Table
from roofline_app.results import DrafterResult, Evaluation, Floats, Integers
from roofline_app.text import sentence

WIDE_NAME = 114
NARROW_NAME = 86
NARROW_TICKS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """One drafter's curve; arrays of shape (cap + 1,).

    Attributes:
        name: Name of the line.
        colour: Six hex digits of the user's colour, or empty.
        draft_tokens: 0..cap.
        speedup: Against plain decoding.
        tokens_per_round: The toy model's speedup.
        reported: The speedup that a benchmark of whole requests reports; empty where no prompt and output are stated.
        tokens_per_second_per_user: Of one sequence.
        measured_draft_tokens: Last draft length that a measured acceptance covers; the cap where none limits it.
        measured: Words for each draft length that is not covered, empty for the others.
        best_draft_tokens: Shortest draft that reaches the best speedup.
        best_speedup: The best speedup.
        title: First line of the label at the end of the line.
        label: Second line of that label.
        label_y: Where that label stands.
        shown: Whether the line is shown.
    """

    name: str
    colour: str
    draft_tokens: Integers
    speedup: Floats
    tokens_per_round: Floats
    reported: Floats
    tokens_per_second_per_user: Floats
    measured_draft_tokens: int
    measured: tuple[str, ...]
    best_draft_tokens: int
    best_speedup: float
    title: str
    label: str
    label_y: float
    shown: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedupView:
    """What figure 1 shows."""

    curves: tuple[Curve, ...]
    x: Axis
    y: Axis
    feasible: bool
    marks: tuple[PlacedMark, ...]
    band: Band | None
    pinned: tuple[PinnedLine, ...]


def best_label(result: DrafterResult, language: str, *, narrow: bool) -> tuple[str, str]:
    """Return the two lines that name a best point: its speedup, its draft length, and whether the cap stopped it."""
    value = fmt.speedup(result.best.speedup)
    at_cap = "page.best_at_cap_narrow" if narrow else "page.best_at_cap"
    key = at_cap if result.best.at_cap else "page.best_point"
    length = sentence(key, language, draft_tokens=result.best.draft_tokens)
    return shortened(result.name, NARROW_NAME if narrow else WIDE_NAME), f"{length}, {value}"


def measured_to(result: DrafterResult) -> int:
    """Return the last draft length that a measured or listed acceptance covers; the cap where nothing limits it."""
    cap = len(result.draft_tokens) - 1
    return cap if result.measured_draft_tokens is None else min(result.measured_draft_tokens, cap)


def _beyond(result: DrafterResult, language: str) -> tuple[str, ...]:
    known = measured_to(result)
    words = sentence("page.beyond_measured", language, measured=known)
    return tuple(words if length > known else "" for length in result.draft_tokens)


def feasible(evaluation: Evaluation) -> bool:
    """Return whether the setting fits into memory and into the model's stated context."""
    longest = evaluation.model.max_context_tokens
    return evaluation.memory.fits and (not longest or evaluation.context <= longest)


def reported(evaluation: Evaluation, line: int) -> Floats:
    """Return the speedups of a line that a benchmark of whole requests reports, shape (cap + 1,); empty without one."""
    requests = evaluation.end_to_end
    return requests.drafters[line].reported_by_draft_length if requests else np.empty(0)


def _curve(evaluation: Evaluation, line: int, look: Look, label_y: float | None) -> Curve:
    """Return a line's curve; hidden without a place for its label."""
    result = evaluation.drafters[line]
    title, label = best_label(result, look.language, narrow=look.narrow)
    return Curve(
        name=result.name,
        colour=result.colour,
        draft_tokens=result.draft_tokens,
        speedup=result.speedup,
        tokens_per_round=result.tokens_per_round,
        reported=reported(evaluation, line),
        tokens_per_second_per_user=result.tokens_per_second_per_user,
        measured_draft_tokens=measured_to(result),
        measured=_beyond(result, look.language),
        best_draft_tokens=result.best.draft_tokens,
        best_speedup=result.best.speedup,
        title=title,
        label=label,
        label_y=0.0 if label_y is None else label_y,
        shown=label_y is not None,
    )


def measured_band(evaluation: Evaluation) -> Band | None:
    """Return where nine tenths of measurements would lie beside the best line; None under the ideal profile."""
    known, best = evaluation.uncertainty, evaluation.best_drafter
    if known is None:
        return None
    band = known.speedup
    # An empty draft is plain decoding, whatever that takes.
    low, high = (np.where(best.draft_tokens > 0, factor, 1.0) * best.speedup for factor in (band.low, band.high))
    line = next(index for index, result in enumerate(evaluation.drafters) if result is best)
    return Band(line=line, low=tuple(low.tolist()), high=tuple(high.tolist()))


def speedup_view(
    evaluation: Evaluation, look: Look, *, label_room: float, pinned: Sequence[Evaluation] = ()
) -> SpeedupView:
    """Return the curves, with labels at the line ends that keep apart.

    Args:
        evaluation: What to show.
        look: How the user looks at it.
        label_room: Height of one label as a share of the frame's height.
        pinned: Settings to compare with.
    """
    results = evaluation.drafters
    shown = look.shown(len(results))
    behind = pinned_speedups(pinned, look.language)
    band = look.band or measured_band(evaluation)
    drawn = (*(results[index].speedup for index in shown), *(line.y for line in behind))
    marks = by_draft_length(look.marks, evaluation, look.language)
    widest = max(band.high) if band else 0.0
    top = max(highest(marks), widest, *(float(speedups.max()) for speedups in drawn))
    y_axis = speedup_axis(top)
    ends = {index: float(results[index].speedup[-1]) for index in shown}
    places = end_labels(ends, y_axis, label_room)
    curves = tuple(_curve(evaluation, index, look, places.get(index)) for index in range(len(results)))
    return SpeedupView(
        curves=curves,
        x=draft_axis(evaluation.cap, NARROW_TICKS if look.narrow else MOST_TICKS),
        y=y_axis,
        feasible=feasible(evaluation),
        marks=marks,
        band=band,
        pinned=behind,
    )


def speedup_table(evaluation: Evaluation, language: str) -> Table:
    """Return speedups and tokens per round by draft length."""
    results = evaluation.drafters
    header = [sentence("page.draft_length", language)]
    columns = []
    for result in results:
        header.append(sentence("page.column_speedup", language, name=result.name))
        header.append(sentence("page.column_tokens_per_round", language, name=result.name))
        columns.append([fmt.speedup(value) for value in result.speedup])
        columns.append([fmt.significant(value) for value in result.tokens_per_round])
    for result, line in zip(results, evaluation.end_to_end.drafters if evaluation.end_to_end else (), strict=False):
        header.append(sentence("page.column_reported", language, name=result.name))
        columns.append([fmt.speedup(value) for value in line.reported_by_draft_length])
    rows = zip_longest([str(length) for length in range(evaluation.cap + 1)], *columns, fillvalue="–")
    return Table(caption=sentence("figures.speedup_caption", language), header=tuple(header), rows=tuple(rows))


def speedup_rows(evaluation: Evaluation) -> list[Row]:
    """Return a row per drafter and draft length, for files."""
    return [
        row
        for index, result in enumerate(evaluation.drafters)
        for row in columns_as_rows(
            {"drafter": result.name},
            draft_tokens=result.draft_tokens,
            speedup=result.speedup,
            **({"reported_speedup": reported(evaluation, index)} if evaluation.end_to_end else {}),
            tokens_per_round=result.tokens_per_round,
            tokens_per_second_per_user=result.tokens_per_second_per_user,
            verifying_seconds=result.verifying_seconds,
            drafting_seconds=result.drafting_seconds,
        )
    ]
