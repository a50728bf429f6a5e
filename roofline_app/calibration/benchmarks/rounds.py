"""Acceptance as engines state it, in one convention: tokens per round with the bonus token, drafts without the root.

| stated by | figure | here |
|---|---|---|
| vLLM, SGLang, TensorRT-LLM | mean acceptance length | tokens per round as it is: all three include the bonus token |
| SGLang | speculative_num_draft_tokens, block size | draft tokens + 1: the verified root is counted |
| vLLM | num_speculative_tokens | draft tokens as it is |
| TensorRT-LLM | forced number of accepted tokens | tokens per round - 1: the bonus token is left out |
| all | accepted / proposed | 1 + share x draft tokens; never taken as the chance of one token |
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from roofline_app.calibration.benchmarks.points import Rounds
from roofline_app.calibration.benchmarks.remarks import Remark, UnusableError, remark
from roofline_app.scenario import LARGEST_CAP

# Engines print acceptance with two or three decimals.
_ROUNDING = 0.02
_SHARE_ROUNDING = 0.005
MOST_DRAFT_TOKENS = 16 * LARGEST_CAP


def survival_of(rates: Sequence[float], field: str) -> tuple[float, ...]:
    """Return per-position rates that never rise.

    Args:
        rates: Unconditional chance that the draft token at each position commits, as printed.
        field: Where they are stated.

    Returns:
        The same, with rises by rounding taken out.

    Raises:
        UnusableError: When a rate is no probability, or they rise by more than rounding.
    """
    if any(not -_SHARE_ROUNDING <= rate <= 1 + _SHARE_ROUNDING for rate in rates):
        raise UnusableError("not_a_share", field=field, given=max(rates, key=abs))
    falling = tuple(accumulate((min(max(rate, 0.0), 1.0) for rate in rates), min))
    if any(rate > bound + _SHARE_ROUNDING for rate, bound in zip(rates, falling, strict=True)):
        raise UnusableError("rising", field=field)
    return falling


def rounds_of(
    tokens_per_round: float,
    draft_tokens: int | None,
    field: str,
    *,
    survival: tuple[float, ...] = (),
    assumptions: tuple[Remark, ...] = (),
) -> Rounds:
    """Return the measured rounds; reject what no round can do.

    Args:
        tokens_per_round: Bonus token included.
        draft_tokens: Root and bonus not counted; None where unknown.
        field: Where the length is stated.
        survival: By position.
        assumptions: What had to be assumed.

    Returns:
        The rounds; lengths that rounding put outside of 1 to draft_tokens + 1 are put back.

    Raises:
        UnusableError: When a round commits less than 1 or more than draft_tokens + 1 tokens.
    """
    most = MOST_DRAFT_TOKENS if draft_tokens is None else draft_tokens
    if not 1 - _ROUNDING <= tokens_per_round <= most + 1 + _ROUNDING:
        raise UnusableError("impossible_length", field=field, given=tokens_per_round, most=most + 1)
    return Rounds(
        tokens_per_round=min(max(tokens_per_round, 1.0), most + 1.0),
        draft_tokens=draft_tokens,
        survival=survival,
        assumptions=assumptions,
    )


def unknown_rounds(draft_tokens: int | None) -> Rounds:
    """Return the rounds of a run that speculated without saying how much was accepted."""
    return Rounds(tokens_per_round=None, draft_tokens=draft_tokens, assumptions=(remark("no_acceptance"),))


def mean_draft_tokens(drafted: float, rounds: float) -> int | None:
    """Return the draft length where all rounds drafted the same number of tokens; None where they did not.

    Args:
        drafted: Draft tokens of all rounds.
        rounds: Number of rounds, above 0.

    Returns:
        A whole number, or None.
    """
    mean = drafted / rounds
    whole = round(min(mean, MOST_DRAFT_TOKENS + 1))
    return whole if 1 <= whole <= MOST_DRAFT_TOKENS and abs(mean - whole) <= _ROUNDING * whole else None
