"""Columns of many settings are what `evaluate` says of each."""

from __future__ import annotations

import random

import numpy as np
import pytest

from roofline_app import Scenario, decode, evaluate, sweep
from roofline_app.evaluation.sweeps import read_settings
from roofline_app.results import Evaluation

EXACT = 1e-12
WIDE = [
    "model=qwen3-8b,deepseek-v4-pro,qwen3.5-27b,gpt-oss-120b&gpu=b200,h100-sxm,mi300x&gpus=1..8&batch=1..512&"
    "context=1k..64k*8&profile=ideal,calibrated&drafter=mtp,cost=physical|mtp,acceptance=0.6&drafter=block",
    "model=qwen3-8b,llama-3.3-70b&batch=1..300+13&layout=tp,dp+tp&gpus=2,8&profile=calibrated&"
    "drafter=eagle3,cost=physical,topk=4,verified=15|draft,cost=physical,placement=separate|draft,placement=separate",
    "batch=1..64&drafter=mtp,mix=0.6:0.8;0.4:0.5|ideal|eagle3,acceptance=0.5..0.9+0.2&weights=fp8,fp4&kv=bf16,fp8",
    "preset=article,long-context,loses&batch=1..64&cap=1,4,32&price=0,2&reserve=0.05,0.2",
]


def _of(evaluation: Evaluation, names: list[str]) -> dict[str, object]:
    """Return an evaluation's values under a sweep's names."""
    rates = evaluation.economics
    lines = {"without": (rates.without, rates.without)}
    lines |= {f"drafter{place}": pair for place, pair in enumerate(zip(evaluation.drafters, rates.drafters), 1)}  # type: ignore[misc]  # noqa: B905
    best = evaluation.drafters.index(evaluation.best_drafter)
    lines["best"] = (evaluation.best_drafter, rates.drafters[best])  # type: ignore[assignment]
    found: dict[str, object] = {"step_seconds": evaluation.step.seconds}
    for name in ("fits", "needed_bytes", "capacity_bytes", "largest_batch"):
        found[name] = getattr(evaluation.memory, name)
    for name in names:
        prefix, _, rest = name.partition("_")
        if prefix in lines:
            places = (*lines[prefix], getattr(lines[prefix][0], "best", None))
            found[name] = next(getattr(place, rest) for place in places[::-1] if _has_value(place, rest))
    return found


def _has_value(place: object, name: str) -> bool:
    return isinstance(getattr(place, name, None), (int, float, str))


@pytest.mark.parametrize("text", WIDE)
def test_a_sampled_row_is_what_evaluate_says(text: str) -> None:
    settings = read_settings(text)
    chosen = random.Random(4).sample(range(settings.count), min(30, settings.count))
    scenarios = [decode(settings.query(number)).scenario for number in chosen]
    found = sweep(scenarios)
    assert not any(found["error"])
    names = [name for name in found if name.startswith(("drafter", "without", "best"))]
    for place, scenario in enumerate(scenarios):
        for name, value in _of(evaluate(scenario), names).items():
            if isinstance(value, str):
                assert found[name][place] == value, name
            else:
                assert found[name][place] == pytest.approx(value, rel=EXACT), (name, scenario)


def test_all_settings_together_are_each_alone() -> None:
    scenarios = [Scenario(batch=batch, context=context) for batch in (7, 1, 64) for context in (100, 9000)]
    together = sweep(scenarios)
    for place, scenario in enumerate(scenarios):
        for name, values in sweep([scenario]).items():
            assert values[0] == together[name][place], name


def test_whole_requests_have_their_columns() -> None:
    scenario = Scenario(prompt=1000, output=200, context=1100, batch=16)
    found, whole = sweep([scenario, Scenario()]), evaluate(scenario).end_to_end
    assert whole is not None
    assert found["drafter3_reported_speedup"][0] == whole.drafters[2].reported_speedup
    assert found["without_first_token_seconds"][0] == whole.without.first_token_seconds
    assert np.isnan(found["drafter3_reported_speedup"][1])


def test_a_setting_that_cannot_be_computed_says_why_and_the_rest_goes_on() -> None:
    found = sweep([Scenario(), Scenario(model="no-such-model"), Scenario(batch=2)])
    assert found["error"].tolist()[0] == found["error"].tolist()[2] == ""
    assert "no-such-model" in found["error"][1]
    assert np.isnan(found["best_speedup"]).tolist() == [False, True, False]


def test_nothing_gives_columns_without_rows() -> None:
    assert {values.size for values in sweep([]).values()} == {0}
