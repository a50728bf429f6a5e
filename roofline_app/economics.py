"""Economics: tokens per second and dollars from the seconds of a round."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from math import sqrt

from roofline_app.results import (
    DrafterResult,
    Economics,
    Floats,
    Integers,
    Learning,
    LearningPoint,
    Payoff,
    Rates,
    RatesByBatch,
)
from roofline_app.scenario import Scenario

SECONDS_PER_HOUR = 3600.0
HOURS_PER_DAY = 24.0
TOKENS_PER_PRICE = 1_000_000
# Days that a trained drafter serves where none are stated.
USUAL_HORIZON_DAYS = 365.0
JOULES_PER_KWH = 3_600_000.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Energy:
    """Energy of a token, and what a million of them cost; None where no power or no price of electricity is known."""

    joules_per_token: float | None
    usd_per_million_tokens: float | None


def energy(power_watts: float | None, *, gpus: int, tokens_per_second: float, usd_per_kwh: float | None) -> Energy:
    """Return the energy of output tokens on accelerators that draw their rated power: an upper bound of theirs.

    Hosts, networks and cooling are not counted.

    Args:
        power_watts: Rated power of one accelerator, or None.
        gpus: Accelerators in use.
        tokens_per_second: Of all of them together.
        usd_per_kwh: Price of electricity, or None.

    Examples:
        A thousand watts at a thousand tokens per second, and 0.1 USD for each of 3.6 million joules:

        >>> found = energy(1000.0, gpus=1, tokens_per_second=1000.0, usd_per_kwh=0.1)
        >>> found.joules_per_token, round(found.usd_per_million_tokens, 4)
        (1.0, 0.0278)
    """
    if power_watts is None:
        return Energy(joules_per_token=None, usd_per_million_tokens=None)
    joules = power_watts * gpus / tokens_per_second
    usd = None if usd_per_kwh is None else joules / JOULES_PER_KWH * usd_per_kwh * TOKENS_PER_PRICE
    return Energy(joules_per_token=joules, usd_per_million_tokens=usd)


def with_energy(found: Rates, power_watts: float | None, *, gpus: int, usd_per_kwh: float | None) -> Rates:
    """Return rates with the energy of a token, as `energy` has it."""
    spent = energy(power_watts, gpus=gpus, tokens_per_second=found.tokens_per_second_per_node, usd_per_kwh=usd_per_kwh)
    return replace(
        found,
        joules_per_token=spent.joules_per_token,
        electricity_usd_per_million_tokens=spent.usd_per_million_tokens,
    )


def gpus_in_use(drafter: DrafterResult, gpus: int, draft_tokens: int) -> int:
    """Return the accelerators that a line occupies: the node's, and the drafter's own where it drafts on some.

    Args:
        drafter: The line.
        gpus: Accelerators of the node.
        draft_tokens: Draft length; without a draft there is no drafter.
    """
    return gpus + drafter.separate.gpus if drafter.separate and draft_tokens else gpus


def rates(
    name: str, *, tokens_per_second_per_user: float, batch: int, gpus: int, usd_per_gpu_hour: float | None
) -> Rates:
    """Return rates and price of output tokens while the whole batch decodes.

    Args:
        name: Name of the line.
        tokens_per_second_per_user: Of one sequence.
        batch: Sequences decoded together.
        gpus: Accelerators that share the work.
        usd_per_gpu_hour: Price of one accelerator, or None.

    Returns:
        Per user, per accelerator, per node, and USD per million output tokens (prefill not counted).
    """
    per_node = tokens_per_second_per_user * batch
    usd = None
    if usd_per_gpu_hour is not None:
        usd = usd_per_gpu_hour * gpus / SECONDS_PER_HOUR / per_node * TOKENS_PER_PRICE
    return Rates(
        name=name,
        tokens_per_second_per_user=tokens_per_second_per_user,
        tokens_per_second_per_gpu=per_node / gpus,
        tokens_per_second_per_node=per_node,
        usd_per_million_tokens=usd,
    )


def rates_by_batch(
    tokens_per_second_per_user: Floats, *, batch: Integers, gpus: Integers | int, usd_per_gpu_hour: float | None
) -> RatesByBatch:
    """Return rates and price of output tokens at several batches.

    Args:
        tokens_per_second_per_user: Of one sequence, shape (batches,).
        batch: Sequences decoded together, shape (batches,).
        gpus: Accelerators that share the work, at each batch or at all.
        usd_per_gpu_hour: Price of one accelerator, or None.

    Returns:
        Per user, per accelerator, and USD per million output tokens, as `rates` has them.
    """
    per_gpu = tokens_per_second_per_user * batch / gpus
    usd = None if usd_per_gpu_hour is None else usd_per_gpu_hour / SECONDS_PER_HOUR / per_gpu * TOKENS_PER_PRICE
    return RatesByBatch(
        tokens_per_second_per_user=tokens_per_second_per_user,
        tokens_per_second_per_gpu=per_gpu,
        usd_per_million_tokens=usd,
    )


def payoff(drafter: DrafterResult, rates_now: Economics, scenario: Scenario, step_seconds: float) -> Payoff | None:
    """Return the payoff of training that raises a drafter's tokens per round.

    A round takes the same time whatever is accepted, so that speed grows with tokens per round. The traffic is taken as
    steady and as served at this batch; prefill is not counted.

    Args:
        drafter: The drafter to train.
        rates_now: Rates without speculation, and the price.
        scenario: Traffic, tokens per round after training, and the bill.
        step_seconds: Of plain decoding.

    Returns:
        Now and after training; None where the scenario states no tokens per round after training.
    """
    if scenario.after is None:
        return None
    length = max(drafter.best.draft_tokens, 1)
    steps = float(drafter.verifying_seconds[length] + drafter.drafting_seconds[length]) / step_seconds
    reached = (float(drafter.tokens_per_round[length]), min(scenario.after, length + 1.0))
    speedups = (max(reached[0] / steps, 1.0), max(reached[1] / steps, 1.0))
    plain = rates_now.without.tokens_per_second_per_gpu
    share = scenario.gpus / gpus_in_use(drafter, scenario.gpus, length)
    now, later = (plain * one * (share if one > 1.0 else 1.0) for one in speedups)
    per_gpu = (now, later)
    gpus = usd = saved = days = None
    if scenario.traffic is not None:
        needed = scenario.traffic / (SECONDS_PER_HOUR * HOURS_PER_DAY)
        gpus = (needed / per_gpu[0], needed / per_gpu[1])
    if gpus is not None and rates_now.usd_per_gpu_hour is not None:
        price = rates_now.usd_per_gpu_hour * HOURS_PER_DAY
        usd = (gpus[0] * price, gpus[1] * price)
        saved = usd[0] - usd[1]
    if saved is not None and saved > 0.0 and scenario.training is not None:
        days = scenario.training / saved
    return Payoff(
        name=drafter.name,
        draft_tokens=length,
        tokens_per_round=reached,
        speedup=speedups,
        tokens_per_second_per_gpu=per_gpu,
        gpus=gpus,
        usd_per_day=usd,
        usd_saved_per_day=saved,
        break_even_days=days,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Serving:
    """What serving a day's traffic costs at each number of tokens per round; rounds take the same time throughout.

    Attributes:
        now: Tokens per round without further training.
        steps: Seconds of a round over those of plain decoding.
        most: Most tokens per round, the draft and the bonus token.
        plain_usd: A day's cost without speculation; None without traffic or price.
        gpus_share: GPUs with the drafter's own over those without.
        horizon: Days that a trained drafter serves.
    """

    now: float
    steps: float
    most: float
    plain_usd: float | None
    gpus_share: float
    horizon: float

    def usd_per_day(self, tokens: float) -> float:
        """Return a day's cost at a number of tokens per round; plain decoding serves where the drafter does not pay."""
        plain = self.plain_usd or 0.0
        return plain * self.gpus_share * self.steps / tokens if tokens > self.steps else plain

    def point(self, usd: float, tokens: float) -> LearningPoint:
        """Return what an amount of training earns."""
        tokens = min(tokens, self.most)
        saved = None if self.plain_usd is None else self.usd_per_day(self.now) - self.usd_per_day(tokens)
        return LearningPoint(
            usd=usd,
            tokens_per_round=tokens,
            speedup=max(tokens / self.steps, 1.0),
            usd_saved_per_day=saved,
            break_even_days=usd / saved if saved is not None and saved > 0.0 else None,
            net_usd=None if saved is None else self.horizon * saved - usd,
        )

    def turning(self, before: tuple[float, float], after: tuple[float, float]) -> Iterator[tuple[float, float]]:
        """Yield where, between two points, a further dollar saves a dollar within the horizon."""
        slope = (after[1] - before[1]) / (after[0] - before[0])
        if slope > 0.0:
            # The saving's slope, horizon * cost * slope / tokens², is 1 there.
            tokens = sqrt(self.horizon * (self.plain_usd or 0.0) * self.gpus_share * self.steps * slope)
            if before[1] < tokens < min(after[1], self.most):
                yield before[0] + (tokens - before[1]) / slope, tokens
            # Beyond this, training adds nothing to what a round can commit.
            if before[1] < self.most < after[1]:
                yield before[0] + (self.most - before[1]) / slope, self.most


