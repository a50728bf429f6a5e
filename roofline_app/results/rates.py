"""Rates and prices, now, over batches and after training."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from roofline_app.results.target import Bound

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class RatesByBatch:
    """Rates over the batches; arrays of shape (batches,). `usd_per_million_tokens` is None without a price."""

    tokens_per_second_per_user: Floats
    tokens_per_second_per_gpu: Floats
    usd_per_million_tokens: Floats | None


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyByBatch:
    """Verifying over the batches, always at this setting's best draft length; arrays of shape (batches,).

    Attributes:
        draft_tokens: That draft length, or 1 where none pays.
        steps: Seconds of a verify in plain steps of the same batch.
        experts_touched: Distinct experts that it reads, expected, per layer; 0 without experts.
        experts_touched_step: The same of a plain step.
        component: What of a verify grows most over a plain step.
        bound: What most of that component waits for.
    """

    draft_tokens: int
    steps: Floats
    experts_touched: Floats
    experts_touched_step: Floats
    component: tuple[str, ...]
    bound: tuple[Bound, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrafterByBatch:
    """One drafter over the batches; arrays of shape (batches,), `rates` at each batch's best draft length."""

    name: str
    draft_tokens: Integers
    speedup: Floats
    speedup_at_this_draft_length: Floats
    rates: RatesByBatch
    verify: VerifyByBatch


@dataclass(frozen=True, slots=True, kw_only=True)
class BestByBatch:
    """Best draft length, speedup and rates at batch 1, 2, 4 ... 4096; `without` is plain decoding."""

    batch: Integers
    without: RatesByBatch
    drafters: tuple[DrafterByBatch, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """Tokens per second and cost.

    Attributes:
        name: Of the line; empty without speculation.
        tokens_per_second_per_user: Of one sequence.
        tokens_per_second_per_gpu: Of all sequences, per accelerator in use.
        tokens_per_second_per_node: Of all sequences.
        usd_per_million_tokens: Rent; None without a price.
        joules_per_token: Of the accelerators in use at their rated power, an upper bound; None where it is not known.
        electricity_usd_per_million_tokens: The price of that; None where no price of electricity is stated.
    """

    name: str
    tokens_per_second_per_user: float
    tokens_per_second_per_gpu: float
    tokens_per_second_per_node: float
    usd_per_million_tokens: float | None
    joules_per_token: float | None = None
    electricity_usd_per_million_tokens: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Economics:
    """Rates without speculation and with each drafter at its best draft length."""

    usd_per_gpu_hour: float | None
    price_date: str
    without: Rates
    drafters: tuple[Rates, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Payoff:
    """What the best drafter would earn if training raised its tokens per round, its draft length and costs as now.

    Attributes:
        name: Name of the drafter.
        draft_tokens: Its best draft length, or 1 where it does not pay yet.
        tokens_per_round: Now, and after training.
        speedup: Against plain decoding, which serves where a drafter does not pay.
        tokens_per_second_per_gpu: Of output.
        gpus: Accelerators that the traffic keeps busy; None without traffic.
        usd_per_day: Their price; None without traffic or price.
        usd_saved_per_day: Now less after; None without both.
        break_even_days: After which the training bill is saved; None without a bill, or where nothing is saved.
    """

    name: str
    draft_tokens: int
    tokens_per_round: tuple[float, float]
    speedup: tuple[float, float]
    tokens_per_second_per_gpu: tuple[float, float]
    gpus: tuple[float, float] | None
    usd_per_day: tuple[float, float] | None
    usd_saved_per_day: float | None
    break_even_days: float | None
