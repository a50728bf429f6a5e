"""Drafting as a share of a step: the article's reading."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def draft_passes(draft_tokens: ArrayLike, *, block: int, passes: int = 1) -> Floats:
    """Return the number of draft passes of a round.

    Args:
        draft_tokens: Draft length γ, any shape.
        block: Draft tokens of one pass, at least 1; 1 for an autoregressive drafter.
        passes: Passes over each block, at least 1 (a flow-map drafter may refine its block).

    Returns:
        passes * ⌈γ / block⌉, shape of `draft_tokens`.
    """
    return passes * np.ceil(np.asarray(draft_tokens, dtype=np.float64) / block)


def relative_drafting_seconds(
    draft_tokens: ArrayLike, *, cost: float, block: int, step_seconds: ArrayLike, passes: int = 1
) -> Floats:
    """Return drafting seconds when a draft pass costs a fixed share of a step.

    An autoregressive drafter makes one pass per draft token (`block` 1); a block drafter one per started block.

    Args:
        draft_tokens: Draft length γ, any shape.
        cost: Share of a step that one draft pass takes, at least 0.
        block: Draft tokens of one pass, at least 1.
        step_seconds: Seconds of one plain decoding step; broadcasts against `draft_tokens`.
        passes: Passes over each block, at least 1.

    Returns:
        cost * passes * ⌈γ / block⌉ steps in seconds, broadcast shape.

    Source:
        Leviathan et al. 2023, theorem 3.8 (cost coefficient c); Modal, Speculation Is All You Need, 2026 (per block).

    Examples:
        A token by pass, and a block of sixteen by pass:

        >>> relative_drafting_seconds([0, 1, 16], cost=0.25, block=1, step_seconds=1.0)
        array([0.  , 0.25, 4.  ])
        >>> relative_drafting_seconds([0, 1, 16], cost=0.25, block=16, step_seconds=1.0)
        array([0.  , 0.25, 0.25])
    """
    return cost * draft_passes(draft_tokens, block=block, passes=passes) * np.asarray(step_seconds, dtype=np.float64)
