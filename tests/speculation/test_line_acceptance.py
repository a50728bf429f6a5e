"""Acceptance of drafter lines: measured presets, mixes, relaxed acceptance and further passes."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st
from reference_data import reference_file
from strategies import acceptances

from roofline_app import registry
from roofline_app.evaluation import evaluate
from roofline_app.evaluation.line_acceptance import LineAcceptance, line_acceptance
from roofline_app.format import speedup
from roofline_app.query import decode
from roofline_app.resolved import resolve
from roofline_app.results import DrafterResult, Evaluation
from roofline_app.scenario import AcceptanceChoice, Drafter, Scenario
from roofline_app.specs import AcceptanceSpec, SpecError
from roofline_app.speculation.acceptance import falling_survival, raised_survival, share_of_passes, tokens_per_round
from roofline_app.timing.experts import distinct_experts
from roofline_app.verdict import answer

SOURCE = {"source": "https://example.org", "checked": "2026-11-30"}


def _accepted(line: str, cap: int = 16) -> LineAcceptance:
    decoded = decode(f"drafter={line}")
    assert decoded.notices == ()
    return line_acceptance(resolve(decoded.scenario).drafters[0], cap, decoded.scenario.context)


def _evaluated(query: str) -> Evaluation:
    decoded = decode(query)
    assert decoded.notices == ()
    return evaluate(decoded.scenario)


def _verdict(query: str) -> str:
    return answer(_evaluated(query)).verdict


def _drafter(query: str) -> DrafterResult:
    return _evaluated(query).drafters[0]


def _slug(text: str) -> str:
    return text.lower().replace(" ", "-")


def test_tokens_per_round_are_those_measured_at_every_draft_length() -> None:
    rows = json.loads(reference_file("measured_acceptance.json").read_text("utf-8"))
    for row in rows["tokens_per_round_by_draft_tokens"]["rows"]:
        name = _slug(f"{row['pair']} {row['mode']}".strip())
        found = _accepted(f"mtp,preset={name}")
        assert found.tokens_per_round[1:9].tolist() == row["tokens_per_round"]
        assert found.tokens_per_round[9:].tolist() == [row["tokens_per_round"][-1]] * 8
        assert found.measured == 8


BY_CONTEXT = "model=qwen3-8b&gpu=h100-sxm&gpus=1&batch=1&drafter=eagle3,preset=qwen3-8b-eagle3-by-context,cost=physical"


@pytest.mark.parametrize(
    ("context", "tokens"),
    [
        # vllm-project/speculators, pull request 684.
        pytest.param(2000, 2.295, id="measured"),
        pytest.param(8000, 1.687, id="measured, longer"),
        pytest.param(20000, 1.084, id="measured, longest"),
        pytest.param(128, 2.295, id="held below"),
        pytest.param(1_000_000, 1.084, id="held beyond"),
        # The square root of 2,000 times 4,000: half way in the logarithm.
        pytest.param(2828, 2.1675, id="between"),
    ],
)
def test_an_acceptance_measured_by_context_follows_the_context(context: int, tokens: float) -> None:
    drafter = _drafter(f"{BY_CONTEXT}&context={context}")
    assert drafter.tokens_per_round[3] == pytest.approx(tokens, abs=1e-4)
    assert drafter.measured_draft_tokens == 3
    assert drafter.measured is not None
    assert drafter.measured.contexts == (2000, 20000)


def test_the_answer_says_how_far_an_acceptance_by_context_was_measured() -> None:
    inside, beyond = (_verdict(f"{BY_CONTEXT}&context={context}") for context in (4096, 65536))
    assert "follows the context" in inside
    assert "beyond, it is held" in beyond


def test_a_drafter_of_short_texts_loses_its_worth_with_the_context_and_one_with_a_window_keeps_it() -> None:
    short, long = (_evaluated(f"preset=trained-short&context={context}").drafters for context in (2048, 16384))
    whole, window = ([drafters[line].best.speedup for drafters in (short, long)] for line in (0, 1))
    assert whole[0] > window[0]
    assert whole[1] < window[1]


def test_a_mix_follows_the_context_too() -> None:
    mixed = "model=qwen3-8b&gpus=1&drafter=eagle3,mix=0.5:qwen3-8b-eagle3-by-context;0.5:0.5"
    short, long = (_drafter(f"{mixed}&context={context}").tokens_per_round[3] for context in (2000, 20000))
    assert short - long == pytest.approx((2.295 - 1.084) / 2, abs=1e-6)


def test_survival_and_workloads_are_those_measured() -> None:
    rows = json.loads(reference_file("measured_acceptance.json").read_text("utf-8"))
    for row in rows["survival_by_position"]["rows"]:
        found = _accepted(f"mtp,preset={_slug(row['pair'])}")
        known = len(row["survival"])
        assert found.survival[:known].tolist() == row["survival"][:16]
        assert not found.survival[known:].any()
    for workload, lengths in rows["tokens_per_round_by_workload"]["rows"].items():
        for kind, drafts, length in zip(("mtp", "dflash"), (16, 15), lengths, strict=True):
            found = _accepted(f"block,preset=qwen3.6-35b-a3b-{kind}-{workload}", cap=32)
            assert found.tokens_per_round[drafts] == pytest.approx(length, rel=1e-12)
            assert found.tokens_per_round[32] == pytest.approx(length, rel=1e-12)


def test_every_measured_row_is_in_the_registry() -> None:
    assert len(registry.acceptances()) >= 11 + 2 + 2 * 13 + 2
    for spec in registry.acceptances().values():
        assert spec.kind in registry.drafter_kinds()
        assert not spec.model or spec.model in registry.model_ids()


def test_a_measured_drafter_that_gets_worse_is_not_drafted_longer() -> None:
    drafter = _drafter("model=deepseek-v4-pro&drafter=block,preset=deepseek-v4-pro-0813-dspark,cost=0")
    assert drafter.measured_draft_tokens == 8
    assert drafter.measured is not None
    assert "InferenceX" in drafter.measured.source
    assert drafter.tokens_per_round[8] < drafter.tokens_per_round[6]
    assert drafter.best.draft_tokens <= 6


def test_a_curve_measured_to_its_end_says_where_it_ends() -> None:
    query = "model=deepseek-v4-pro&drafter=mtp,preset=deepseek-v4-pro-mtp-thinking-on"
    assert "measured up to 8 draft tokens" in _verdict(query)
    assert "measured" not in _verdict(f"{query}&cap=8")


@given(acceptances(), st.floats(0, 1), st.integers(1, 64))
def test_survival_falls_and_relaxing_never_lowers_it(choice: AcceptanceChoice, relax: float, cap: int) -> None:
    lines = tuple(Drafter(kind="mtp", acceptance=choice, cost=0.1, relax=by) for by in (0.0, relax))
    plain, relaxed = (line_acceptance(line, cap, 4096) for line in resolve(Scenario(drafters=lines)).drafters)
    for found in (plain, relaxed):
        assert np.all(np.diff(found.survival) <= 1e-12)
        assert np.all((found.survival >= 0) & (found.survival <= 1 + 1e-12))
        assert found.tokens_per_round[0] == 1.0
        assert np.all(found.tokens_per_round <= np.arange(cap + 1) + 1 + 1e-9)
    assert np.all(relaxed.survival >= plain.survival - 1e-12)
    assert np.all(relaxed.tokens_per_round >= plain.tokens_per_round - 1e-12)


def test_relaxing_a_constant_acceptance_raises_it_by_a_share_of_the_rejections() -> None:
    assert _accepted("mtp,acceptance=0.6,relax=0.25").tokens_per_round == pytest.approx(
        _accepted("mtp,acceptance=0.7").tokens_per_round
    )


def test_relaxed_acceptance_is_labelled() -> None:
    evaluation = _evaluated("drafter=mtp,relax=0.1&drafter=mtp")
    assert [drafter.lossy for drafter in evaluation.drafters] == [True, False]
    assert any("no longer the target's own" in notice for notice in answer(evaluation).notices)


def test_nothing_is_known_beyond_the_last_measured_position_however_relaxed() -> None:
    found = _accepted("mtp,preset=qwen3.6-35b-a3b-mtp,relax=1")
    assert found.tokens_per_round[8] == found.tokens_per_round[16] == pytest.approx(9)


def test_further_passes_cost_time_and_remove_a_share_of_rejections_each() -> None:
    assert share_of_passes(0.5, 3) == pytest.approx(0.75)
    once, thrice = (_drafter(f"drafter=block,acceptance=0.8,cost=0.1{more}") for more in ("", ",passes=3,gain=0.5"))
    np.testing.assert_allclose(thrice.drafting_seconds, 3 * once.drafting_seconds)
    assert thrice.survival[0] == pytest.approx(0.8 + 0.2 * 0.75)
    assert not thrice.lossy
    assert _drafter("drafter=block,passes=2,gain=0").best.speedup < _drafter("drafter=block").best.speedup


def test_further_passes_run_the_drafters_own_block_again() -> None:
    query = "model=qwen3.5-27b&gpus=1&drafter=block,cost=physical"
    once, twice = _drafter(query).drafting_seconds, _drafter(f"{query},passes=2").drafting_seconds
    assert twice[15] / once[15] == pytest.approx(2, rel=0.03)


def test_a_mix_commits_the_average_of_its_parts() -> None:
    mixed = _accepted("mtp,mix=0.6:coding;0.4:writing")
    coding, writing = (_accepted(f"mtp,preset=qwen3.6-35b-a3b-mtp-{name}") for name in ("coding", "writing"))
    expected = 0.6 * coding.tokens_per_round + 0.4 * writing.tokens_per_round
    assert mixed.tokens_per_round == pytest.approx(expected)
    assert mixed.tokens_per_round[16] == pytest.approx(0.6 * 6.49 + 0.4 * 3.74)
    assert mixed.measured == 16


def test_a_workload_is_that_of_the_kind_of_drafter() -> None:
    assert _accepted("block,mix=1:coding").tokens_per_round[15] == pytest.approx(6.01)
    assert _accepted("mtp,mix=1:coding").tokens_per_round[16] == pytest.approx(6.49)


def test_a_mix_of_one_part_is_that_part() -> None:
    assert _accepted("mtp,mix=1:0.7").tokens_per_round == pytest.approx(
        _accepted("mtp,acceptance=0.7").tokens_per_round
    )


def test_one_drafter_per_region_is_never_slower_than_one_for_all() -> None:
    drafter = _drafter("model=qwen3.6-35b-a3b&gpus=1&drafter=mtp,mix=0.5:0.9;0.5:0.3,cost=0.05")
    assert drafter.mix is not None
    assert drafter.mix.speedup_together == drafter.best.speedup
    assert drafter.mix.speedup_apart > 1.02 * drafter.mix.speedup_together
    eager, careful = drafter.mix.parts
    assert eager.best_draft_tokens > drafter.best.draft_tokens > careful.best_draft_tokens
    assert math.fsum(part.share for part in drafter.mix.parts) == 1.0
    evaluation = _evaluated("model=qwen3.6-35b-a3b&gpus=1&drafter=mtp,mix=0.5:0.9;0.5:0.3,cost=0.05")
    assert speedup(drafter.mix.speedup_apart) in answer(evaluation).verdict
    alone = _drafter("model=qwen3.6-35b-a3b&gpus=1&drafter=mtp,acceptance=0.9,cost=0.05")
    assert eager.speedup == pytest.approx(alone.best.speedup)
    assert _drafter("drafter=mtp").mix is None


@pytest.mark.parametrize(
    ("lengths", "survival"),
    [
        pytest.param((1.8, 2.4, 2.8), (0.8, 0.6, 0.4), id="falling already"),
        pytest.param((1.8, 2.2, 2.8), (0.8, 0.5, 0.5), id="a rise is averaged"),
        pytest.param((1.8, 1.9, 1.8), (0.8, 0.1, 0.0), id="a loss is nothing"),
        pytest.param((1.1, 1.3, 1.8), (0.8 / 3,) * 3, id="only rises"),
    ],
)
def test_the_nearest_falling_survival(lengths: tuple[float, ...], survival: tuple[float, ...]) -> None:
    assert falling_survival(lengths) == pytest.approx(np.asarray(survival))


def test_falling_survival_keeps_tokens_per_round_where_nothing_is_lost() -> None:
    lengths = (1.93, 2.73, 3.39, 3.97, 4.41, 4.8, 5.04, 5.21)
    assert tokens_per_round(falling_survival(lengths)) == pytest.approx(np.asarray((1.0, *lengths)))


def test_raising_survival_by_nothing_and_by_all() -> None:
    survival = np.array([0.8, 0.5, 0.0])
    assert raised_survival(survival, 0.0) == pytest.approx(survival)
    assert raised_survival(survival, 1.0).tolist() == [1.0, 1.0, 0.0]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"survival": (0.5, 0.6)}, "survival"),
        ({"survival": (1.5,)}, "survival"),
        ({"tokens_per_round": (2.5,)}, "tokens_per_round"),
        ({"tokens_per_round": (1.5,), "survival": (0.5,)}, "tokens_per_round"),
        ({}, "tokens_per_round"),
        ({"length": 3.0, "draft_tokens": 1}, "length"),
        ({"length": 3.0}, "draft_tokens"),
        ({"lengths": (3.0, 1.5), "contexts": (1, 2), "draft_tokens": 1}, "length"),
        ({"lengths": (1.5, 1.2), "contexts": (1, 2)}, "draft_tokens"),
        ({"lengths": (1.5, 1.2), "contexts": (2, 1), "draft_tokens": 1}, "contexts"),
        ({"lengths": (1.5, 1.2), "contexts": (2,), "draft_tokens": 1}, "contexts"),
        ({"lengths": (1.5,), "contexts": (0,), "draft_tokens": 1}, "contexts"),
        ({"survival": (0.5,), "contexts": (2,)}, "contexts"),
        ({"survival": (0.5,), "conditions": ""}, "conditions"),
        ({"survival": (0.5,), "source": "hearsay"}, "source"),
    ],
)
def test_an_impossible_measurement_is_refused_by_field(changes: dict[str, object], field: str) -> None:
    facts = {"id": "x", "name": "x", "kind": "mtp", "model": "", "conditions": "c", **SOURCE}
    with pytest.raises(SpecError, match=f"^{field}"):
        AcceptanceSpec(**(facts | changes))  # type: ignore[arg-type]


def test_impossible_routings_and_links_are_refused() -> None:
    correlated, network = registry.routings()["correlated"], registry.networks()["network"]
    with pytest.raises(SpecError, match="batch_exponent"):
        replace(correlated, batch_exponent=1.1)
    with pytest.raises(SpecError, match="bytes_per_second"):
        replace(network, bytes_per_second=0.0)


def _counted(key: str) -> list[tuple[int, int, int, float]]:
    rows = json.loads(reference_file("measured_acceptance.json").read_text("utf-8"))
    return [
        (row["experts"], row["top_k"], tokens, count)
        for row in rows["distinct_experts_per_layer"]["rows"]
        for tokens, count in zip(row["tokens"], row[key], strict=True)
        if tokens > 1
    ]


@pytest.mark.parametrize(
    ("key", "field"), [("one_sequence", "sequence_exponent"), ("different_sequences", "batch_exponent")]
)
def test_the_exponents_of_correlated_routing_are_the_best_fit_of_the_counted_experts(key: str, field: str) -> None:
    rows = _counted(key)

    def misfit(exponent: float) -> float:
        counts = [distinct_experts(experts, top, tokens**exponent) / count for experts, top, tokens, count in rows]
        return float(np.sum(np.log(counts) ** 2))

    fitted = registry.routings()["correlated"]
    chosen = getattr(fitted, field)
    assert misfit(chosen) < min(misfit(chosen - 0.001), misfit(chosen + 0.001))
    errors = [abs(distinct_experts(e, k, n**chosen) / count - 1) for e, k, n, count in rows]
    assert max(errors) <= fitted.error
    assert misfit(chosen) < misfit(1.0) / 5


def test_correlated_experts_touch_fewer_and_the_independent_count_stands_beside() -> None:
    scenario = "model=qwen3.6-35b-a3b&gpus=1&batch=8"
    independent, correlated = _evaluated(scenario), _evaluated(f"{scenario}&experts=correlated")
    assert correlated.verify_one.experts_touched < independent.verify_one.experts_touched
    assert correlated.verify_one.experts_touched_independent == independent.verify_one.experts_touched
    assert independent.verify_one.experts_touched_independent == independent.verify_one.experts_touched
    assert correlated.drafters[2].best.speedup > independent.drafters[2].best.speedup


def test_one_sequence_touches_as_many_experts_as_were_counted() -> None:
    evaluation = _evaluated("model=qwen3.6-35b-a3b&gpus=1&batch=1&experts=correlated")
    assert evaluation.step.experts_touched == 8
    assert evaluation.verify_one.experts_touched == pytest.approx(12.87, rel=0.044)


def test_correlated_experts_change_nothing_for_a_dense_model() -> None:
    dense = "model=qwen3.5-27b&gpus=1"
    assert _evaluated(f"{dense}&experts=correlated").step == _evaluated(dense).step
