"""Schedules of draft lengths over batch and context, and what coarser ones lose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
# Says of an array that it has two axes, so that its JSON is a list of lists.
TABLE = "table"
FloatTable = Annotated[Floats, TABLE]
IntegerTable = Annotated[Integers, TABLE]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleRange:
    """One draft length for batches and contexts from a first to a last one, both included."""

    first_context: int
    last_context: int
    first_batch: int
    last_batch: int
    draft_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleLosses:
    """Mean speed that is lost against the best draft length at each point, weighted by the load, 0 to 1.

    Attributes:
        one_length: With the one draft length that loses least.
        by_batch: With one draft length for each batch, whatever the context.
        ranges: With the merged ranges.
    """

    one_length: float
    by_batch: float
    ranges: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleSpeedups:
    """Mean speedups over plain decoding, weighted by the load; `table` with the best draft length at each point."""

    one_length: float
    by_batch: float
    ranges: float
    table: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DrafterSchedule:
    """What one line drafts where.

    Attributes:
        name: Name of the line.
        draft_tokens: Best draft length, shape (contexts, batches).
        speedup: Speedup there, same shape.
        ranges: Draft lengths that lose at most 1 % at any point that fits: bands of contexts, in each ranges of
            batches, without gaps. Between two computed batches or contexts the nearer one counts, on a log scale.
        one_length: The one draft length that loses least.
        by_batch: The draft length of each batch that loses least over the contexts, shape (batches,).
        losses: What these lose.
        speedups: What they reach.
        behind_winner: Mean speed that is lost with this line everywhere, each point at its best draft length, against
            the best line at each point.
    """

    name: str
    draft_tokens: IntegerTable
    speedup: FloatTable
    ranges: tuple[ScheduleRange, ...]
    one_length: int
    by_batch: Integers
    losses: ScheduleLosses
    speedups: ScheduleSpeedups
    behind_winner: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """Draft lengths of every line over batch and context; tables of shape (contexts, batches).

    Attributes:
        context: The contexts.
        batch: The batches.
        fits: Whether it fits into memory.
        weight: Share of the load; sums to 1.
        even: Whether no load is stated, so that all points that fit weigh alike.
        load_that_fits: Share of the stated load that fits into memory; the rest counts for nothing. Where nothing of
            it fits, all of it counts as if it did.
        winner: Position of the line with the largest speedup, hypothetical ones only where there are no others; -1
            where none beats plain decoding.
        drafters: One per line.
    """

    context: Integers
    batch: Integers
    fits: Annotated[NDArray[np.bool_], TABLE]
    weight: FloatTable
    even: bool
    load_that_fits: float
    winner: IntegerTable
    drafters: tuple[DrafterSchedule, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScheduleRow:
    """Speedups of some lines at one context, from which schedules are made.

    Attributes:
        context: Tokens in each sequence's cache.
        speedups: At each batch and draft lengths 0..cap, shape (lines, batches, cap + 1).
        largest_batch: Most sequences that fit into memory.
    """

    context: int
    speedups: Floats
    largest_batch: int
