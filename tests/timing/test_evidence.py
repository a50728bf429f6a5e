"""How sure calibrated predictions are: bands, and what was never measured."""

from __future__ import annotations

import pytest

from roofline_app import query
from roofline_app.evaluation import evaluate
from roofline_app.export import as_json
from roofline_app.results import Evaluation
from roofline_app.results.uncertainty_words import lengths
from roofline_app.verdict import answer


def _evaluated(text: str) -> Evaluation:
    return evaluate(query.decode(text).scenario)


def test_the_ideal_profile_claims_no_error() -> None:
    assert _evaluated("model=qwen3-8b").uncertainty is None


@pytest.mark.parametrize(("gpu", "engine"), [("tpu7x", "vllm"), ("mi300x", "sglang"), ("l40s", "vllm")])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_family_without_rows_says_so_and_doubts_more(gpu: str, engine: str, language: str) -> None:
    link = f"model=qwen3-8b&gpus=1&profile=calibrated&engine={engine}"
    known, unknown = (_evaluated(f"{link}&gpu={one}") for one in ("h200-sxm", gpu))
    assert known.uncertainty
    assert unknown.uncertainty
    assert unknown.uncertainty.step.missing == ("family",)
    assert unknown.uncertainty.step.high > 2.0 > known.uncertainty.step.high
    assert unknown.profile.evidence == ()
    assert any(unknown.node.name in notice for notice in answer(unknown, language).notices)


def test_a_format_without_rows_widens_the_band() -> None:
    link = "model=qwen3-8b&gpu=h200-sxm&gpus=1&profile=calibrated&engine=sglang"
    known, other = (_evaluated(f"{link}&weights={one}").uncertainty for one in ("bf16", "int4"))
    assert known
    assert other
    assert "int4" in other.speedup.missing
    assert other.speedup.high > known.speedup.high


def test_measured_losses_of_a_small_moe_are_inside_the_band() -> None:
    for gpus, length, measured in ((4, "2.017@3", 170.35 / 218.89), (2, "1.86@3", 159.78 / 222.47)):
        link = f"model=qwen3-30b-a3b&gpu=h100-sxm&gpus={gpus}&batch=1&context=512&profile=calibrated&engine=sglang"
        found = _evaluated(f"{link}&drafter=eagle3,length={length},cost=physical")
        assert found.uncertainty
        assert found.uncertainty.speedup.low * found.drafters[0].speedup[3] < measured * 1.03
        assert "measure it" in answer(found).verdict


def test_json_has_the_band_the_evidence_and_the_lengths_that_are_as_good() -> None:
    found = _evaluated("model=llama-3.1-8b&gpu=h200-sxm&gpus=1&profile=calibrated&engine=sglang&drafter=eagle3")
    facts = as_json(found)
    assert facts["uncertainty"]["speedup"]["rows"] == 70
    assert {one["quantity"] for one in facts["profile"]["evidence"]} == {"step", "speedup"}
    best = facts["drafters"][0]["best"]
    assert best["draft_tokens"] in best["as_good"]
    speedups = found.drafters[0].speedup
    assert all(speedups[length] >= 0.98 * best["speedup"] for length in best["as_good"])


def test_neighbouring_lengths_stand_together() -> None:
    assert lengths([4, 5, 6, 9]) == "4–6, 9"
    assert lengths([2]) == "2"
