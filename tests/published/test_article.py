"""What the article claims (Modal, Speculation Is All You Need, 19 June 2026), under the ideal profile."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from roofline_app.evaluation import evaluate
from roofline_app.results import Evaluation
from roofline_app.scenario import Scenario

Floats = NDArray[np.float64]
ARTICLE = Scenario(model="deepseek-v4-pro", gpu="b200", gpus=8, batch=32, context=4096, cap=16)


def _by_batch(evaluation: Evaluation, name: str) -> Floats:
    return next(line.speedup for line in evaluation.best_by_batch.drafters if line.name == name)


def test_an_autoregressive_drafter_gains_a_fifth_on_deepseek_v4_pro() -> None:
    mtp = evaluate(ARTICLE).drafters[1]
    assert mtp.kind == "mtp"
    # An independent calculation with the same kind of facts: 1.17 at a draft of 6.
    assert mtp.best.speedup == pytest.approx(1.17, abs=0.01)
    assert mtp.best.draft_tokens == 6
    assert not mtp.best.at_cap


def test_a_block_drafter_is_three_times_faster_at_the_cap() -> None:
    block = evaluate(ARTICLE).drafters[2]
    assert block.kind == "block"
    assert 2.9 <= block.best.speedup <= 3.0
    assert block.best.draft_tokens == 16
    assert block.best.at_cap


def test_the_ideal_drafter_is_above_both_everywhere() -> None:
    ideal, mtp, block = evaluate(ARTICLE).drafters
    for drafter in (mtp, block):
        assert np.all(ideal.speedup[1:] > drafter.speedup[1:])
    assert ideal.best.speedup == pytest.approx(6.2, abs=0.05)


def test_over_batch_a_mixture_of_experts_falls_then_rises_then_falls() -> None:
    speedups = _by_batch(evaluate(ARTICLE), "Block")
    low, high = int(np.argmin(speedups[:7])), int(np.argmax(speedups))
    assert 0 < low < high < len(speedups) - 1
    assert np.all(np.diff(speedups[: low + 1]) < 0)
    assert np.all(np.diff(speedups[low : high + 1]) > 0)
    assert np.all(np.diff(speedups[high:]) < 0)


def test_over_batch_a_dense_model_never_rises() -> None:
    dense = evaluate(replace(ARTICLE, model="qwen3.5-27b"))
    for line in dense.best_by_batch.drafters:
        assert np.all(np.diff(line.speedup) <= 1e-12), line.name
