"""What adaptive verification brings under a budget that the batch shares."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedRounds:
    """The rounds of one way to verify; arrays of shape (batches,).

    Attributes:
        draft_tokens: Tokens that are drafted for each request.
        verified_tokens: Draft tokens of a request that are verified, on average over the batch.
        tokens_per_round: Tokens that a request commits on average, bonus token included.
        seconds_per_round: Drafting and verifying.
        speedup: Over plain decoding.
    """

    draft_tokens: Integers
    verified_tokens: Floats
    tokens_per_round: Floats
    seconds_per_round: Floats
    speedup: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class DrafterAdaptive:
    """What one drafter line does with a verify budget, in four ways.

    Attributes:
        name: Name of the line.
        spread: How acceptance differs between its requests, 0..1.
        confidence: How well it knows them, 0..1.
        mixed: Whether it serves several workloads, which differ without a spread too.
        tree: Whether its drafts branch: they are not cut token by token here, and only whole drafts are compared.
        fixed: One draft length at every batch, the best on average over those that fit; shorter where the budget is.
        by_batch: The best draft length at each batch.
        adaptive: The tokens with the greatest estimated survival, as far as the drafter knows; None for trees.
        oracle: With every token's fate known beforehand: nothing is verified in vain; None for trees.
    """

    name: str
    spread: float
    confidence: float
    mixed: bool
    tree: bool
    fixed: VerifiedRounds
    by_batch: VerifiedRounds
    adaptive: VerifiedRounds | None
    oracle: VerifiedRounds | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Adaptive:
    """Every line at batch 1, 2, 4 ... 4096 and at the current one.

    Attributes:
        batch: Shape (batches,).
        budget: Most tokens of a verifying pass; None for the best number.
        drafters: Lines in the scenario's order.
    """

    batch: Integers
    budget: int | None
    drafters: tuple[DrafterAdaptive, ...]
