"""Times the evaluation of the default setting; runs natively and in Pyodide."""

from __future__ import annotations

import json
import time
from dataclasses import replace

from roofline_app.evaluation import evaluate
from roofline_app.export import as_json
from roofline_app.scenario import Scenario


def evaluation_milliseconds(rounds: int) -> list[float]:
    """Return the milliseconds of each of so many evaluations, JSON included, after three that are not counted.

    Each has a batch of its own, so that no cache of results could help.
    """
    times = []
    for batch in range(1, rounds + 4):
        began = time.perf_counter()
        json.dumps(as_json(evaluate(replace(Scenario(), batch=batch))))
        times.append((time.perf_counter() - began) * 1000)
    return times[3:]
