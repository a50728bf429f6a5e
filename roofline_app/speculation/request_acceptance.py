"""Requests that differ: how often each one's drafts are accepted, where the acceptance of all together is stated.

A request's acceptance α_r is drawn from a Beta distribution with mean m and variance `spread` · m(1 - m). A spread of 0
makes all requests alike; at 1 a request's drafts are all accepted or all rejected. (The spread is the correlation
between two draft tokens of one request.) Nothing is sampled: a Gauss-Jacobi rule stands for the distribution, exact for
powers of α_r up to twice its points.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
POINTS = 40
_BISECTIONS = 60
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestSurvival:
    """Survival in each class of requests.

    Attributes:
        share: Share of the requests in each class, shape (classes,); adds up to 1.
        survival: Chance that the draft token at each position commits, falling; shape (classes, positions).
    """

    share: Floats
    survival: Floats

    @property
    def mean(self) -> Floats:
        """Survival over all requests, shape (positions,)."""
        return np.asarray(self.share @ self.survival)


def spread_survival(acceptance: float, spread: float, draft_tokens: int) -> Floats:
    """Return survival over all requests whose constant acceptances differ, E[α_r^i].

    Args:
        acceptance: Mean of the requests' acceptances, in [0, 1].
        spread: Variance as a share of the largest that this mean allows, in [0, 1].
        draft_tokens: Number of positions γ.

    Returns:
        Moments of the Beta distribution, shape (γ,); α^i without a spread, α at every position with a spread of 1.

    Source:
        Johnson et al., Continuous Univariate Distributions 2, 1995, chapter 25.

    Examples:
        >>> spread_survival(0.5, 1.0, 3), spread_survival(0.5, 0.0, 3)
        (array([0.5, 0.5, 0.5]), array([0.5  , 0.25 , 0.125]))
    """
    further = np.arange(1, draft_tokens)
    rest = 1.0 - spread
    chances = (acceptance * rest + further * spread) / (rest + further * spread)
    return np.cumprod(np.concatenate(([acceptance], chances)))[:draft_tokens]


def request_acceptances(mean: float, spread: float) -> tuple[Floats, Floats]:
    """Return acceptances of classes of requests, and the share of each.

    Args:
        mean: Of all requests, in [0, 1].
        spread: As in `spread_survival`.

    Returns:
        Points and weights of the Gauss-Jacobi rule, rising; one point where all requests are alike, two at a spread
        of 1.

    Source:
        Golub and Welsch, Calculation of Gauss Quadrature Rules, 1969.

    Examples:
        >>> request_acceptances(0.75, 1.0)
        (array([0., 1.]), array([0.25, 0.75]))
    """
    if spread <= _ROUNDING or not 0.0 < mean < 1.0:
        return np.asarray([mean]), np.ones(1)
    size = 1.0 / spread - 1.0
    accepted, rejected = mean * size, (1.0 - mean) * size
    if size <= _ROUNDING:
        return np.asarray([0.0, 1.0]), np.asarray([1.0 - mean, mean])
    # The recurrence of Jacobi polynomials with these exponents, moved to 0..1.
    low, high = accepted - 1.0, rejected - 1.0
    orders = np.arange(1.0, POINTS)
    total = 2.0 * orders + low + high
    centres = np.concatenate(([(low - high) / size], (low - high) * (low + high) / (total * (total + 2.0))))
    first = 4.0 * accepted * rejected / (size**2 * (size + 1.0))
    later = orders[1:]
    sums = total[1:]
    widths = 4.0 * later * (later + low) * (later + high) * (later + low + high)
    widths = np.concatenate(([first], widths / (sums**2 * (sums + 1.0) * (sums - 1.0))))
    beside = 0.5 * np.sqrt(widths)
    matrix = np.diag(0.5 * (1.0 + centres)) + np.diag(beside, 1) + np.diag(beside, -1)
    points, vectors = np.linalg.eigh(matrix)
    share = vectors[0] ** 2
    return np.clip(points, 0.0, 1.0), share / share.sum()


def request_survival(survival: Floats, spread: float) -> RequestSurvival:
    """Return survival by class of requests, with a stated survival over all of them.

    The first position's acceptances follow the Beta distribution. At each further position a request is accepted with
    the same chance again, times what makes that position harder for all; where the stated survival falls more slowly
    than that allows, with a power of it.

    Args:
        survival: Over all requests at each position, falling, shape (positions,).
        spread: As in `spread_survival`.

    Returns:
        Classes whose mean is the stated survival to rounding.

    Examples:
        >>> found = request_survival(spread_survival(0.75, 0.2, 4), 0.2)
        >>> np.allclose(found.mean, spread_survival(0.75, 0.2, 4), rtol=1e-12)
        True
    """
    if survival.size == 0 or spread <= _ROUNDING or not 0.0 < survival[0] < 1.0:
        return RequestSurvival(share=np.ones(1), survival=survival[np.newaxis])
    chance, share = request_acceptances(float(survival[0]), spread)
    found = [chance]
    for stated in survival[1:]:
        before = found[-1]
        again = before * chance
        reached = float(share @ again)
        if stated <= reached * (1.0 + _ROUNDING):
            factor = stated / reached if reached > 0.0 else 0.0
            found.append(np.minimum(factor * again, before))
        else:
            found.append(_softened(before, chance, share, float(stated)))
    return RequestSurvival(share=share, survival=np.stack(found, axis=-1))


def _softened(before: Floats, chance: Floats, share: Floats, stated: float) -> Floats:
    """Return survival after a position where requests differ less: the power of their acceptances with that mean."""
    low, high = 0.0, 1.0
    for _ in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        if float(share @ (before * np.power(chance, middle))) > stated:
            low = middle
        else:
            high = middle
    found: Floats = before * np.power(chance, high)
    reached = float(share @ found)
    return np.asarray(np.minimum(found * (stated / reached), before)) if reached > 0.0 else found


def joined(parts: list[tuple[float, RequestSurvival]]) -> RequestSurvival:
    """Return the classes of several workloads together, each with its share of the requests."""
    return RequestSurvival(
        share=np.concatenate([weight * part.share for weight, part in parts]),
        survival=np.concatenate([part.survival for _, part in parts]),
    )
