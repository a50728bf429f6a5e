"""Speculation: drafting, verifying and acceptance together give the speedup and the best draft length."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def speedup(
    tokens_per_round: Floats, *, step_seconds: Floats, verifying_seconds: Floats, drafting_seconds: Floats
) -> Floats:
    """Return tokens per second with speculation over tokens per second without.

    Args:
        tokens_per_round: Committed tokens τ, bonus included.
        step_seconds: One target pass with one query token.
        verifying_seconds: One target pass over draft + 1 query tokens.
        drafting_seconds: All draft passes of the round.

    Returns:
        τ * step / (verifying + drafting), broadcast shape; exactly 1 for an empty draft.

    Source:
        Leviathan et al. 2023, theorem 3.8, with the verifying pass not assumed free (MoESD, arXiv 2505.19645).

    Examples:
        Where drafting is free and verifying costs a step, it is tokens per round; verifying twice as long halves it:

        >>> tokens = tokens_per_round(constant_survival(0.5, 2))
        >>> speedup(tokens, step_seconds=0.01, verifying_seconds=np.array([0.01, 0.01, 0.02]), drafting_seconds=0.0)
        array([1.   , 1.5  , 0.875])
    """
    return tokens_per_round * (step_seconds / (verifying_seconds + drafting_seconds))


def best_draft_tokens(speedups: Floats) -> Integers:
    """Return the shortest draft length that reaches the largest speedup.

    Args:
        speedups: Speedup at draft lengths 0..γ along the last axis.

    Returns:
        Index along the last axis, shape of the other axes.

    Examples:
        >>> int(best_draft_tokens(np.array([1.0, 1.4, 1.5, 1.5])))
        2
    """
    return np.asarray(np.argmax(speedups, axis=-1), dtype=np.int64)
