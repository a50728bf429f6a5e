"""Needed acceptance against batch: what each line would need to pay, and what it has."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from roofline_app import format as fmt
from roofline_app.evaluation import need
from roofline_app.page.figures.axes import Axis, end_labels, shortened
from roofline_app.page.figures.batch.view import NARROW_TICKS, WIDE_TICKS, batch_axis
from roofline_app.page.figures.look import Shown
from roofline_app.page.figures.pieces import Work
from roofline_app.page.figures.rows import Row
from roofline_app.page.figures.tables import Table
from roofline_app.results import DrafterNeed, Evaluation, Floats, Integers
from roofline_app.scenario import Scenario, decoding_alone
from roofline_app.text import sentence

LONGEST_NAME = 82
# Rings of drafters that are almost always right stand whole within the frame.
TOP = 1.05
DIGITS = 2
NOTHING = "–"


@dataclass(frozen=True, slots=True, kw_only=True)
class LineNeed:
    """What one line needs against plain decoding; arrays of shape (batches,), NaN where nothing is enough.

    Attributes:
        name: Name of the line.
        batch: The batches, the current one among them.
        acceptance: Needed acceptance.
        draft_tokens: The draft length at which that is enough; 0 where nothing is.
        tokens_per_round: Tokens per round there.
        own: The line's own acceptance.
        pays: Whether that is more.
        batch_now: The current batch.
    """

    name: str
    batch: Integers
    acceptance: Floats
    draft_tokens: Integers
    tokens_per_round: Floats
    own: Floats
    pays: NDArray[np.bool_]
    batch_now: int

    @property
    def _row(self) -> int:
        return int(np.searchsorted(self.batch, self.batch_now))

    @property
    def now(self) -> float:
        """Needed acceptance at the current batch; NaN where nothing is enough."""
        return float(self.acceptance[self._row])

    @property
    def draft_tokens_now(self) -> int:
        """The draft length at which that is enough."""
        return int(self.draft_tokens[self._row])

    @property
    def tokens_now(self) -> float:
        """Tokens per round there."""
        return float(self.tokens_per_round[self._row])

    @property
    def own_now(self) -> float:
        """The line's own acceptance at the current batch."""
        return float(self.own[self._row])

    def said(self, language: str) -> str:
        """Return in a few words what is needed at the current batch."""
        if not math.isnan(self.now):
            return sentence("figures.need_label", language, acceptance=fmt.significant(self.now, DIGITS))
        never = np.isnan(self.acceptance).all()
        return sentence("figures.need_never" if never else "figures.need_not_now", language)


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedCurve:
    """A line of the figure, as far as it is known, with the two lines of its label and where they stand."""

    need: LineNeed | None
    title: str
    label: str
    colour: str
    label_y: float
    shown: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedView:
    """What the figure shows.

    Attributes:
        curves: One per drafter.
        x: Batches on a log axis.
        y: Acceptance.
        batch: The current batch.
        largest_batch: The largest batch that fits into memory.
        fresh: Whether every value is of this setting.
    """

    curves: tuple[NeedCurve, ...]
    x: Axis
    y: Axis
    batch: int
    largest_batch: int
    fresh: bool


def need_work(evaluation: Evaluation) -> Work:
    """Return each line alone, whose need does not depend on the others; earlier values stay until newer ones come."""
    setting = decoding_alone(evaluation.scenario)
    return Work(
        setting=setting,
        parts={(index, line): (replace(setting, drafters=(line,)),) for index, line in enumerate(setting.drafters)},
        join=_joined,
        keeps=True,
    )


def _joined(pieces: Sequence[Evaluation]) -> LineNeed:
    scenario = pieces[0].scenario
    return line_needs(scenario)[0]


def line_needs(scenario: Scenario) -> tuple[LineNeed, ...]:
    """Return what each line of a scenario needs against plain decoding."""
    found = need(scenario, against=False)
    return tuple(_of(one, found.batch, scenario.batch) for one in found.drafters)


