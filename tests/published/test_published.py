"""Numbers from outside: the library against what others computed and published."""

from __future__ import annotations

import json

import numpy as np
import pytest
from published_estimator import LAYER, ROOF, pass_bytes, speedups
from reference_data import reference_file

from roofline_app.timing.experts import distinct_experts
from roofline_app.timing.pass_time import pass_time
from roofline_app.timing.workload import pass_tokens, work


def test_every_row_of_the_published_estimator_is_reproduced() -> None:
    rows = json.loads(reference_file("published_estimator.json").read_text(encoding="utf-8"))["rows"]
    assert len(rows) == 90
    for row in rows:
        found = speedups(row)
        assert int(np.argmax(found)) == row["best_draft_tokens"], row
        assert found.max() == pytest.approx(row["best_speedup"], abs=1e-6), row
        cost = pass_bytes(row["batch"], np.arange(1, 2), row["context_tokens"])[0]
        assert cost == pytest.approx(row["step_cost_bytes"], rel=1e-12), row


@pytest.mark.parametrize(
    ("batch", "ratios"),
    [
        # Cost of a verify of 2, 4, 8, 16 tokens in steps at 4,096 tokens of context, as the same source gives it.
        pytest.param(1, [1.394, 2.159, 3.586, 6.076], id="batch 1"),
        pytest.param(8, [1.688, 2.744, 3.999, 4.979], id="batch 8"),
        pytest.param(32, [1.450, 1.805, 2.011, 2.317], id="batch 32"),
        pytest.param(128, [1.102, 1.269, 1.605, 2.276], id="batch 128"),
        pytest.param(512, [1.220, 1.731, 2.752, 4.793], id="batch 512"),
    ],
)
def test_verify_costs_of_the_published_estimator(batch: int, ratios: list[float]) -> None:
    cost = pass_bytes(batch, np.array([1, 2, 4, 8, 16]), 4096)
    assert cost[1:] / cost[0] == pytest.approx(ratios, abs=5e-4)


@pytest.mark.parametrize(
    ("experts", "used", "touched"),
    [
        # Distinct experts that 1, 4, 8, 32, 128, 256 tokens touch, computed independently for six expert layouts.
        pytest.param(256, 8, [8, 30.5, 57.4, 163.3, 251.6, 255.9], id="256 choose 8"),
        pytest.param(512, 10, [10, 38.8, 74.7, 239.6, 471, 508.7], id="512 choose 10"),
        pytest.param(256, 6, [6, 23.2, 44.2, 136.1, 243.7, 255.4], id="256 choose 6"),
        pytest.param(384, 6, [6, 23.4, 45.5, 152, 332.8, 377.2], id="384 choose 6"),
        pytest.param(384, 8, [8, 31, 59.5, 188.2, 358.1, 382.2], id="384 choose 8"),
        pytest.param(128, 4, [4, 15.3, 28.7, 81.7, 125.8, 128], id="128 choose 4"),
    ],
)
def test_distinct_experts_touched(experts: int, used: int, touched: list[float]) -> None:
    found = distinct_experts(experts, used, [1, 4, 8, 32, 128, 256])
    assert found == pytest.approx(touched, rel=3e-3)


@pytest.mark.parametrize(
    ("context", "intensity"),
    [
        # Finn 2026: FLOP per byte of latent attention with one query token, cache reads and query vectors together.
        pytest.param(1024, 215, id="1k"),
        pytest.param(8192, 238, id="8k"),
        pytest.param(1_048_576, 242, id="1M"),
    ],
)
def test_latent_attention_intensity(context: int, intensity: float) -> None:
    parts = work(LAYER, pass_tokens(batch=1, query_tokens=1, context_tokens=context))
    attention = pass_time(parts, ROOF).components["attention"]
    queries_bytes = 73_728.0
    assert float(attention.flops / (attention.bytes + queries_bytes)) == pytest.approx(intensity, abs=1.0)
