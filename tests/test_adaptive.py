"""Adaptive verification of lines: the order of the four ways, their limits, budgets, and what is printed."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from strategies import scenarios

from roofline_app.__main__ import main
from roofline_app.evaluation import BATCHES, adaptive, evaluate
from roofline_app.query import decode, encode
from roofline_app.results import DrafterAdaptive
from roofline_app.scenario import LARGEST_BATCH, LARGEST_CAP, Scenario

EXACT = 1e-12
SETTINGS = (
    "",
    "drafter=mtp,spread=0.3&drafter=block,spread=0.3,confidence=0.5&drafter=block,mix=0.6:0.9;0.4:0.5,spread=0.1",
    "model=qwen3-8b&gpu=h100-sxm&gpus=1&batch=24&profile=calibrated&engine=vllm&drafter=eagle3,cost=physical,spread=0.2"
    "&drafter=dspark,cost=physical,spread=0.4&drafter=mtp-chain,spread=0.5&drafter=suffix,spread=0.9,relax=0.3",
    "model=qwen3.5-27b&gpu=b200&gpus=1&batch=3&cap=24&drafter=block,cost=physical,passes=2,gain=0.3,spread=0.2"
    "&drafter=draft,placement=separate,spread=0.3&drafter=eagle3,length=3.1@5,spread=0.25",
    "model=qwen3.6-35b-a3b&gpus=1&batch=48&profile=calibrated&drafter=block,preset=qwen3.6-35b-a3b-dflash,spread=0.2"
    "&drafter=mtp,survival=0.8:0.6:0.5:0.45,spread=0.6,confidence=0.3",
)
each_setting = pytest.mark.parametrize("query", SETTINGS, ids=lambda query: query.split("&")[0] or "default")


def _scenario(query: str) -> Scenario:
    decoded = decode(query)
    assert decoded.notices == ()
    return decoded.scenario


def _in_order(line: DrafterAdaptive) -> None:
    ways = [line.fixed, line.by_batch, line.adaptive, line.oracle]
    speedups = [way.speedup for way in ways if way is not None]
    for slower, faster in pairwise(speedups):
        assert np.all(slower <= faster * (1.0 + EXACT))
    assert np.all(line.by_batch.speedup >= 1.0)


@each_setting
def test_no_way_is_slower_than_the_one_before(query: str) -> None:
    for line in adaptive(_scenario(query)).drafters:
        _in_order(line)


@settings(max_examples=60)
@given(scenarios(pinned=False))
def test_no_way_is_slower_in_any_setting(scenario: Scenario) -> None:
    """MoE and dense, calibrated and ideal, blocks, chains and trees, whatever the acceptance and the budget."""
    for line in adaptive(scenario).drafters:
        _in_order(line)


@each_setting
def test_requests_that_are_alike_or_unknown_leave_the_best_length(query: str) -> None:
    scenario = _scenario(query)
    lines = tuple(replace(line, spread=0.0) for line in scenario.drafters)
    unknown = tuple(replace(line, confidence=0.0) for line in scenario.drafters)
    for changed in (lines, unknown):
        for line in adaptive(replace(scenario, drafters=changed)).drafters:
            if line.adaptive is not None and not (line.mixed and line.confidence):
                assert line.adaptive.speedup == pytest.approx(line.by_batch.speedup, rel=EXACT)


@each_setting
def test_by_batch_is_the_evaluations_best_speedup(query: str) -> None:
    scenario = _scenario(query)
    found, evaluation = adaptive(scenario), evaluate(scenario)
    rows = np.searchsorted(found.batch, BATCHES)
    for line, by_batch, alone in zip(
        found.drafters, evaluation.best_by_batch.drafters, evaluation.drafters, strict=True
    ):
        assert line.by_batch.speedup[rows] == pytest.approx(by_batch.speedup, rel=1e-9)
        here = np.searchsorted(found.batch, scenario.batch)
        assert line.by_batch.speedup[here] == pytest.approx(alone.best.speedup, rel=1e-9)


@each_setting
def test_a_larger_budget_is_never_worse_and_no_limit_is_none(query: str) -> None:
    scenario = _scenario(query)
    budgets = (1, 40, 300, 2000, LARGEST_BATCH * (LARGEST_CAP + 1))
    found = [adaptive(replace(scenario, budget=budget)) for budget in budgets] + [adaptive(scenario)]
    for less, more in pairwise(found):
        for before, after in zip(less.drafters, more.drafters, strict=True):
            _in_order(before)
            for way in ("by_batch", "adaptive", "oracle"):
                slower, faster = getattr(before, way), getattr(after, way)
                assert slower is None or np.all(slower.speedup <= faster.speedup * (1.0 + 1e-9))
    for limited, free in zip(found[-2].drafters, found[-1].drafters, strict=True):
        assert np.array_equal(limited.by_batch.speedup, free.by_batch.speedup)


@given(st.integers(1, 5000), st.sampled_from(SETTINGS))
@settings(max_examples=20)
def test_no_pass_is_over_its_budget(budget: int, query: str) -> None:
    found = adaptive(replace(_scenario(query), budget=budget))
    for line in found.drafters:
        for way in (line.fixed, line.by_batch, line.adaptive, line.oracle):
            if way is not None and not line.tree:
                tokens = found.batch * (1.0 + way.verified_tokens)
                assert np.all((tokens <= budget * (1.0 + 1e-9)) | (way.verified_tokens == 0.0))


@each_setting
def test_an_oracle_verifies_nothing_in_vain(query: str) -> None:
    for line in adaptive(_scenario(query)).drafters:
        if line.oracle is not None:
            assert line.oracle.tokens_per_round == pytest.approx(1.0 + line.oracle.verified_tokens, rel=EXACT)
            assert line.adaptive is not None
            assert np.all(line.adaptive.tokens_per_round <= 1.0 + line.adaptive.verified_tokens + EXACT)


def test_speedup_is_tokens_per_second_over_those_of_plain_decoding() -> None:
    scenario = _scenario("drafter=block,spread=0.3&batch=64")
    line, step = adaptive(scenario).drafters[0], evaluate(scenario).step.seconds
    assert line.adaptive is not None
    row = np.searchsorted(adaptive(scenario).batch, 64)
    rate = line.adaptive.tokens_per_round[row] / line.adaptive.seconds_per_round[row]
    assert line.adaptive.speedup[row] == pytest.approx(rate * step, rel=EXACT)


def test_what_is_known_is_worth_something_where_requests_differ() -> None:
    for spread, least in ((0.1, 1.15), (0.3, 1.25)):
        (line,) = adaptive(_scenario(f"drafter=block,spread={spread}")).drafters
        assert line.adaptive is not None
        assert float((line.adaptive.speedup / line.by_batch.speedup).max()) > least


def test_trees_are_compared_whole() -> None:
    (line,) = adaptive(_scenario("model=qwen3-8b&gpus=1&drafter=eagle3,topk=4,verified=15")).drafters
    assert line.tree
    assert line.adaptive is None
    assert line.oracle is None
    _in_order(line)


def test_a_link_holds_spread_confidence_and_budget() -> None:
    scenario = _scenario("budget=2k&drafter=block,spread=0.3,confidence=0.5")
    assert (scenario.budget, scenario.drafters[0].spread, scenario.drafters[0].confidence) == (2048, 0.3, 0.5)
    assert decode(encode(scenario)).scenario == scenario
    # Links of before hold none of them.
    assert not any(word in encode(Scenario()) for word in ("spread", "confidence", "budget"))


@pytest.mark.parametrize(
    ("query", "key", "used"),
    [
        ("drafter=block,spread=1.5", "drafter.spread", "1"),
        ("drafter=block,confidence=-1", "drafter.confidence", "0"),
        ("drafter=block,spread=wide", "drafter.spread", "nothing"),
        ("model=qwen3-8b&drafter=eagle3,topk=4,spread=0.3", "drafter.spread", "nothing"),
        ("budget=0", "budget", "1"),
        ("budget=1.5", "budget", "nothing"),
    ],
)
def test_a_bad_value_is_named(query: str, key: str, used: str) -> None:
    (notice,) = decode(query).notices
    assert (notice.key, notice.used) == (key, used)


def test_spread_changes_what_a_stated_chance_commits_and_not_what_was_measured() -> None:
    """A stated chance is the mean of the requests'; lengths and rates were measured on all of them together."""
    chance, length, rates = (
        [evaluate(_scenario(f"drafter=mtp,{form}{spread}")).drafters[0] for spread in ("", ",spread=0.3")]
        for form in ("acceptance=0.7", "length=2.4@3", "survival=0.8:0.6:0.4")
    )
    assert chance[1].tokens_per_round[4] > chance[0].tokens_per_round[4] * 1.05
    assert length[1].tokens_per_round[3] == pytest.approx(2.4, rel=1e-9)
    assert np.array_equal(rates[0].tokens_per_round, rates[1].tokens_per_round)


def test_it_is_printed_in_every_form(capsys: pytest.CaptureFixture[str]) -> None:
    query = "drafter=block,spread=0.3&cap=4"
    assert main(["evaluate", "--with", "adaptive", query]) == 0
    found = json.loads(capsys.readouterr().out)["adaptive"]
    assert found["budget"] is None
    assert set(found["drafters"][0]) >= {"fixed", "by_batch", "adaptive", "oracle", "spread", "confidence"}
    assert main(["evaluate", f"figure=adaptive&{query}"]) == 0
    assert json.loads(capsys.readouterr().out)["adaptive"] == found
    for form in ("table", "markdown"):
        assert main(["evaluate", "--with", "adaptive", "--format", form, query]) == 0
        assert "oracle" in capsys.readouterr().out
