"""Needed acceptance: how often drafts have to be accepted for speculation to pay, whatever a drafter's own acceptance.

A round of γ draft tokens reaches a speedup S when it commits S · (T_verify + T_draft) / T_step tokens. The drafter's
own passes take the committed tokens in, so that T_draft grows a little with them: the number of tokens is a fixed
point.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_MOST_STEPS = 100
_EXACT = 1e-12
_STEEPEST = 0.9
_NOTHING, _TINY = 1e-15, 1e-300


def needed_tokens(round_seconds: Callable[[Floats], Floats], goal_seconds: Floats, draft_tokens: Integers) -> Floats:
    """Return the least tokens per round with which each draft length takes no longer per token than a goal.

    Args:
        round_seconds: Seconds of a round from the tokens that rounds commit, both of shape (settings, lengths); grows
            with them, by less than the goal per token.
        goal_seconds: Seconds per token to reach, shape (settings, 1): plain decoding's step, or that over a speedup.
        draft_tokens: Draft lengths γ, shape (lengths,).

    Returns:
        Tokens per round, bonus token included, at least 1; infinite where even γ + 1 tokens are too few.

    Examples:
        A round that takes one and a half steps has to commit one and a half tokens; one of three cannot:

        >>> needed_tokens(lambda tokens: np.array([[1.5, 3.5]]), np.array([[1.0]]), np.array([1, 2]))
        array([[1.5, inf]])
    """
    most = draft_tokens + 1.0

    def tokens(committed: Floats) -> Floats:
        return np.asarray(round_seconds(committed) / goal_seconds, dtype=np.float64)

    at = np.broadcast_to(1.0, (goal_seconds.shape[0], most.size))
    found, slope = tokens(at), np.zeros_like(at)
    # A growing function has its fixed point between any value and the value there.
    low, high = found, np.broadcast_to(most, at.shape)
    for _ in range(_MOST_STEPS):
        before, was = at, found
        at = np.minimum(np.clip(before + (was - before) / (1.0 - np.minimum(slope, _STEEPEST)), low, high), most)
        found = tokens(at)
        if np.all((np.abs(found - at) <= _EXACT * at) | ((at == most) & (found > most))):
            break
        low, high = np.where(found >= at, found, low), np.where(found < at, found, high)
        slope = np.divide(found - was, at - before, out=np.zeros_like(at), where=at != before)
    return np.where(found <= most, np.maximum(found, 1.0), np.inf)


def needed_acceptance(tokens: Floats, tokens_per_round: Callable[[Floats], Floats]) -> tuple[Floats, Integers]:
    """Return the least acceptance that commits the needed tokens at any draft length, and that length.

    Args:
        tokens: Tokens per round that each draft length needs, shape (settings, lengths).
        tokens_per_round: Tokens per round of an acceptance, from shape (settings, 1) to (settings, lengths); grows with
            it at every length.

    Returns:
        Acceptance in [0, 1], shape (settings,): that at which the first length is as good as the goal, so that any more
        is better; NaN where no acceptance reaches it. And the position of that length, 0 where there is none.

    Examples:
        Two drafts that cost half a step have to be accepted with one half or less, four that cost as much with less:

        >>> both = np.array([[1.5, 1.5]])
        >>> chance, place = needed_acceptance(both, lambda a: 1 + np.stack([a[:, 0], (a + a**2)[:, 0]], axis=-1))
        >>> round(float(chance[0]), 6), int(place[0])
        (0.366025, 1)
    """

    def surplus(acceptance: Floats) -> Floats:
        return np.asarray(np.max(tokens_per_round(acceptance[:, np.newaxis]) - tokens, axis=-1))

    low: Floats = np.full(tokens.shape[0], _NOTHING)
    high: Floats = np.ones(tokens.shape[0])
    at_low, at_high = surplus(low), surplus(high)
    possible, free = at_high >= 0.0, at_low >= 0.0
    open_ = possible & ~free
    below, above = np.where(open_, at_low, -1.0), np.where(open_, at_high, 1.0)
    for _ in range(_MOST_STEPS):
        near = (at_high <= _EXACT) | (high - low <= _NOTHING)
        if np.all(near | ~open_):
            break
        # The Illinois method: the chord's zero, with the value at an end that stays halved.
        middle = np.clip((low * above - high * below) / (above - below), low, high)
        found = surplus(middle)
        enough = found >= 0.0
        below = np.where(enough, 0.5 * below, found)
        above = np.where(enough, found, 0.5 * above)
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
        at_high = np.where(enough, found, at_high)
        below, above = np.where(open_, np.minimum(below, -_TINY), -1.0), np.where(open_, np.maximum(above, _TINY), 1.0)
    acceptance = np.where(possible, np.where(free, 0.0, high), np.nan)
    place = np.argmax(tokens_per_round(high[:, np.newaxis]) - tokens, axis=-1)
    return acceptance, np.where(possible, place, 0).astype(np.int64)
