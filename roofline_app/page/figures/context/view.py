"""Best speedup against context: each context at its best draft length, up to the longest that the model takes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from roofline_app import format as fmt
from roofline_app.page.figures.axes import Axis, end_labels, shortened, speedup_axis
from roofline_app.page.figures.look import Shown
from roofline_app.page.figures.pieces import Work, groups_of_lines
from roofline_app.page.figures.rows import Row
from roofline_app.page.figures.tables import Table
from roofline_app.results import Evaluation, Floats, Integers
from roofline_app.scenario import Scenario, decoding_alone
from roofline_app.text import sentence

FIRST_CONTEXT, UNSTATED_LIMIT = 2**7, 2**20
MOST_TICKS = 6
WIDE_TICKS, NARROW_TICKS = 7, 4
LONGEST_NAME = 82
NO_FIT = "–"


@dataclass(frozen=True, slots=True, kw_only=True)
class AtContext:
    """What a setting reaches at one context; arrays of shape (drafters,).

    Attributes:
        speedup: Best speedups.
        draft_tokens: The draft lengths that reach them.
        needed_bytes: Memory that all of it takes.
        capacity_bytes: Memory that there is.
    """

    speedup: Floats
    draft_tokens: Integers
    needed_bytes: float
    capacity_bytes: float

    @property
    def fits(self) -> bool:
        """Whether it fits into memory."""
        return self.needed_bytes <= self.capacity_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextCurve:
    """One drafter over the contexts; arrays of shape (contexts,), as far as they are there."""

    name: str
    label: str
    colour: str
    context: Integers
    speedup: Floats
    draft_tokens: Integers
    now: float
    label_y: float
    shown: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextView:
    """What the figure shows.

    Attributes:
        curves: One per drafter; `now` is its speedup in this setting.
        x: Contexts on a log axis: powers of two, and the model's limit.
        y: Speedups.
        context: The current context.
        largest_context: The longest context that fits into memory, as far as is known.
        fresh: Whether every value is of this setting.
    """

    curves: tuple[ContextCurve, ...]
    x: Axis
    y: Axis
    context: int
    largest_context: float
    fresh: bool


def contexts(evaluation: Evaluation) -> tuple[int, ...]:
    """Return powers of two below the model's limit, and the limit: at least two contexts."""
    limit = evaluation.model.max_context_tokens or UNSTATED_LIMIT
    first = FIRST_CONTEXT if limit > FIRST_CONTEXT else max(limit // 2, 1)
    powers = (first * 2**power for power in range(max(math.ceil(math.log2(limit / first)), 1)))
    return (*powers, max(limit, 2))


def context_work(evaluation: Evaluation) -> Work:
    """Return the evaluations at each context, nearest to the current one first; earlier values stay until then."""
    scenario = evaluation.scenario
    setting = replace(decoding_alone(scenario), context=Scenario().context)
    groups = groups_of_lines(setting)
    distance = {context: abs(math.log2(context / scenario.context)) for context in contexts(evaluation)}
    return Work(
        setting=setting,
        parts={
            context: tuple(replace(setting, context=context, drafters=lines) for lines in groups)
            for context in sorted(distance, key=distance.__getitem__)
        },
        join=_joined,
        keeps=True,
    )


def _joined(pieces: Sequence[Evaluation]) -> AtContext:
    results = [result.best for evaluation in pieces for result in evaluation.drafters]
    fullest = max((evaluation.memory for evaluation in pieces), key=lambda memory: memory.needed_bytes)
    return AtContext(
        speedup=np.array([best.speedup for best in results]),
        draft_tokens=np.array([best.draft_tokens for best in results]),
        needed_bytes=fullest.needed_bytes,
        capacity_bytes=fullest.capacity_bytes,
    )


def found_at(shown: Shown) -> Mapping[int, AtContext]:
    """Return what is there, by context in order; what was found with other drafters is left out."""
    lines, values = len(shown.evaluation.drafters), shown.found.values
    known = {context: values[context] for context in contexts(shown.evaluation) if context in values}
    return {context: one for context, one in known.items() if len(one.speedup) == lines}


def largest_context(found: Mapping[int, AtContext], end: float) -> float:
    """Return the longest context that fits; between two, memory grows with every token alike."""
    if found and not next(iter(found.values())).fits:
        return 0.0
    for (shorter, before), (longer, after) in pairwise(found.items()):
        if not after.fits:
            room = before.capacity_bytes - before.needed_bytes
            return shorter + (longer - shorter) * room / (after.needed_bytes - before.needed_bytes)
    return end


def context_view(shown: Shown, *, label_room: float) -> ContextView:
    """Return the curves over context.

    Args:
        shown: What the figure shows.
        label_room: Height of one label as a share of the frame's height.
    """
    results, found = shown.evaluation.drafters, found_at(shown)
    visible = shown.look.shown(len(results))
    reached = {index: np.array([one.speedup[index] for one in found.values()]) for index in range(len(results))}
    tops = [max(results[index].best.speedup, *reached[index].tolist(), 0.0) for index in visible]
    x, y = _axis(contexts(shown.evaluation), narrow=shown.look.narrow), speedup_axis(max(tops), MOST_TICKS)
    ends = {index: float([results[index].best.speedup, *reached[index]][-1]) for index in visible}
    places = end_labels(ends, y, label_room)
    curves = tuple(
        ContextCurve(
            name=result.name,
            label=shortened(result.name, LONGEST_NAME),
            colour=result.colour,
            context=np.array(list(found), dtype=np.int64),
            speedup=reached[index],
            draft_tokens=np.array([one.draft_tokens[index] for one in found.values()], dtype=np.int64),
            now=result.best.speedup,
            label_y=places.get(index, 0.0),
            shown=index in places,
        )
        for index, result in enumerate(results)
    )
    return ContextView(
        curves=curves,
        x=x,
        y=y,
        context=shown.evaluation.context,
        largest_context=largest_context(found, x.end),
        fresh=not shown.found.waiting,
    )


def _axis(at: Sequence[int], *, narrow: bool) -> Axis:
    """Return a log axis with some of the contexts named, the last one among them."""
    step = math.ceil(len(at) / (NARROW_TICKS if narrow else WIDE_TICKS))
    ticks = tuple(float(context) for context in at[::-step][::-1])
    return Axis(start=float(at[0]), end=float(at[-1]), ticks=ticks, labels=tuple(fmt.tokens(int(one)) for one in ticks))


def context_at(x: float, _y: float, shown: Shown) -> Mapping[str, int] | None:
    """Return the context nearest to a place; None outside of the frame."""
    known = contexts(shown.evaluation)
    if not known[0] <= x <= known[-1]:
        return None
    return {"context": min(known, key=lambda context: abs(math.log2(x / context)))}


def context_table(shown: Shown) -> Table:
    """Return best speedups and draft lengths by context; a dash where a context does not fit into memory."""
    language = shown.language
    header = [sentence("page.context_typed", language)]
    for result in shown.evaluation.drafters:
        header.append(sentence("page.column_best_speedup", language, name=result.name))
        header.append(sentence("page.column_best_length", language, name=result.name))
    rows = tuple(
        (
            fmt.tokens(context),
            *(
                cell if one.fits else NO_FIT
                for speedup, length in zip(one.speedup, one.draft_tokens, strict=True)
                for cell in (fmt.speedup(float(speedup)), str(length))
            ),
        )
        for context, one in found_at(shown).items()
        if context not in shown.found.waiting
    )
    return Table(caption=sentence("figures.context_caption", language), header=tuple(header), rows=rows)


def context_rows(shown: Shown) -> list[Row]:
    """Return a row per drafter and context, for files."""
    found = {context: one for context, one in found_at(shown).items() if context not in shown.found.waiting}
    return [
        {
            "drafter": result.name,
            "context": context,
            "draft_tokens": int(one.draft_tokens[index]),
            "speedup": float(one.speedup[index]),
            "fits": one.fits,
        }
        for index, result in enumerate(shown.evaluation.drafters)
        for context, one in found.items()
    ]
