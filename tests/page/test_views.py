"""Views: an evaluation's values, and words about them."""

import numpy as np
import pytest
from page_samples import TOO_LARGE, evaluation_of, shown_of

from roofline_app.page.figures.acceptance.view import acceptance_view
from roofline_app.page.figures.axes import round_ticks
from roofline_app.page.figures.batch.view import batch_view
from roofline_app.page.figures.catalogue import FIGURES
from roofline_app.page.figures.look import Look
from roofline_app.page.figures.memory.view import memory_label, memory_view
from roofline_app.page.figures.payoff.view import payoff_view, payoff_words
from roofline_app.page.figures.rates.view import rates_view
from roofline_app.page.figures.roofline.view import roofline_view
from roofline_app.page.figures.speedup.view import speedup_view
from roofline_app.page.figures.time.view import time_view
from roofline_app.registry import gpus

LINKS = ["", "model=qwen3.5-27b&gpus=1&batch=1", TOO_LARGE, "cap=1&drafter=ngram", "cap=64&model=gpt-oss-120b"]
EVERYWHERE = pytest.mark.parametrize("link", LINKS)


@EVERYWHERE
def test_curves_are_the_evaluations_own(link: str) -> None:
    evaluation = evaluation_of(link)
    view = speedup_view(evaluation, Look(), label_room=0.1)
    for curve, result in zip(view.curves, evaluation.drafters, strict=True):
        assert curve.speedup is result.speedup
        assert curve.tokens_per_round is result.tokens_per_round
        assert curve.best_speedup == curve.speedup[curve.best_draft_tokens]
    assert view.y.end >= max(result.speedup.max() for result in evaluation.drafters)
    assert view.x.end == evaluation.cap


@EVERYWHERE
def test_a_drafters_own_point_lies_on_its_line_and_below_the_toy_model(link: str) -> None:
    view = acceptance_view(evaluation_of(link), Look(), label_room=0.1)
    for line in view.lines:
        reached = np.interp(line.own_tokens_per_round, line.tokens_per_round, line.speedup)
        assert reached == pytest.approx(line.own_speedup, rel=1e-9)
        assert np.all(line.speedup <= line.tokens_per_round)
        assert line.tokens_per_round[-1] == line.draft_tokens + 1


@EVERYWHERE
def test_the_rates_of_a_batch_are_those_of_a_setting_with_that_batch(link: str) -> None:
    evaluation = evaluation_of(link)
    view = rates_view(evaluation, Look())
    for curve in view.curves:
        x = np.interp(evaluation.batch, curve.batch, curve.per_user)
        if evaluation.batch in curve.batch:
            assert x == pytest.approx(curve.now.tokens_per_second_per_user, rel=1e-9)
        assert view.x.start < curve.per_user.min() < curve.per_user.max() < view.x.end
        assert view.y.start < curve.per_gpu.min() < curve.per_gpu.max() < view.y.end


def test_the_axis_of_prices_says_what_a_batch_costs() -> None:
    evaluation = evaluation_of("")
    view = rates_view(evaluation, Look())
    assert evaluation.economics.usd_per_gpu_hour
    for place, label in zip(view.price.ticks, view.price.labels, strict=True):
        assert float(label.removeprefix("$")) == pytest.approx(evaluation.economics.usd_per_gpu_hour / 0.0036 / place)


def test_without_a_price_there_are_no_dollars() -> None:
    view = rates_view(evaluation_of("price=0"), Look())
    assert view.price.ticks == ()


@pytest.mark.parametrize(("low", "high"), [(1, 9), (0.03, 8000), (40, 41), (1e-9, 1e12)])
def test_ticks_of_a_log_axis_are_round_few_and_inside(low: float, high: float) -> None:
    ticks = round_ticks(low, high, 6)
    assert len(ticks) <= 6
    assert all(low <= tick <= high for tick in ticks)


@EVERYWHERE
def test_the_cost_curve_falls_and_passes_through_now(link: str) -> None:
    evaluation = evaluation_of(link)
    view = payoff_view(evaluation, Look())
    assert np.all(np.diff(view.cost) <= 0)
    (now,) = view.points
    assert np.interp(now.tokens_per_round, view.tokens_per_round, view.cost) == pytest.approx(now.cost, rel=1e-2)
    usd = evaluation.economics.drafters[view.line].usd_per_million_tokens
    if usd is not None:
        assert now.cost == pytest.approx(usd, rel=1e-9)


def test_what_training_brings_is_said_as_far_as_it_is_known() -> None:
    assert "State what training" in payoff_words(evaluation_of(""), "en")
    said = payoff_words(evaluation_of("after=9&traffic=1e9&training=1000"), "en")
    assert said.startswith("Block commits 9.00 tokens per round instead of 7.84: 3.4")
    assert said.endswith("days.")
    assert "saves nothing" in payoff_words(evaluation_of("after=2&traffic=1e9&training=1000"), "en")
    assert "GPUs" not in payoff_words(evaluation_of("after=9"), "en")


