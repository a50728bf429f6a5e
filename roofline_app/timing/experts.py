"""Experts of a layer that a pass touches, in all and on the busiest GPU.

Assumed: tokens choose experts uniformly and independently of each other.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
_NORMAL_END, _NORMAL_POINTS = 9.0, 721


def distinct_experts(experts: float, experts_per_token: float, tokens: ArrayLike) -> Floats:
    """Return the expected number of distinct routed experts that a number of tokens touches.

    Args:
        experts: Routed experts E.
        experts_per_token: Experts k that one token uses, 0 < k <= E.
        tokens: Number of tokens t >= 0, any shape.

    Returns:
        E(1 - (1 - k/E)^t), shape of `tokens`, between 0 and E.

    Source:
        MoESD, arXiv 2505.19645, section 3; Finn, The economics of speculative decoding, 2026.

    Examples:
        >>> distinct_experts(8, 2, [0, 1, 4])
        array([0.     , 2.     , 5.46875])
    """
    return experts * (1.0 - np.power(1.0 - experts_per_token / experts, np.asarray(tokens, dtype=np.float64)))


@cache
def largest_of_normal(count: int) -> float:
    """Return the expected largest of independent standard normal values.

    Args:
        count: How many values n, at least 1.

    Returns:
        The integral of x n φ(x) Φ(x)^(n-1), by the trapezoidal rule.
    """
    values = np.linspace(-_NORMAL_END, _NORMAL_END, _NORMAL_POINTS)
    below = np.array([0.5 * (1.0 + math.erf(value / math.sqrt(2.0))) for value in values])
    density = np.exp(-0.5 * values**2) / math.sqrt(2.0 * math.pi)
    return float(np.trapezoid(values * count * density * below ** (count - 1), values))


def busiest_rank_experts(experts: float, experts_per_token: float, tokens: ArrayLike, ranks: int) -> Floats:
    """Return the expected distinct experts on the busiest of equal ranks, times the ranks.

    Every rank waits for the busiest one, as if all had its work. The ranks' counts are taken as normal and independent.

    Args:
        experts: Routed experts E.
        experts_per_token: Experts k that one token uses.
        tokens: Number of tokens, any shape.
        ranks: Ranks, each with E / ranks experts.

    Returns:
        Shape of `tokens`, between the distinct experts and E.
    """
    touched = distinct_experts(experts, experts_per_token, tokens)
    if ranks == 1:
        return touched
    chance = touched / experts
    deviation = np.sqrt(np.maximum(experts / ranks * chance * (1.0 - chance), 0.0))
    return np.asarray(np.minimum(touched + ranks * largest_of_normal(ranks) * deviation, experts))
