"""Schedules: no coarser one gains, ranges keep their promise, and loads weigh as they say."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from strategies import scenarios

from roofline_app.__main__ import main
from roofline_app.evaluation import BATCHES, evaluate, schedule
from roofline_app.evaluation.schedule import TOLERANCE
from roofline_app.query import decode, encode
from roofline_app.results import DrafterSchedule, Integers, Schedule
from roofline_app.scenario import Scenario
from roofline_app.speculation.schedule_ranges import merged_ranges

SETTINGS = (
    "",
    "model=qwen3-8b&gpu=h100-sxm&gpus=1&load=1:0.2;16:0.5;100:0.3",
    "model=qwen3-235b-a22b&gpu=h200-sxm&gpus=8&profile=calibrated&drafter=eagle3,cost=physical,topk=2&drafter=block",
    "model=qwen3-8b&gpu=h100-sxm&gpus=1&cap=8&drafter=eagle3,preset=qwen3-8b-eagle3-by-context,cost=physical",
)
each_setting = pytest.mark.parametrize("query", SETTINGS, ids=lambda query: query.split("&")[0] or "default")


def _scenario(query: str) -> Scenario:
    decoded = decode(query)
    assert decoded.notices == ()
    return decoded.scenario


def _lengths(found: Schedule, drafter: DrafterSchedule) -> Integers:
    lengths = np.full(found.fits.shape, -1)
    for part in drafter.ranges:
        rows = (found.context >= part.first_context) & (found.context <= part.last_context)
        columns = (found.batch >= part.first_batch) & (found.batch <= part.last_batch)
        assert (lengths[np.ix_(rows, columns)] == -1).all()
        lengths[np.ix_(rows, columns)] = part.draft_tokens
    return lengths


@each_setting
def test_the_table_is_that_of_evaluations(query: str) -> None:
    scenario, found = _scenario(query), schedule(_scenario(query))
    columns = np.searchsorted(found.batch, BATCHES)
    for row in (0, found.context.size // 2, found.context.size - 1):
        there = evaluate(replace(scenario, context=int(found.context[row]))).best_by_batch.drafters
        for one, curve in zip(found.drafters, there, strict=True):
            assert one.name == curve.name
            assert np.array_equal(one.draft_tokens[row, columns], curve.draft_tokens)
            assert np.allclose(one.speedup[row, columns], curve.speedup, rtol=1e-12)


@each_setting
def test_ranges_leave_no_gap_and_lose_at_most_a_hundredth_anywhere(query: str) -> None:
    scenario, found = _scenario(query), schedule(_scenario(query))
    for index, one in enumerate(found.drafters):
        lengths = _lengths(found, one)
        assert (lengths >= 0).all()
        for row in (0, found.context.size - 1):
            for column in range(0, found.batch.size, 3):
                at = replace(scenario, context=int(found.context[row]), batch=int(found.batch[column]))
                speedups = evaluate(at).drafters[index].speedup
                if found.fits[row, column]:
                    assert speedups[lengths[row, column]] >= (1.0 - TOLERANCE) * speedups.max() * (1 - 1e-12)


@pytest.mark.wide
@settings(max_examples=25)
@given(scenario=scenarios())
def test_no_coarser_schedule_gains(scenario: Scenario) -> None:
    found = schedule(scenario)
    assert found.weight.sum() == pytest.approx(1.0)
    assert 0.0 <= found.load_that_fits <= 1.0
    for one in found.drafters:
        assert -1e-12 <= one.losses.by_batch <= one.losses.one_length + 1e-12 <= 1.0 + 1e-12
        assert one.losses.ranges >= -1e-12
        if found.fits.any() and found.load_that_fits > 0:
            assert one.losses.ranges <= TOLERANCE + 1e-12
        assert max(one.speedups.one_length, one.speedups.by_batch, one.speedups.ranges) <= one.speedups.table + 1e-9
        assert one.behind_winner >= -1e-12


@given(st.integers(0, 2**32 - 1))
def test_merging_finds_the_fewest_ranges_of_one_context(seed: int) -> None:
    draws = np.random.default_rng(seed)
    losses = draws.choice([0.0, 0.5], size=(1, 8, 4), p=[0.6, 0.4])
    losses[..., 0] = 0.0 if draws.random() < 0.2 else losses[..., 0]
    losses[0, np.arange(8), draws.integers(0, 4, 8)] = 0.0
    batch = 2 ** np.arange(8)
    free = np.zeros((1, 8), dtype=bool)
    found = merged_ranges(losses, free, context=np.array([1]), batch=batch, tolerance=0.01)
    does = losses[0] <= 0.01
    fewest = [0] + [99] * 8
    for end in range(1, 9):
        fewest[end] = min(fewest[at] + 1 for at in range(end) if does[at:end].all(axis=0).any())
    assert len(found) == fewest[-1]


def test_one_length_is_enough_for_one_batch_and_context() -> None:
    found = schedule(_scenario("model=qwen3-8b&gpu=h100-sxm&gpus=1&load=16@4096:1"))
    assert found.weight[found.context == 4096, found.batch == 16] == 1.0
    for one in found.drafters:
        assert (one.losses.one_length, one.losses.by_batch) == (0.0, 0.0)


def test_a_stated_batch_and_context_are_computed_themselves() -> None:
    found = schedule(_scenario("model=qwen3-8b&gpu=h100-sxm&gpus=1&load=100:0.5;24@5000:0.5"))
    assert {24, 100} <= set(found.batch.tolist())
    assert 5000 in found.context
    assert found.weight[:, found.batch == 100].sum() == pytest.approx(0.5)
    assert not found.even


def test_what_does_not_fit_is_left_out_of_the_load() -> None:
    found = schedule(_scenario("model=qwen3-8b&gpu=h100-sxm&gpus=1&load=1@1024:0.25;4096@32768:0.75"))
    assert found.load_that_fits == pytest.approx(0.25)
    assert found.weight[found.fits].sum() == pytest.approx(1.0)


def test_the_shown_batch_and_context_change_no_schedule() -> None:
    query = "model=qwen3-8b&gpu=h100-sxm&gpus=1"
    one, other = (schedule(_scenario(f"{query}&{point}")) for point in ("batch=3&context=999", "batch=700"))
    assert np.array_equal(one.drafters[1].speedup, other.drafters[1].speedup)
    assert one.drafters[1].ranges == other.drafters[1].ranges


def test_it_is_printed_where_it_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    query = "model=qwen3-8b&gpu=h100-sxm&gpus=1"
    assert main(["evaluate", query, "--with", "schedule"]) == 0
    asked = json.loads(capsys.readouterr().out)["schedule"]
    assert main(["evaluate", f"{query}&figures=schedule"]) == 0
    assert json.loads(capsys.readouterr().out)["schedule"] == asked
    assert len(asked["drafters"]) == 3
    assert {"first_batch", "last_batch", "draft_tokens"} <= asked["drafters"][0]["ranges"][0].keys()


@pytest.mark.parametrize(
    ("given", "used", "reasons"),
    [
        ("1:0.2;16:0.5;64:0.3", "1:0.2;16:0.5;64:0.3", []),
        ("64@4k:0.5;1:0.5", "1:0.5;64@4096:0.5", []),
        ("1:2;16:2", "1:0.5;16:0.5", ["not_shares"]),
        ("8:0.25;8:0.25;2:0.5", "2:0.5;8:0.5", []),
        ("1:1;many:1", "1:1", ["not_a_load"]),
        ("0:1;2:-1;3@x:1;4", "", ["not_a_load"] * 4),
        (";".join(f"{batch}:1" for batch in range(1, 40)), "", ["too_many_loads"]),
        ("1:1e308;2:1", "2:1", ["not_a_load"]),
    ],
)
def test_loads_are_read_part_by_part(given: str, used: str, reasons: list[str]) -> None:
    decoded = decode(f"load={given}")
    assert [notice.reason for notice in decoded.notices] == reasons
    assert all(notice.key == "load" for notice in decoded.notices)
    canonical = encode(decoded.scenario)
    assert decode(canonical).scenario == decoded.scenario
    assert decode(canonical).notices == ()
    assert (f"load={used}" in canonical) if used else ("load=" not in canonical)