def test_the_payoff_pays_for_a_drafters_own_gpus() -> None:
    evaluation = evaluation_of("preset=own-gpus")
    view = payoff_view(evaluation, Look())
    price = evaluation.economics.drafters[1].usd_per_million_tokens
    assert price is not None
    assert view.points[0].cost == pytest.approx(price)
    assert max(view.cost) <= view.y.end


def test_without_a_price_the_payoff_is_in_gpu_hours() -> None:
    link = next(f"gpu={gpu.id}&gpus=1&model=qwen3-8b" for gpu in gpus().values() if gpu.price_usd_per_hour is None)
    view = payoff_view(evaluation_of(link), Look())
    assert view.cost_words == "GPU hours per million tokens"


def test_the_best_point_is_named_with_its_length_and_the_cap() -> None:
    view = speedup_view(evaluation_of(""), Look(), label_room=0.1)
    assert [curve.label for curve in view.curves][1].startswith("γ*=6, 1.1")
    assert view.curves[2].label.startswith("γ*=16 (max), 3.00×")


def test_on_a_phone_names_and_the_cap_take_less_room() -> None:
    view = speedup_view(
        evaluation_of("drafter=mtp,name=Beside the target&drafter=ideal"), Look(narrow=True), label_room=0.1
    )
    assert view.curves[0].title == "Beside the…"
    assert view.curves[1].label.startswith("γ*≥16, ")


def test_a_setting_that_does_not_fit_is_marked() -> None:
    assert not speedup_view(evaluation_of(TOO_LARGE), Look(), label_room=0.1).feasible
    assert not speedup_view(evaluation_of("context=2M"), Look(), label_room=0.1).feasible
    assert speedup_view(evaluation_of(""), Look(), label_room=0.1).feasible


def test_the_axis_fits_the_lines_that_are_shown() -> None:
    everything = speedup_view(evaluation_of(""), Look(), label_room=0.1)
    real = speedup_view(evaluation_of(""), Look(hidden=frozenset({0})), label_room=0.1)
    assert [curve.shown for curve in real.curves] == [False, True, True]
    assert real.y.end < everything.y.end
    nothing = speedup_view(evaluation_of(""), Look(hidden=frozenset({0, 1, 2})), label_room=0.1)
    assert all(curve.shown for curve in nothing.curves)


@EVERYWHERE
def test_batches_are_powers_of_two_on_a_log_axis(link: str) -> None:
    view = batch_view(evaluation_of(link), Look(), label_room=0.1)
    assert np.all(view.curves[0].batch == 2 ** np.arange(13))
    assert view.x.labels[0] == "1"


@EVERYWHERE
def test_bars_add_up_to_the_seconds_per_committed_token(link: str) -> None:
    evaluation = evaluation_of(link)
    view = time_view(evaluation, "en")
    step = sum(part.seconds for part in evaluation.step.components)
    assert view.totals[0] == pytest.approx(step, rel=1e-12)
    for total, result in zip(view.totals[1:], evaluation.drafters, strict=True):
        drafting = result.drafting_seconds[result.best.draft_tokens]
        verify = sum(part.seconds for part in result.verify.components)
        assert total == pytest.approx((verify + drafting) / result.best.tokens_per_round, rel=1e-12)


@EVERYWHERE
def test_no_component_stands_above_the_roof(link: str) -> None:
    view = roofline_view(evaluation_of(link), "en")
    highest = max(roof.flops_per_second[-1] for roof in view.roofs)
    slope = view.roofs[0].flops_per_second[0] / view.roofs[0].flops_per_byte[0]
    for point in view.points:
        for intensity, achieved in (point.step, point.verify):
            assert achieved <= highest * (1 + 1e-9)
            assert achieved <= intensity * slope * (1 + 1e-9)


def test_roofs_of_equal_height_share_a_name() -> None:
    names = [roof.format for roof in roofline_view(evaluation_of(""), "en").roofs]
    assert names == ["BF16", "FP8, INT8", "FP4"]


@EVERYWHERE
def test_memory_segments_add_up_to_what_is_needed(link: str) -> None:
    evaluation = evaluation_of(link)
    view = memory_view(evaluation, "en")
    assert sum(segment.bytes for segment in view.segments) == pytest.approx(evaluation.memory.needed_bytes)
    assert view.fits == (evaluation.memory.needed_bytes <= view.capacity_bytes)


def test_a_node_too_small_for_the_weights_says_so() -> None:
    label = memory_label(evaluation_of("model=deepseek-v4-pro&gpu=l4&gpus=1"), "en")
    assert "not even one sequence" in label


@EVERYWHERE
@pytest.mark.parametrize("name", [name for name, figure in FIGURES.items() if not figure.work])
def test_every_row_of_a_table_is_as_long_as_its_header(link: str, name: str) -> None:
    table = FIGURES[name].table(shown_of(link))
    assert table.rows
    assert all(len(row) == len(table.header) for row in table.rows)
    assert all(cell for row in table.rows for cell in row)