def learning(drafter: DrafterResult, rates_now: Economics, scenario: Scenario, step_seconds: float) -> Learning | None:
    """Return what training a drafter along its learning curve earns, and where to stop.

    The curve is straight between its points, and nothing is known before the first and beyond the last. Traffic, draft
    length and the time of a round stay as they are.

    Args:
        drafter: The drafter to train.
        rates_now: Rates without speculation, and the price.
        scenario: The learning curve, traffic and horizon.
        step_seconds: Of plain decoding.

    Returns:
        The points and the best moment to stop; None where no curve is stated.
    """
    if not scenario.learning:
        return None
    length = max(drafter.best.draft_tokens, 1)
    price, plain_usd = rates_now.usd_per_gpu_hour, None
    if scenario.traffic is not None and price is not None:
        seconds = scenario.traffic / rates_now.without.tokens_per_second_per_gpu
        plain_usd = seconds * price / SECONDS_PER_HOUR
    serving = _Serving(
        now=float(drafter.tokens_per_round[length]),
        steps=float(drafter.verifying_seconds[length] + drafter.drafting_seconds[length]) / step_seconds,
        most=length + 1.0,
        plain_usd=plain_usd,
        gpus_share=gpus_in_use(drafter, scenario.gpus, length) / scenario.gpus,
        horizon=USUAL_HORIZON_DAYS if scenario.horizon is None else scenario.horizon,
    )
    points = tuple(serving.point(usd, tokens) for usd, tokens in scenario.learning)
    between = (serving.point(*one) for pair in pairwise(scenario.learning) for one in serving.turning(*pair))
    # Of equal gains the cheapest.
    paying = sorted((one for one in (*points, *between) if (one.net_usd or 0.0) > 0.0), key=lambda one: one.usd)
    return Learning(
        name=drafter.name,
        draft_tokens=length,
        horizon_days=serving.horizon,
        points=points,
        stop=max(paying, key=lambda one: one.net_usd or 0.0, default=None),
    )
