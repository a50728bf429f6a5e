"""The acceptance that drafters would need to pay."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class NeededAcceptance:
    """What a drafter needs to be as fast as something else; arrays of shape (batches,).

    Attributes:
        name: Name of the other line; empty for plain decoding.
        acceptance: The least constant acceptance, as a line states it: with any more it is faster. NaN where even an
            acceptance of 1 is too little.
        draft_tokens: The draft length at which that is enough; 0 where nothing is.
        tokens_per_round: Tokens per round there; NaN where nothing is enough.
    """

    name: str
    acceptance: Floats
    draft_tokens: Integers
    tokens_per_round: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class DrafterNeed:
    """What one drafter line would need; arrays of shape (batches,).

    Attributes:
        name: Name of the line.
        own_acceptance: Its own: as stated where that is one number, else the constant one that commits as many tokens
            at its best draft length (where it does not pay, at the one that needs least).
        pays: Whether it is faster than plain decoding.
        without: What it needs against plain decoding.
        against: What it needs against each other line at that line's best, in their order.
    """

    name: str
    own_acceptance: Floats
    pays: NDArray[np.bool_]
    without: NeededAcceptance
    against: tuple[NeededAcceptance, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """What every line would need, at batch 1, 2, 4 ... 4096 and at the current one; `batch` has shape (batches,)."""

    batch: Integers
    drafters: tuple[DrafterNeed, ...]
