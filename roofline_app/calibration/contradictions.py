"""Measured rows that contradict those beside them: named, never averaged.

Rows are beside each other when engine, model, accelerators, formats and lengths are the same. What holds of any of
them: a larger batch takes no less time per token, and no more than in proportion; a row lies between those at the
batches around it; the same setting takes the same time; a round takes no less time than a step, so that a speedup
does not exceed the tokens per round; and a round of one drafter and draft length costs as many steps whatever was
accepted, so that speedups over tokens per round agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, log
from statistics import median

from roofline_app.calibration.benchmarks import Remark
from roofline_app.calibration.benchmarks.remarks import remark
from roofline_app.calibration.fit.measured_rows import Row
from roofline_app.data import read_toml

MILLISECONDS = 1e3
# Runs of one setting differ with version, day and cache: nine tenths of the data's repeats by less than 1.2 times.
NOISE = 1.1
# Lengths of one benchmark, such as 1,000 and 1,024 tokens.
_NEAR = 1.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """A row that cannot be right together with another, or with itself.

    Attributes:
        row: Id of the row.
        other: Id of the row that it contradicts; empty where the row contradicts itself.
        remark: The sentence that says why.
    """

    row: str
    other: str
    remark: Remark


def _setting(row: Row) -> tuple[object, ...]:
    return (row.engine, row.model, row.gpu, row.gpus, row.expert_ranks, row.linear, row.experts, row.kv)


def _near(one: float, other: float) -> bool:
    return max(one, other) <= _NEAR * min(one, other)


def _beside(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Yield rows of one setting whose lengths are nearly the same, sorted by batch."""
    groups: dict[tuple[object, ...], list[list[Row]]] = {}
    for row in sorted(rows, key=lambda row: (row.context_tokens, row.batch)):
        fitting = groups.setdefault((*_setting(row), row.input_tokens > 0), [])
        for group in fitting:
            first = group[0]
            lengths = [(first.context_tokens, row.context_tokens)]
            lengths += [
                (first.input_tokens + 1, row.input_tokens + 1),
                (first.output_tokens + 1, row.output_tokens + 1),
            ]
            if all(_near(*pair) for pair in lengths):
                group.append(row)
                break
        else:
            fitting.append([row])
    for fitting in groups.values():
        for group in fitting:
            yield sorted(group, key=lambda row: row.batch)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Measure:
    """A figure that rows beside each other must agree in.

    Attributes:
        of: The figure of a row.
        apart: How many times what the batches around it tell a row's may be.
        repeated: How many times that of the same setting.
        names: Sentences for a row apart and for one that its repeats contradict.
        scale: From the figure to the sentence's unit.
    """

    of: Callable[[Row], float]
    apart: float
    repeated: float
    names: tuple[str, str]
    scale: float


_STEP = _Measure(
    of=lambda row: row.step_seconds,
    apart=1.4,
    repeated=1.5,
    names=("row_apart", "row_repeats"),
    scale=MILLISECONDS,
)
# A round's cost in steps does not depend on how many of its drafts were accepted: workloads differ by less than 1.1.
_ROUND = _Measure(
    of=lambda row: row.tokens_per_round / row.ratio if row.drafter else row.ratio,
    apart=1.25,
    repeated=1.25,
    names=("row_round_apart", "row_round_repeats"),
    scale=1.0,
)


def _found(name: str, row: Row, other: Row, given: float, expected: float) -> Contradiction:
    told = remark(
        name, row=row.id, other=other.id, batch=row.batch, smaller=other.batch, given=given, expected=expected
    )
    return Contradiction(row=row.id, other=other.id, remark=told)


