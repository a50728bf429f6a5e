"""Draft lengths merged into ranges: as few as lose no more than a tolerance at any point."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from roofline_app.results.schedule import ScheduleRange

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
# Draft lengths that do, as the bits of a number: those that do for several points are what remains of all their bits.
Masks = list[int]


class _Block(NamedTuple):
    """Contexts and batches by position, ends included, and the draft lengths that do for all of them."""

    first_context: int
    last_context: int
    first_batch: int
    last_batch: int
    mask: int


def merged_ranges(
    losses: Floats, free: NDArray[np.bool_], *, context: Integers, batch: Integers, tolerance: float
) -> tuple[ScheduleRange, ...]:
    """Return the fewest ranges whose draft lengths lose at most a tolerance at every point.

    Contexts fall into bands, and the batches of a band into ranges. Within a band, going on until no length does for
    all batches gives the fewest ranges; over the bands, the fewest in total are found from those of fewer contexts.
    Among the lengths that do for a range, the one that loses least counts, the shortest of equals.

    Args:
        losses: Share of the best speed that is lost, shape (contexts, batches, cap + 1).
        free: Points where any length does, shape (contexts, batches).
        context: Contexts, rising; shape (contexts,).
        batch: Batches, rising; shape (batches,).
        tolerance: Largest loss.

    Returns:
        Bands from the shortest context on, in each ranges from the smallest batch on, without gaps: what lies between
        two points goes to the nearer one on a log scale.
    """
    blocks = _fewest_blocks(_masks((losses <= tolerance) | free[..., np.newaxis]))
    contexts, batches = _ends(context), _ends(batch)
    return tuple(
        ScheduleRange(
            first_context=contexts[block.first_context - 1] + 1 if block.first_context else 1,
            last_context=contexts[block.last_context],
            first_batch=batches[block.first_batch - 1] + 1 if block.first_batch else 1,
            last_batch=batches[block.last_batch],
            draft_tokens=_least_loss(block, losses, free),
        )
        for block in blocks
    )


def _masks(does: NDArray[np.bool_]) -> list[Masks]:
    packed = np.packbits(does, axis=-1, bitorder="little")
    return [[int.from_bytes(point.tobytes(), "little") for point in row] for row in packed]


def _ends(values: Integers) -> list[int]:
    """Return the last number that goes to each value."""
    known = values.tolist()
    return [*(math.isqrt(one * after) for one, after in pairwise(known)), known[-1]]


def _fewest_blocks(masks: Sequence[Masks]) -> list[_Block]:
    best: list[tuple[int, int, list[_Block]]] = [(0, 0, [])]
    for last in range(len(masks)):
        found: list[tuple[int, int, list[_Block]]] = []
        band = list(masks[last])
        for first in range(last, -1, -1):
            band = [one & other for one, other in zip(band, masks[first], strict=True)]
            if not all(band):
                break
            ranges, bands, before = best[first]
            own = _band_blocks(band, first, last)
            found.append((ranges + len(own), bands + 1, [*before, *own]))
        best.append(min(found, key=lambda one: one[:2]))
    return best[-1][2]


def _band_blocks(band: Masks, first: int, last: int) -> list[_Block]:
    blocks: list[_Block] = []
    start, kept = 0, band[0]
    for place, mask in enumerate(band):
        if kept & mask:
            kept &= mask
        else:
            blocks.append(_Block(first, last, start, place - 1, kept))
            start, kept = place, mask
    return [*blocks, _Block(first, last, start, len(band) - 1, kept)]


def _least_loss(block: _Block, losses: Floats, free: NDArray[np.bool_]) -> int:
    rows = slice(block.first_context, block.last_context + 1), slice(block.first_batch, block.last_batch + 1)
    total = losses[rows][~free[rows]].sum(axis=0)
    does = np.array([bool(block.mask >> length & 1) for length in range(losses.shape[-1])])
    return int(np.argmin(np.where(does, total, np.inf)))
