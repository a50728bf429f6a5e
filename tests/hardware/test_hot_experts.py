"""Hot experts: the busiest rank of experts gets more tokens than the mean, beyond what chance makes."""

from __future__ import annotations

import pytest

from roofline_app.evaluation import evaluate
from roofline_app.query import decode, encode
from roofline_app.results import Evaluation
from roofline_app.scenario import Scenario
from roofline_app.verdict import answer

SPREAD = "model=deepseek-v3&gpu=h200-sxm&gpus=8&layout=dp%2Bep&drafter=ideal"


def _evaluation(query: str) -> Evaluation:
    return evaluate(decode(query).scenario)


def _feed_forward(query: str, imbalance: str = "1") -> float:
    parts = _evaluation(f"{query}&imbalance={imbalance}").step.components
    return next(part.seconds for part in parts if part.name == "feed_forward")


def test_arithmetic_waits_for_the_busiest_rank() -> None:
    # So many tokens that every expert is read anyway; dense layers and shared experts know no ranks.
    even, uneven = (_feed_forward(f"{SPREAD}&batch=65536", imbalance) for imbalance in ("1", "1.3"))
    assert 1.1 < uneven / even <= 1.3


def test_a_rank_reads_no_more_than_the_experts_that_it_holds() -> None:
    # Enough tokens to touch every expert, too few to be limited by arithmetic: hot experts change next to nothing.
    even, uneven = (_feed_forward(f"{SPREAD}&batch=512", imbalance) for imbalance in ("1", "1.3"))
    assert even <= uneven == pytest.approx(even, rel=0.01)
    # A small batch touches few experts, and the busiest rank more of its own.
    assert 1.02 < _feed_forward(f"{SPREAD}&batch=8", "1.3") / _feed_forward(f"{SPREAD}&batch=8") < 1.3


@pytest.mark.parametrize("query", [SPREAD, f"{SPREAD}&profile=calibrated", f"{SPREAD}&layout=tp%2Bep"])
@pytest.mark.parametrize("batch", [1, 64, 4096])
def test_more_imbalance_never_takes_less_time(query: str, batch: int) -> None:
    seconds = [_feed_forward(f"{query}&batch={batch}", imbalance) for imbalance in ("1", "1.1", "2", "8")]
    assert seconds == sorted(seconds)


@pytest.mark.parametrize(
    "query",
    [
        pytest.param("model=deepseek-v3&gpu=h200-sxm&gpus=8&layout=tp", id="every GPU has a slice of every expert"),
        pytest.param("model=deepseek-v3&gpu=h200-sxm&gpus=8", id="an even split"),
        pytest.param("model=llama-3.1-70b&gpu=h200-sxm&gpus=8&layout=dp%2Bep", id="a dense model"),
        pytest.param("model=gpt-oss-20b&gpu=h200-sxm&gpus=1&layout=dp%2Bep", id="one GPU"),
    ],
)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_where_experts_are_not_spread_it_has_no_effect_and_that_is_said(query: str, language: str) -> None:
    even, uneven = _evaluation(query), _evaluation(f"{query}&imbalance=1.5")
    assert uneven.step == even.step
    (said,) = answer(uneven, language).notices
    assert said.startswith("imbalance")


def test_where_experts_are_spread_nothing_is_said() -> None:
    assert answer(_evaluation(f"{SPREAD}&imbalance=1.5")).notices == ()


def test_a_link_states_it_only_where_it_is_set() -> None:
    assert "imbalance" not in encode(Scenario())
    assert "&imbalance=1.25&" in encode(Scenario(imbalance=1.25))
    assert decode("imbalance=1.25").scenario == Scenario(imbalance=1.25)