def _typical(rows: Sequence[Row], measure: _Measure) -> Row:
    """Return the row of median figure; of an even number, the larger of the two in the middle."""
    return sorted(rows, key=measure.of)[len(rows) // 2]


def _by_batch(rows: Sequence[Row]) -> list[list[Row]]:
    return [[row for row in rows if row.batch == batch] for batch in sorted({row.batch for row in rows})]


def _repeats(rows: Sequence[Row], measure: _Measure) -> Iterator[Contradiction]:
    for same in _by_batch(rows):
        usual = _typical(same, measure)
        for row in same:
            given, expected = measure.of(row), measure.of(usual)
            if row is not usual and abs(log(given / expected)) > log(measure.repeated):
                yield _found(measure.names[1], row, usual, given * measure.scale, expected * measure.scale)


def _farthest(rows: Sequence[Row], measure: _Measure) -> Contradiction | None:
    """Return the row farthest from what the batches around it tell, where it is too far."""
    levels = _by_batch(rows)
    worst, found = log(measure.apart), None
    for below, here, above in zip(levels, levels[1:], levels[2:], strict=False):
        figures = [log(median(measure.of(row) for row in level)) for level in (below, above)]
        sizes = [log(level[0].batch) for level in (below, here, above)]
        expected = figures[0] + (sizes[1] - sizes[0]) / (sizes[2] - sizes[0]) * (figures[1] - figures[0])
        for row in here:
            apart = abs(log(measure.of(row)) - expected)
            if apart > worst:
                told = measure.of(row) * measure.scale, exp(expected) * measure.scale
                worst, found = apart, _found(measure.names[0], row, _typical(below, measure), *told)
    return found


def _unlike(rows: Sequence[Row], measure: _Measure) -> tuple[list[Contradiction], list[Row]]:
    """Return rows that differ from their repeats or from those around them, and the rows that are left.

    Of those apart from what is around them the farthest is taken out first, so that it counts against no other.
    """
    found = list(_repeats(rows, measure))
    named = {one.row for one in found}
    left = [row for row in rows if row.id not in named]
    while (worst := _farthest(left, measure)) is not None:
        found.append(worst)
        left = [row for row in left if row.id != worst.row]
    return found, left


def _rounds(rows: Iterable[Row]) -> Iterator[Contradiction]:
    """Yield what contradicts itself among the rounds of one setting, by drafter and draft length."""
    groups: dict[tuple[str, int, int, int], list[Row]] = {}
    for row in rows:
        if row.ratio and row.states_round:
            groups.setdefault((row.drafter, row.draft_tokens, row.topk, row.verify_tokens), []).append(row)
    for group in groups.values():
        yield from _unlike(group, _ROUND)[0]


def _slopes(rows: Sequence[Row]) -> Iterator[Contradiction]:
    for smaller, larger in pairwise(_by_batch(rows)):
        slow, fast = _typical(smaller, _STEP), _typical(larger, _STEP)
        told = fast.step_seconds * MILLISECONDS, slow.step_seconds * MILLISECONDS
        if fast.step_seconds * NOISE < slow.step_seconds:
            yield _found("row_falls", fast, slow, *told)
        if fast.step_seconds > slow.step_seconds * fast.batch / slow.batch * NOISE:
            yield _found("row_steep", fast, slow, *told)


def _in_itself(row: Row) -> Iterator[Contradiction]:
    if row.ratio_quantity == "verify" and row.draft_tokens and row.ratio:
        most = row.draft_tokens + 1
        if not 1 / NOISE <= row.ratio <= most * NOISE:
            told = remark("row_verify", row=row.id, given=row.ratio, expected=float(most))
            yield Contradiction(row=row.id, other="", remark=told)
    elif row.tokens_per_round > 1.0 and row.ratio > row.tokens_per_round * NOISE:
        told = remark("row_speedup", row=row.id, given=row.ratio, expected=row.tokens_per_round)
        yield Contradiction(row=row.id, other="", remark=told)


def contradictions(rows: Iterable[Row]) -> tuple[Contradiction, ...]:
    """Return what contradicts itself among measured rows.

    Args:
        rows: Rows of any files and sources, each with an id of its own.

    Returns:
        Rows that contradict themselves, then those that contradict rows beside them, by setting.
    """
    known = tuple(rows)
    found = [contradiction for row in known for contradiction in _in_itself(row)]
    for group in _beside(known):
        unlike, left = _unlike(group, _STEP)
        found += [*unlike, *_slopes(left), *_rounds(group)]
    return tuple(found)


def acknowledged() -> dict[str, str]:
    """Return the rows of the data that are known to contradict others, each with what its source says of it."""
    return {row: str(entry["reason"]) for row, entry in read_toml("measured/contradictions.toml").items()}
