"""Figure 3: speedup against tokens per round, one line per drafter at its best draft length."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from roofline_app import format as fmt
from roofline_app.page.figures.axes import MOST_TICKS, Axis, end_labels, shortened, speedup_axis, whole_axis
from roofline_app.page.figures.look import Look
from roofline_app.page.figures.measured_points.points import PlacedMark, by_tokens_per_round, highest
from roofline_app.page.figures.rows import Row
from roofline_app.page.figures.tables import Table
from roofline_app.results import DrafterResult, Evaluation, Floats
from roofline_app.text import sentence

NARROW_TICKS = 5
LONGEST_NAME = 82


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptanceLine:
    """One drafter: what each number of tokens per round would give, and what its own gives.

    Attributes:
        name: Name of the line.
        label: The same, short.
        colour: Six hex digits of the user's colour, or empty.
        draft_tokens: The draft length of the line: the drafter's best, or 1 where none pays.
        tokens_per_round: 1 (nothing accepted) to draft_tokens + 1 (everything), shape (draft_tokens + 1,).
        speedup: Of these, at the drafter's own costs; of the same shape.
        own_tokens_per_round: The drafter's own.
        own_speedup: Its speedup.
        label_y: Where the label stands.
        shown: Whether the line is shown.
    """

    name: str
    label: str
    colour: str
    draft_tokens: int
    tokens_per_round: Floats
    speedup: Floats
    own_tokens_per_round: float
    own_speedup: float
    label_y: float
    shown: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptanceView:
    """What figure 3 shows; the toy model is the diagonal."""

    lines: tuple[AcceptanceLine, ...]
    x: Axis
    y: Axis
    marks: tuple[PlacedMark, ...]


def line_length(result: DrafterResult) -> int:
    """Return the draft length at which a drafter is shown: its best, or 1 where drafting does not pay."""
    return max(result.best.draft_tokens, 1)


def round_steps(result: DrafterResult, step_seconds: float) -> float:
    """Return the length of one round at the shown draft length, in plain steps."""
    length = line_length(result)
    return float(result.verifying_seconds[length] + result.drafting_seconds[length]) / step_seconds


def acceptance_view(evaluation: Evaluation, look: Look, *, label_room: float) -> AcceptanceView:
    """Return the lines, with labels at their ends that keep apart.

    A round's time does not depend on what is accepted, so that each line is straight: tokens per round over the round's
    time in plain steps.
    """
    results = evaluation.drafters
    shown = look.shown(len(results))
    reached = [np.arange(1, line_length(result) + 2, dtype=np.float64) for result in results]
    speedups = [
        tokens / round_steps(result, evaluation.step.seconds) for tokens, result in zip(reached, results, strict=True)
    ]
    marks = by_tokens_per_round(look.marks, evaluation, look.language)
    top = max(highest(marks), *(float(speedups[index][-1]) for index in shown))
    y_axis = speedup_axis(top)
    places = end_labels({index: float(speedups[index][-1]) for index in shown}, y_axis, label_room)
    lines = tuple(
        AcceptanceLine(
            name=result.name,
            label=shortened(result.name, LONGEST_NAME),
            colour=result.colour,
            draft_tokens=line_length(result),
            tokens_per_round=reached[index],
            speedup=speedups[index],
            own_tokens_per_round=float(result.tokens_per_round[line_length(result)]),
            own_speedup=float(result.speedup[line_length(result)]),
            label_y=places.get(index, 0.0),
            shown=index in places,
        )
        for index, result in enumerate(results)
    )
    longest = max(*(lines[index].draft_tokens + 1 for index in shown), *(math.ceil(mark.x) for mark in marks), 1)
    x_axis = whole_axis(longest, NARROW_TICKS if look.narrow else MOST_TICKS)
    return AcceptanceView(lines=lines, x=x_axis, y=y_axis, marks=marks)


def acceptance_table(evaluation: Evaluation, language: str) -> Table:
    """Return each drafter's tokens per round, its round in plain steps, and the speedup as their ratio."""
    rows = tuple(
        (
            result.name,
            str(line_length(result)),
            fmt.significant(float(result.tokens_per_round[line_length(result)])),
            fmt.significant(round_steps(result, evaluation.step.seconds)),
            fmt.speedup(float(result.speedup[line_length(result)])),
        )
        for result in evaluation.drafters
    )
    columns = ("drafter", "draft_length", "tokens_per_round", "round_steps", "speedup")
    header = tuple(sentence(f"page.{column}", language) for column in columns)
    return Table(caption=sentence("figures.acceptance_caption", language), header=header, rows=rows)


def acceptance_rows(evaluation: Evaluation) -> list[Row]:
    """Return a row per drafter, for files."""
    return [
        {
            "drafter": result.name,
            "draft_tokens": line_length(result),
            "tokens_per_round": float(result.tokens_per_round[line_length(result)]),
            "round_steps": round_steps(result, evaluation.step.seconds),
            "speedup": float(result.speedup[line_length(result)]),
        }
        for result in evaluation.drafters
    ]
