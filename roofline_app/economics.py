"""Economics: tokens per second and dollars from the seconds of a round."""

from __future__ import annotations

from roofline_app.results import Floats, Integers, Rates, RatesByBatch

SECONDS_PER_HOUR = 3600.0
TOKENS_PER_PRICE = 1_000_000


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
    tokens_per_second_per_user: Floats, *, batch: Integers, gpus: int, usd_per_gpu_hour: float | None
) -> RatesByBatch:
    """Return rates and price of output tokens at several batches.

    Args:
        tokens_per_second_per_user: Of one sequence, shape (batches,).
        batch: Sequences decoded together, shape (batches,).
        gpus: Accelerators that share the work.
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
