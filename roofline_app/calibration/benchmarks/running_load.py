"""The load of a server's log: how long it decoded so many sequences together, in powers of two."""

from __future__ import annotations

import math
from collections.abc import Iterable

from roofline_app.calibration.benchmarks import sglang_log, vllm_log
from roofline_app.scenario import LoadPart

MOST_LINES = 100_000


def log_load(text: str) -> tuple[LoadPart, ...]:
    """Return the load of a server's log, smallest batch first; empty where it tells no running requests.

    Time without a running request counts for nothing. Batches go to the nearest power of two on a log scale, and the
    requests of several engines or ranks are taken to run together.

    Args:
        text: The log of vLLM or SGLang, other lines and all.
    """
    return _load(vllm_log.running_requests(text, MOST_LINES) or sglang_log.running_requests(text, MOST_LINES))


def _load(running: Iterable[tuple[int, float]]) -> tuple[LoadPart, ...]:
    seconds: dict[int, float] = {}
    for requests, time in running:
        batch = 2 ** round(math.log2(requests))
        seconds[batch] = seconds.get(batch, 0.0) + time
    total = math.fsum(seconds.values())
    return tuple(LoadPart(batch=batch, share=time / total) for batch, time in sorted(seconds.items()))
