"""Drafting: seconds that the draft of a round takes."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def relative_drafting_seconds(draft_tokens: ArrayLike, *, cost: float, block: int, step_seconds: ArrayLike) -> Floats:
    """Return drafting seconds when a draft pass costs a fixed share of a step.

    An autoregressive drafter makes one pass per draft token (`block` 1); a block drafter one per started block.

    Args:
        draft_tokens: Draft length γ, any shape.
        cost: Share of a step that one draft pass takes, at least 0.
        block: Draft tokens of one pass, at least 1.
        step_seconds: Seconds of one plain decoding step; broadcasts against `draft_tokens`.

    Returns:
        cost * ⌈γ / block⌉ steps in seconds, broadcast shape.

    Source:
        Leviathan et al. 2023, theorem 3.8 (cost coefficient c); Modal, Speculation Is All You Need, 2026 (per block).
    """
    passes = np.ceil(np.asarray(draft_tokens, dtype=np.float64) / block)
    return cost * passes * np.asarray(step_seconds, dtype=np.float64)
