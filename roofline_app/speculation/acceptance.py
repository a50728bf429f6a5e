"""Acceptance: how many tokens a round commits.

Everything reduces to survival s_i, the chance that the draft token at position i commits. A round commits its accepted
draft tokens and one token of the target's own (the bonus token), so tokens per round = 1 + s_1 + ... + s_γ. Survival
never rises with the position.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from roofline_app.speculation.request_acceptance import spread_survival

Floats = NDArray[np.float64]
_BISECTIONS = 200


def constant_survival(acceptance: float, draft_tokens: int) -> Floats:
    """Return survival when every draft token is accepted with the same chance.

    Args:
        acceptance: Chance α in [0, 1], given that the tokens before it were accepted.
        draft_tokens: Number of positions γ.

    Returns:
        α^1 ... α^γ, shape (γ,).

    Source:
        Leviathan et al., Fast Inference from Transformers via Speculative Decoding, ICML 2023, equation 1.

    Examples:
        >>> constant_survival(0.5, 3)
        array([0.5  , 0.25 , 0.125])
    """
    return np.power(acceptance, np.arange(1, draft_tokens + 1, dtype=np.float64))


def acceptance_of_length(tokens_per_round: float, draft_tokens: int, spread: float = 0.0) -> float:
    """Return the constant acceptance whose tokens per round are known at one draft length.

    Args:
        tokens_per_round: Committed tokens τ, bonus included, 1 <= τ <= draft_tokens + 1.
        draft_tokens: Draft length k at which τ was measured, at least 1.
        spread: How acceptance differs between requests, as in `spread_survival`; α is then their mean.

    Returns:
        α in [0, 1] with Σ_{i=0..k} E[α_r^i] = τ, by bisection; all α_r are α without a spread.

    Raises:
        ValueError: When no acceptance gives τ.

    Examples:
        One half commits 1 + 1/2 + 1/4 tokens with two drafts:

        >>> round(acceptance_of_length(1.75, 2), 9)
        0.5
    """
    if draft_tokens < 1 or not 1.0 <= tokens_per_round <= draft_tokens + 1.0:
        message = (
            f"{tokens_per_round} tokens per round cannot come from {draft_tokens} draft tokens and one bonus token"
        )
        raise ValueError(message)
    low, high = 0.0, 1.0
    for _ in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        if middle in {low, high}:
            break
        found = spread_survival(middle, spread, draft_tokens) if spread else constant_survival(middle, draft_tokens)
        if 1.0 + float(np.sum(found)) < tokens_per_round:
            low = middle
        else:
            high = middle
    return high


def length_at_context(contexts: tuple[int, ...], lengths: tuple[float, ...], context_tokens: float) -> float:
    """Return tokens per round at a context, from those measured at some.

    Between two measured contexts it is straight in the logarithm of the context; beyond the first and the last it stays
    what it is there, for nothing is known.

    Args:
        contexts: Measured contexts, rising.
        lengths: Tokens per round at each.
        context_tokens: Tokens in the cache.
    """
    return float(np.interp(np.log(context_tokens), np.log(contexts), lengths))


def listed_survival(survival: tuple[float, ...], draft_tokens: int) -> Floats:
    """Return survival as listed by position, 0 beyond the last one listed, shape (draft_tokens,).

    Examples:
        >>> listed_survival((0.8, 0.5), 3)
        array([0.8, 0.5, 0. ])
    """
    listed = np.zeros(draft_tokens)
    known = min(draft_tokens, len(survival))
    listed[:known] = survival[:known]
    return listed


def tokens_per_round(survival: Floats) -> Floats:
    """Return expected tokens per round at every draft length 0..γ.

    Args:
        survival: Survival by position, shape (γ,).

    Returns:
        1 + cumulative sum, bonus token included; shape (γ + 1,), from 1 to γ + 1.

    Examples:
        Of three drafts that are always accepted, all come, and the bonus token:

        >>> tokens_per_round(constant_survival(1.0, 3))
        array([1., 2., 3., 4.])
    """
    return np.concatenate(([1.0], 1.0 + np.cumsum(survival)))


def falling_survival(tokens_per_round: tuple[float, ...]) -> Floats:
    """Return the survival that comes nearest to measured tokens per round and never rises.

    Tokens per round at k = 1, 2, ... are measured one by one, so that their differences may rise or even be negative.
    The nearest falling sequence (least squares) averages such neighbours.

    Args:
        tokens_per_round: Tokens per round at draft lengths 1..k, bonus included.

    Returns:
        Survival at positions 1..k in [0, 1], falling; shape (k,).

    Source:
        Barlow et al., Statistical Inference under Order Restrictions, 1972 (pool adjacent violators).

    Examples:
        The second draft cannot commit more often than the first, so both share what they gain:

        >>> falling_survival((1.5, 2.25))
        array([0.625, 0.625])
    """
    pools = list[tuple[float, int]]()
    for rate in np.diff((1.0, *tokens_per_round)):
        mean, size = float(rate), 1
        while pools and pools[-1][0] < mean:
            earlier, count = pools.pop()
            mean, size = (earlier * count + mean * size) / (count + size), count + size
        pools.append((mean, size))
    return np.clip(np.repeat([mean for mean, _ in pools], [size for _, size in pools]), 0.0, 1.0)


def survival_through(draft_tokens: tuple[int, ...], tokens_per_round: tuple[float, ...]) -> Floats:
    """Return the survival that gives tokens per round as measured at some draft lengths.

    From one measured length to the next, each token is accepted with the same chance given that those before it were.

    Args:
        draft_tokens: Measured draft lengths, rising.
        tokens_per_round: Tokens per round at each, bonus included.

    Returns:
        Survival at positions 1 to the last measured length, falling.

    Examples:
        One half from the first token on, and nothing beyond the second:

        >>> survival_through((2, 4), (1.75, 1.75)).round(6)
        array([0.5 , 0.25, 0.  , 0.  ])
    """
    found = list[float]()
    survival, known, before = 1.0, 0, 1.0
    for length, tokens in zip(draft_tokens, tokens_per_round, strict=True):
        further = length - known
        gain = min(max((tokens - before) / survival, 0.0), float(further)) if survival > 0.0 else 0.0
        segment = survival * constant_survival(acceptance_of_length(1.0 + gain, further), further)
        found += segment.tolist()
        survival, known, before = float(segment[-1]), length, tokens
    return np.asarray(found)


def raised_survival(survival: Floats, share: float) -> Floats:
    """Return survival when a share of the rejections is accepted after all, position by position.

    The chance of acceptance given that the tokens before were accepted, a, becomes a + share * (1 - a). Positions that
    never commit keep doing so: nothing is known about them.

    Args:
        survival: Survival by position, falling, shape (γ,).
        share: Share of rejections, in [0, 1]; 0 changes nothing, 1 accepts whatever is known.

    Returns:
        Survival by position, shape (γ,).

    Examples:
        >>> raised_survival(np.array([0.5, 0.25]), 1.0)
        array([1., 1.])
    """
    before = np.concatenate(([1.0], survival[:-1]))
    chance = np.divide(survival, before, out=np.zeros_like(survival), where=before > 0.0)
    return np.where(survival > 0.0, np.cumprod(chance + share * (1.0 - chance)), 0.0)


def rejected_tokens(strict: Floats, share: float) -> Floats:
    """Return the expected draft tokens per round that commit although the target would have rejected them.

    Args:
        strict: Survival by position where nothing is accepted that the target rejects, falling, shape (γ,).
        share: Share of rejections that are accepted all the same, in [0, 1].

    Returns:
        Tokens at draft lengths 0..γ, shape (γ + 1,); positions that never commit add none.

    Examples:
        Half of the tokens are rejected, and all of these are taken, so that half of what commits is not the target's:

        >>> rejected_tokens(np.array([0.5, 0.25]), 1.0)
        array([0. , 0.5, 1. ])
    """
    before = np.concatenate(([1.0], strict[:-1]))
    chance = np.divide(strict, before, out=np.zeros_like(strict), where=before > 0.0)
    taken = share * (1.0 - chance)
    part = np.divide(taken, chance + taken, out=np.zeros_like(strict), where=strict > 0.0)
    return np.concatenate(([0.0], np.cumsum(raised_survival(strict, share) * part)))


def share_of_passes(gain: float, passes: int) -> float:
    """Return the share of rejections that further draft passes remove.

    Args:
        gain: Share of the remaining rejections that each further pass removes, in [0, 1].
        passes: Passes over a block, at least 1.

    Returns:
        1 - (1 - gain)^(passes - 1); 0 for one pass.
    """
    return 1.0 - (1.0 - gain) ** (passes - 1)