def _of(one: DrafterNeed, batch: Integers, now: int) -> LineNeed:
    return LineNeed(
        name=one.name,
        batch=batch,
        acceptance=one.without.acceptance,
        draft_tokens=one.without.draft_tokens,
        tokens_per_round=one.without.tokens_per_round,
        own=one.own_acceptance,
        pays=one.pays,
        batch_now=now,
    )


def found_needs(shown: Shown) -> Mapping[int, LineNeed]:
    """Return what is there, by the line's position, with its name among the others."""
    values, results = shown.found.values, shown.evaluation.drafters
    return {
        index: replace(values[index, line], name=results[index].name)
        for index, line in enumerate(shown.evaluation.scenario.drafters)
        if (index, line) in values
    }


def _fresh(shown: Shown) -> Mapping[int, LineNeed]:
    """Return what is there of this setting."""
    waiting = {index for index, _ in shown.found.waiting}
    return {index: one for index, one in found_needs(shown).items() if index not in waiting}


def need_view(shown: Shown, *, label_room: float) -> NeedView:
    """Return the curves over batch.

    Args:
        shown: What the figure shows.
        label_room: Height of one label as a share of the frame's height.
    """
    evaluation, language, found = shown.evaluation, shown.language, found_needs(shown)
    y = Axis(
        start=0.0,
        end=TOP,
        ticks=tuple(tick / 5 for tick in range(6)),
        labels=tuple(fmt.decimal(tick / 5) for tick in range(6)),
    )
    ends = {index: _end(found.get(index)) for index in shown.look.shown(len(evaluation.drafters))}
    places = end_labels(ends, y, label_room)
    curves = tuple(
        NeedCurve(
            need=found.get(index),
            title=shortened(result.name, LONGEST_NAME),
            label=found[index].said(language) if index in found else "",
            colour=result.colour,
            label_y=places.get(index, 0.0),
            shown=index in places,
        )
        for index, result in enumerate(evaluation.drafters)
    )
    return NeedView(
        curves=curves,
        x=batch_axis(evaluation.best_by_batch.batch, NARROW_TICKS if shown.look.narrow else WIDE_TICKS),
        y=y,
        batch=evaluation.batch,
        largest_batch=evaluation.memory.largest_batch,
        fresh=not shown.found.waiting,
    )


def _end(one: LineNeed | None) -> float:
    """Return where a line ends; at the top where there is none."""
    known = [] if one is None else one.acceptance[~np.isnan(one.acceptance)].tolist()
    return known[-1] if known else 1.0


def need_table(shown: Shown) -> Table:
    """Return needed and own acceptances by batch; words where nothing is enough."""
    language, found = shown.language, _fresh(shown)
    header, columns = [sentence("page.batch", language)], list[list[str]]()
    for one in found.values():
        columns = columns or [[fmt.count(int(batch)) for batch in one.batch]]
        keys = ("need_column", "need_own_column", "need_length_column")
        header += [sentence(f"figures.{key}", language, name=one.name) for key in keys]
        nothing = sentence("figures.need_not_now", language)
        columns += [
            [nothing if math.isnan(value) else fmt.significant(value, 3) for value in one.acceptance.tolist()],
            [fmt.significant(value, 3) for value in one.own.tolist()],
            [str(length) if length else NOTHING for length in one.draft_tokens.tolist()],
        ]
    rows = tuple(zip(*columns, strict=True))
    return Table(caption=sentence("figures.need_caption", language), header=tuple(header), rows=rows)


def need_rows(shown: Shown) -> list[Row]:
    """Return a row per drafter and batch, for files; None where nothing is enough."""
    return [
        {
            "drafter": one.name,
            "batch": int(one.batch[row]),
            "acceptance": _known(one.acceptance[row]),
            "draft_tokens": int(one.draft_tokens[row]),
            "tokens_per_round": _known(one.tokens_per_round[row]),
            "own_acceptance": float(one.own[row]),
            "pays": bool(one.pays[row]),
        }
        for one in _fresh(shown).values()
        for row in range(one.batch.size)
    ]


def _known(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
