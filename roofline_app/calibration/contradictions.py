"""Measured rows that contradict those beside them: named, never averaged.

Rows are beside each other when engine, model, accelerators, formats and lengths are the same. What holds of any of
them: a larger batch takes no less time per token, and no more than in proportion; a row lies between those at the
batches around it; the same setting takes the same time; a round takes no less time than a step, so that a speedup
does not exceed the tokens per round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, log
from statistics import median

from roofline_app.calibration.benchmarks import Remark
from roofline_app.calibration.benchmarks.remarks import remark
from roofline_app.calibration.fit.measured_rows import Row
from roofline_app.data import read_toml

MILLISECONDS = 1e3
# Runs of one setting differ this much with version, day and cache: nine tenths of the data's repeats by less than 1.2.
NOISE = 1.1
REPEATED = 1.5
APART = 1.4
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


def _between(name: str, row: Row, other: Row, expected: float) -> Contradiction:
    told = remark(
        name,
        row=row.id,
        other=other.id,
        batch=row.batch,
        smaller=other.batch,
        given=row.step_seconds * MILLISECONDS,
        expected=expected * MILLISECONDS,
    )
    return Contradiction(row=row.id, other=other.id, remark=told)


def _typical(rows: Sequence[Row]) -> Row:
    """Return the row of median time; of an even number, the slower of the two in the middle."""
    return sorted(rows, key=lambda row: row.step_seconds)[len(rows) // 2]


def _by_batch(rows: Sequence[Row]) -> list[list[Row]]:
    return [[row for row in rows if row.batch == batch] for batch in sorted({row.batch for row in rows})]


def _repeats(rows: Sequence[Row]) -> Iterator[Contradiction]:
    for same in _by_batch(rows):
        usual = _typical(same)
        for row in same:
            apart = abs(log(row.step_seconds / usual.step_seconds))
            if row is not usual and apart > log(REPEATED):
                yield _between("row_repeats", row, usual, usual.step_seconds)


def _farthest(rows: Sequence[Row]) -> Contradiction | None:
    """Return the row farthest from what the batches around it tell, where it is too far."""
    levels = _by_batch(rows)
    worst, found = log(APART), None
    for below, here, above in zip(levels, levels[1:], levels[2:], strict=False):
        times = [log(median(row.step_seconds for row in level)) for level in (below, above)]
        sizes = [log(level[0].batch) for level in (below, here, above)]
        share = (sizes[1] - sizes[0]) / (sizes[2] - sizes[0])
        expected = times[0] + share * (times[1] - times[0])
        for row in here:
            apart = abs(log(row.step_seconds) - expected)
            if apart > worst:
                worst, found = apart, _between("row_apart", row, _typical(below), exp(expected))
    return found


def _apart(rows: Sequence[Row]) -> tuple[list[Contradiction], list[Row]]:
    """Return rows that lie apart from those around them, the farthest first, and the rows that are left."""
    found: list[Contradiction] = []
    left = list(rows)
    while (worst := _farthest(left)) is not None:
        found.append(worst)
        left = [row for row in left if row.id != worst.row]
    return found, left


def _slopes(rows: Sequence[Row]) -> Iterator[Contradiction]:
    for smaller, larger in pairwise(_by_batch(rows)):
        slow, fast = _typical(smaller), _typical(larger)
        if fast.step_seconds * NOISE < slow.step_seconds:
            yield _between("row_falls", fast, slow, slow.step_seconds)
        if fast.step_seconds > slow.step_seconds * fast.batch / slow.batch * NOISE:
            yield _between("row_steep", fast, slow, slow.step_seconds)


def _in_itself(row: Row) -> Iterator[Contradiction]:
    if row.ratio_quantity == "verify" and row.draft_tokens and row.ratio:
        most = row.draft_tokens + 1
        if not 1 / NOISE <= row.ratio <= most * NOISE:
            told = remark("row_verify", row=row.id, given=row.ratio, expected=float(most))
            yield Contradiction(row=row.id, other="", remark=told)
    elif row.tokens_per_round > 1 and row.ratio > row.tokens_per_round * NOISE:
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
        repeats = list(_repeats(group))
        named = {contradiction.row for contradiction in repeats}
        apart, left = _apart([row for row in group if row.id not in named])
        found += [*repeats, *apart, *_slopes(left)]
    return tuple(found)


def acknowledged() -> dict[str, str]:
    """Return the rows of the data that are known to contradict others, each with what its source says of it."""
    return {row: str(entry["reason"]) for row, entry in read_toml("measured/contradictions.toml").items()}
