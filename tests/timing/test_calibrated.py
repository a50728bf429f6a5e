"""Calibrated profiles: the targets that they were made for, and the identities that they keep."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from roofline_app import registry
from roofline_app.calibration.fit.fitted_profiles import whole_fit
from roofline_app.calibration.fit.left_out import By, Error
from roofline_app.calibration.fit.measured_rows import Row, measured_rows
from roofline_app.calibration.fit.predictions import as_run, measured, target_terms
from roofline_app.calibration.validation import Comparison, comparisons, spread, summaries
from roofline_app.evaluation import evaluate
from roofline_app.hardware.parallelism import Layout
from roofline_app.hardware.sharding import sharded
from roofline_app.resolved import resolve
from roofline_app.scenario import ConstantAcceptance, Drafter, Scenario, Weights
from roofline_app.specs import Node, SpecError
from roofline_app.timing.pass_time import pass_time, round_seconds
from roofline_app.timing.profiles import CALIBRATED, SHARES, Calibration, Profile, matching_profile
from roofline_app.timing.roofline import Roof, node_roof
from roofline_app.timing.workload import ComponentWork, pass_tokens, work

MODELS = ("deepseek-v4-pro", "qwen3.5-27b", "deepseek-v3", "gpt-oss-120b")
NAMES = ("ideal", "calibrated")
FITTED = tuple(profile for profile in registry.profiles().values() if profile.is_calibrated)


@cache
def _compared() -> tuple[Comparison, ...]:
    return comparisons()


def _sizes(relative: Iterable[float]) -> NDArray[np.float64]:
    return np.array([abs(error) for error in relative])


def _terms(model: str, layout: Layout = Layout.EVEN, gpus: int = 8) -> tuple[list[ComponentWork], Roof]:
    setting = resolve(Scenario(model=model, gpus=gpus))
    tokens = pass_tokens(batch=[[1], [32]], query_tokens=[1, 4, 16], context_tokens=4096)
    return work(sharded(setting.terms, layout, gpus=gpus), tokens), setting.roof


def _speedups() -> list[Comparison]:
    return [one for one in _compared() if one.quantity == "speedup"]


def _decoding() -> list[Comparison]:
    return [one for one in _compared() if one.row.output_tokens]


# Published numbers


def test_decoding_is_within_the_target_of_the_1208_measured_rows() -> None:
    errors = _sizes(one.calibrated_error for one in _decoding())
    assert errors.size == 1208
    assert np.median(errors) <= 0.08
    assert np.quantile(errors, 0.9) <= 0.20


def test_speedups_are_within_the_target_of_the_measured_rounds() -> None:
    errors = _sizes(one.calibrated_error for one in _speedups())
    assert errors.size >= 250
    assert np.median(errors) <= 0.08
    assert np.quantile(errors, 0.9) <= 0.25


def test_verifying_over_a_step_is_within_the_target_of_magicdec() -> None:
    errors = _sizes(one.calibrated_error for one in _compared() if one.quantity == "verify")
    assert np.median(errors) <= 0.15


def _unseen(by: By) -> tuple[Error, ...]:
    return tuple(error for some in whole_fit().unseen[by] for error in some)


@pytest.mark.wide
@pytest.mark.parametrize("by", ["source", "model"])
def test_rows_that_a_fit_never_saw_are_within_the_target_too(by: By) -> None:
    decoding = _sizes(error.relative for error in _unseen(by) if error.row.output_tokens)
    speedups = _sizes(error.relative for error in _unseen(by) if error.quantity == "speedup")
    assert decoding.size == 1208
    assert speedups.size >= 250
    assert np.median(decoding) <= 0.12
    assert np.quantile(decoding, 0.9) <= 0.30
    assert np.median(speedups) <= 0.10
    assert np.quantile(speedups, 0.9) <= 0.25


def test_calibrated_errors_are_far_below_ideal_ones() -> None:
    for some in (_decoding(), _speedups()):
        ideal, calibrated = (np.median(_sizes(getattr(one, f"{name}_error") for one in some)) for name in NAMES)
        assert calibrated < ideal / 5


def test_nvidia_deepseek_r1_points_are_met_and_three_drafts_are_best() -> None:
    points = {
        one.row.draft_tokens: one for one in _compared() if one.row.source == "nvidia" and one.quantity == "speedup"
    }
    steps = {one.row.draft_tokens: one for one in _compared() if one.row.source == "nvidia" and one.quantity == "step"}
    rates = {0: 1.0 / steps[0].calibrated}
    rates |= {drafts: one.calibrated / steps[drafts].calibrated for drafts, one in points.items()}
    published = {0: 111, 1: 198, 2: 250, 3: 253, 4: 245, 5: 239}
    assert rates == pytest.approx(published, rel=0.10)
    assert max(rates, key=rates.__getitem__) == 3


def test_qwen_27b_decodes_within_15_percent_of_the_article_on_one_b200() -> None:
    plain = _evaluated(Scenario(model="qwen3.5-27b", gpus=1, batch=1, context=6144, weights=_bf16()))
    assert 1.0 / plain == pytest.approx(75, rel=0.15)


def test_qwen_122b_decodes_within_15_percent_of_the_article_on_a_b200_node() -> None:
    plain = _evaluated(Scenario(model="qwen3.5-122b-a10b", gpus=8, batch=1, context=2048))
    assert 1.0 / plain == pytest.approx(250, rel=0.15)


def _bf16() -> Weights:
    return Weights(experts="bf16", linear="bf16", head="bf16")


def _evaluated(scenario: Scenario) -> float:
    return evaluate(replace(scenario, profile=CALIBRATED)).step.seconds


# Identities


@pytest.mark.parametrize("model", MODELS)
def test_the_rooflines_own_constants_give_the_roofline(model: str) -> None:
    parts, roof = _terms(model)
    ideal, own = pass_time(parts, roof), pass_time(parts, roof, Calibration())
    np.testing.assert_array_equal(own.seconds, ideal.seconds)
    assert own.components.keys() == ideal.components.keys()


def test_the_ideal_profile_adds_nothing_to_a_round() -> None:
    tokens = pass_tokens(batch=8, query_tokens=[1, 16], context_tokens=0)
    assert not np.any(round_seconds(tokens, Calibration()))


def test_a_round_of_one_query_token_is_plain_decoding() -> None:
    constants = Calibration(seconds_per_round=1.0, seconds_per_sequence=1.0)
    tokens = pass_tokens(batch=4, query_tokens=[1, 3], context_tokens=0)
    assert round_seconds(tokens, constants).tolist() == [0.0, 1.0 + 0.5 * 4 * 2]


def test_one_gpu_has_no_layout() -> None:
    terms = resolve(Scenario(model="deepseek-v3", gpus=1)).terms
    assert all(sharded(terms, layout, gpus=1) is terms for layout in Layout)


def test_latents_are_read_by_every_gpu_and_key_value_heads_beyond_their_number() -> None:
    for model, gpus, copies in (("deepseek-v3", 8, 8.0), ("qwen3.5-27b", 8, 2.0), ("llama-3.1-70b", 8, 1.0)):
        parts, spread = (
            [part for part in _terms(model, layout, gpus)[0] if part.kind == "cache"]
            for layout in (Layout.EVEN, Layout.TENSOR)
        )
        for one, other in zip(parts, spread, strict=True):
            np.testing.assert_allclose(other.bytes, copies * one.bytes)


def test_splitting_sequences_copies_no_cache_but_attentions_weights() -> None:
    even, split = (_terms("deepseek-v3", layout)[0] for layout in (Layout.EVEN, Layout.DATA_EXPERT))
    for one, other in zip(even, split, strict=True):
        if one.kind == "cache":
            # A single sequence is one GPU's alone; of 32, every GPU has four.
            np.testing.assert_allclose(other.bytes, one.bytes * [[8], [1]])
        if one.name == "projections":
            np.testing.assert_allclose(other.bytes, 8 * one.bytes)
            np.testing.assert_allclose(other.flops[0][1], one.flops[0][1] * [[8], [1]])


def test_the_busiest_rank_has_more_than_its_share_of_experts() -> None:
    even, spread = (_terms("deepseek-v3", layout)[0] for layout in (Layout.TENSOR, Layout.TENSOR_EXPERT))
    for one, other in zip(even, spread, strict=True):
        assert np.all(other.bytes >= one.bytes)


def test_a_pass_table_gives_what_single_passes_give() -> None:
    profile = registry.profiles()["vllm-hopper"]
    constants = profile.constants
    assert constants is not None
    rows = [row for row in measured_rows() if (row.engine, row.family) == ("vllm", "hopper")][::40]
    together = measured(rows, as_run()).step.seconds(constants)
    alone = [measured([row], as_run()).step.seconds(constants)[0] for row in rows]
    np.testing.assert_allclose(together, alone, rtol=1e-12)
    np.testing.assert_allclose(together, [_single(row, constants) for row in rows], rtol=1e-12)


def _single(row: Row, constants: Calibration) -> float:
    reading = as_run()
    tokens = pass_tokens(batch=row.batch, query_tokens=1, context_tokens=row.context_tokens, routing=reading.routing)
    roof = node_roof(Node(gpu=registry.gpu(row.gpu), gpus=row.gpus), registry.formats())
    return float(pass_time(work(reading.spread(target_terms(row), row), tokens), roof, constants).seconds)


def _told(relative: Iterable[float]) -> str:
    """Return errors as method.html prints them: median, nine tenths below, worst."""
    left = spread(relative)
    return f"{100 * left.median:.1f} / {100 * left.ninth_decile:.1f} / {100 * left.worst:.0f}"


@pytest.mark.parametrize(
    ("words", "chosen"),
    [
        ("decoding", lambda error: error.row.output_tokens > 0),
        ("speedup", lambda error: error.quantity == "speedup"),
        ("verify", lambda error: error.quantity == "verify"),
    ],
)
def test_the_methods_table_is_what_the_fit_leaves(words: str, chosen: Callable[[Comparison | Error], bool]) -> None:
    known = [one for one in _compared() if chosen(one)]
    left_out = [_told(error.relative for error in _unseen(by) if chosen(error)) for by in ("source", "model")]
    ideal, calibrated = (_told(getattr(one, f"{name}_error") for one in known) for name in ("ideal", "calibrated"))
    method = (Path(__file__).resolve().parents[2] / "static" / "method" / "errors.csv").read_text(encoding="utf-8")
    rows = {quantity: cells for quantity, *cells in csv.reader(method.splitlines())}
    assert rows[words] == [f"{len(known):,}", ideal, calibrated, *left_out]


# Monotony


@pytest.mark.parametrize("name", [field.name for field in fields(Calibration)])
def test_a_worse_constant_never_makes_a_pass_faster(name: str) -> None:
    constants = registry.profiles()["sglang-blackwell"].constants
    assert constants is not None
    value = getattr(constants, name)
    worse = replace(constants, **{name: value / 2 if name in SHARES else value * 2})
    for model in MODELS:
        parts, roof = _terms(model, Layout.TENSOR)
        before, after = (pass_time(parts, roof, some).seconds for some in (constants, worse))
        assert np.all(after >= before)


@pytest.mark.parametrize("profile", FITTED, ids=lambda profile: profile.id)
def test_more_work_never_takes_less_time(profile: Profile) -> None:
    for model in MODELS:
        seconds = pass_time(*_terms(model, Layout.TENSOR), profile.constants).seconds
        assert np.all(np.diff(seconds, axis=0) >= 0.0)
        assert np.all(np.diff(seconds, axis=1) >= 0.0)


@pytest.mark.parametrize("layout", list(Layout))
def test_every_layout_evaluates_and_its_components_add_up(layout: Layout) -> None:
    line = Drafter(kind="mtp", acceptance=ConstantAcceptance(acceptance=0.7), cost=None)
    scenario = Scenario(profile=CALIBRATED, layout=layout.value, drafters=(line,))
    evaluation = evaluate(scenario)
    for part in (evaluation.step, evaluation.drafters[0].verify):
        assert sum(component.seconds for component in part.components) == pytest.approx(part.seconds)


# Which profile, and what it refuses


@pytest.mark.parametrize(
    ("family", "engine", "expected"),
    [
        pytest.param("blackwell", "", "sglang-blackwell", id="the article's engine by default"),
        pytest.param("hopper", "vllm", "vllm-hopper", id="engine and family"),
        pytest.param("ampere", "tensorrt-llm", "tensorrt-llm-ampere", id="a pair without rows"),
        pytest.param("", "vllm", "pooled", id="a family without measurements"),
        pytest.param("hopper", "other", "pooled", id="an engine without measurements"),
    ],
)
def test_the_closest_profile_is_found(family: str, engine: str, expected: str) -> None:
    assert matching_profile(registry.profile_ids(), family=family, engine=engine) == expected


def test_the_answer_names_the_profile() -> None:
    facts = evaluate(Scenario(profile=CALIBRATED, engine="vllm", gpu="h200-sxm")).profile
    assert (facts.id, facts.name) == ("vllm-hopper", "vLLM on Hopper")


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("memory_bandwidth", 0.0, "memory_bandwidth: must be above 0 and at most 1, not 0.0"),
        ("matmul_peak", 1.5, "matmul_peak: must be above 0 and at most 1, not 1.5"),
        ("seconds_per_pass", -1e-6, "seconds_per_pass: must be at least 0, not -1e-06"),
        ("grouped_matmul", float("nan"), "grouped_matmul: must be at least 0, not nan"),
    ],
)
def test_impossible_constants_are_refused(name: str, value: float, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        Calibration(**{name: value})


# The data


def test_summaries_cover_every_row_once_by_each_grouping() -> None:
    for quantity in ("step", "speedup", "verify"):
        count = sum(one.quantity == quantity for one in _compared())
        for by in ("all", "model", "gpu", "engine", "batch"):
            assert (
                sum(some.rows for some in summaries(_compared()) if (some.quantity, some.by) == (quantity, by)) == count
            )
