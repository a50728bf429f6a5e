"""Sensitivity: what moves the speedup, and what an improvement brings."""

import numpy as np
import pytest

from roofline_app.evaluation import evaluate
from roofline_app.query import decode
from roofline_app.results import Evaluation
from roofline_app.sensitivity import FUSED, Sensitivity, alone, band, sensitivities, settings

LINK = "model=qwen3.5-27b&gpus=2&batch=8&profile=calibrated&drafter=block&cap=16"


def found(link: str) -> tuple[Evaluation, dict[str, Sensitivity]]:
    scenario = alone(decode(link).scenario, 0)
    evaluation = evaluate(scenario)
    calibrated = scenario.profile != "ideal"
    further = {name: evaluate(one) for name, one in settings(scenario, calibrated=calibrated).items()}
    rows = sensitivities(evaluation, evaluation.drafters[0], further)
    return evaluation, {row.key: row for row in rows}


@pytest.fixture(scope="module")
def calibrated() -> tuple[Evaluation, dict[str, Sensitivity]]:
    return found(LINK)


def test_every_assumption_has_both_ends_and_the_largest_comes_first(
    calibrated: tuple[Evaluation, dict[str, Sensitivity]],
) -> None:
    _, rows = calibrated
    assumptions = [row for row in rows.values() if not row.improvement]
    assert {row.key for row in assumptions} == {
        "accepted",
        "drafting",
        "verifying",
        "bandwidth",
        "arithmetic",
        "batch",
        "context",
        "interconnect",
        "launches",
    }
    reaches = [row.reach for row in assumptions]
    assert reaches == sorted(reaches, reverse=True)


def test_more_accepted_is_faster_and_dearer_drafting_and_verifying_slower(
    calibrated: tuple[Evaluation, dict[str, Sensitivity]],
) -> None:
    evaluation, rows = calibrated
    best = evaluation.drafters[0].best.speedup
    assert rows["accepted"].ends[0] < best < rows["accepted"].ends[1]
    for key in ("drafting", "verifying"):
        assert rows[key].ends[0] > best > rows[key].ends[1]


def test_three_percent_faster_kernels_are_three_percent_more(
    calibrated: tuple[Evaluation, dict[str, Sensitivity]],
) -> None:
    evaluation, rows = calibrated
    best = evaluation.drafters[0].best
    assert rows["kernels"].ends[0] == pytest.approx(best.speedup / 0.97)
    assert rows["drafter"].ends[0] == pytest.approx(best.speedup * 1.05, rel=0.02)
    one_more = best.speedup * (best.tokens_per_round + 1) / best.tokens_per_round
    assert rows["token"].ends[0] >= min(one_more, best.speedup) * 0.999


def test_an_improvement_never_commits_more_than_was_drafted() -> None:
    evaluation, rows = found("drafter=ideal,acceptance=1&cap=4")
    assert rows["drafter"].ends[1] == pytest.approx(evaluation.drafters[0].best.speedup)
    assert rows["token"].ends[1] == pytest.approx(evaluation.drafters[0].best.speedup)


def test_launch_times_move_the_speedup_as_evaluations_of_their_own_would(
    calibrated: tuple[Evaluation, dict[str, Sensitivity]],
) -> None:
    evaluation, rows = calibrated
    fused = evaluate(settings(alone(decode(LINK).scenario, 0), calibrated=True)[FUSED])
    assert fused.step.seconds < evaluation.step.seconds
    both = rows["launches"].low + rows["launches"].high
    assert np.all(np.isfinite(both))
    today = fused.drafters[0].best.speedup * evaluation.step.seconds / fused.step.seconds
    assert rows["megakernel"].ends == pytest.approx((today, today))
    assert today > evaluation.drafters[0].best.speedup


def test_fused_kernels_leave_the_ideal_profile_as_it_is() -> None:
    scenario = decode("kernels=fused").scenario
    assert scenario.kernels == "fused"
    assert evaluate(scenario).step.seconds == evaluate(decode("").scenario).step.seconds


def test_the_ideal_profile_has_neither_launches_nor_messages() -> None:
    _, rows = found("drafter=block")
    assert not rows.keys() & {"launches", "interconnect", "megakernel"}


def test_the_band_holds_the_curve_and_every_assumptions_ends(
    calibrated: tuple[Evaluation, dict[str, Sensitivity]],
) -> None:
    evaluation, rows = calibrated
    low, high = band(tuple(rows.values()))
    curve = evaluation.drafters[0].speedup
    assert np.all(low <= curve + 1e-12)
    assert np.all(curve <= high + 1e-12)
    assert low[0] == high[0] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("query", "scaled"),
    [
        ("gpus=8", True),
        ("gpus=16&gpu.interconnect=50e9", True),
        # Faster links would leave the network's latency as it is, and a stated link would take it away.
        ("gpus=16", False),
    ],
)
def test_a_link_is_scaled_where_it_is_all_that_messages_cross(query: str, scaled: bool) -> None:
    scenario = decode(f"model=deepseek-v3&gpu=h200-sxm&profile=calibrated&{query}").scenario
    assert ("interconnect-high" in settings(scenario, calibrated=True)) == scaled
