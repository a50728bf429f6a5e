"""What training a drafter further would earn: the points of its learning curve, and where it is best to stop."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningPoint:
    """One amount of training.

    Attributes:
        usd: What it costs.
        tokens_per_round: What it reaches, at most the draft and the bonus token.
        speedup: Against plain decoding, which serves where the drafter does not pay.
        usd_saved_per_day: Against today's drafter; None without traffic or price.
        break_even_days: After which its cost is saved; None where nothing is.
        net_usd: Saved within the horizon less the cost; None without traffic or price.
    """

    usd: float
    tokens_per_round: float
    speedup: float
    usd_saved_per_day: float | None
    break_even_days: float | None
    net_usd: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Learning:
    """A drafter's learning curve in dollars, straight between its points.

    Attributes:
        name: Name of the drafter.
        draft_tokens: Its draft length, as now.
        horizon_days: Days that the trained drafter serves.
        points: Those that are stated.
        stop: Where what is saved within the horizon exceeds the cost by most; None without traffic or price, or where
            no training on the curve does.
    """

    name: str
    draft_tokens: int
    horizon_days: float
    points: tuple[LearningPoint, ...]
    stop: LearningPoint | None
