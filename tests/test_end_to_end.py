"""Whole requests: limits, identities and what benchmarks of servers show."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from roofline_app import Scenario, evaluate
from roofline_app.evaluation.end_to_end import likely_prompts
from roofline_app.query import decode, encode
from roofline_app.results import EndToEnd, Evaluation
from roofline_app.verdict import answer

LINK = "model=qwen3-8b&gpu=h100-sxm&gpus=1&batch=16&drafter=eagle3,cost=physical&profile=calibrated"


def evaluation(link: str) -> Evaluation:
    return evaluate(decode(link).scenario)


def requests(link: str) -> EndToEnd:
    found = evaluation(link).end_to_end
    assert found is not None
    return found


def test_without_lengths_there_are_no_whole_requests_and_no_number_changes() -> None:
    with_lengths = evaluation(f"{LINK}&context=2048&prompt=1536&output=1024")
    without = evaluation(f"{LINK}&context=2048")
    assert without.end_to_end is None
    assert np.array_equal(without.drafters[0].speedup, with_lengths.drafters[0].speedup)
    assert without.step == with_lengths.step


@settings(max_examples=25, deadline=None)
@given(
    prompt=st.integers(1, 60_000),
    output=st.integers(1, 8_000),
    batch=st.integers(1, 512),
    count=st.none() | st.integers(1, 2_000),
)
def test_a_benchmark_reports_less_than_decoding_gains(prompt: int, output: int, batch: int, count: int | None) -> None:
    link = f"{LINK}&batch={batch}&prompt={prompt}&output={output}" + (f"&requests={count}" if count else "")
    found = requests(link)
    for line in (found.without, *found.drafters):
        if count is None:
            least = found.without.prefill_seconds / line.prefill_seconds  # a drafter reads the prompt too
            assert least * (1 - 1e-9) <= line.reported_speedup <= max(1.0, line.speedup) + 1e-9
            assert line.reported_by_draft_length[0] == pytest.approx(1.0)
        assert line.end_to_end_seconds_per_token_p90 >= line.end_to_end_seconds_per_token * (1 - 1e-12)
        assert line.end_to_end_seconds == pytest.approx(line.end_to_end_seconds_per_token * output)
        assert line.first_token_seconds >= line.prefill_seconds
        assert line.reported_by_draft_length[line.draft_tokens] == line.reported_speedup


def test_long_outputs_alone_in_flight_are_decoding_alone() -> None:
    found = requests(f"{LINK}&batch=1&context=4096&prompt=1&output=8000000")
    line = found.drafters[0]
    assert line.reported_speedup == pytest.approx(line.speedup, rel=1e-4)


def test_what_is_nothing_but_prefill_gains_nothing() -> None:
    line = requests(f"{LINK}&batch=256&prompt=32768&output=1").drafters[0]
    assert line.speedup > 1.05
    assert line.reported_speedup <= 1.0


def test_more_requests_in_flight_and_longer_prompts_take_more_of_the_speedup() -> None:
    def kept(batch: int, prompt: int) -> float:
        line = requests(f"{LINK}&batch={batch}&prompt={prompt}&output=512").drafters[0]
        return (line.reported_speedup - 1.0) / (line.speedup - 1.0)

    by_batch = [kept(batch, 1024) for batch in (1, 4, 16, 64)]
    by_prompt = [kept(16, prompt) for prompt in (128, 512, 2048, 8192)]
    assert by_batch == sorted(by_batch, reverse=True)
    assert by_prompt == sorted(by_prompt, reverse=True)


def test_littles_law_holds() -> None:
    """Requests in flight are throughput times latency."""
    found = requests(f"{LINK}&prompt=1024&output=512")
    for line in (found.without, *found.drafters):
        per_second = line.tokens_per_second_per_gpu / 512
        assert per_second * line.end_to_end_seconds == pytest.approx(16)


def test_a_long_benchmark_is_a_steady_state_and_a_short_one_is_slower() -> None:
    steady = requests(f"{LINK}&prompt=1024&output=512").without
    rates = [
        requests(f"{LINK}&prompt=1024&output=512&requests={count}").without.tokens_per_second_per_gpu
        for count in (16, 64, 1024, 100_000)
    ]
    assert rates == sorted(rates)
    assert rates[-1] == pytest.approx(steady.tokens_per_second_per_gpu, rel=1e-3)


def test_fewer_requests_than_the_batch_are_all_in_flight_and_that_is_said() -> None:
    found = evaluation(f"{LINK}&prompt=1024&output=512&requests=4")
    assert found.end_to_end is not None
    assert found.end_to_end.concurrency == 4
    assert any("fewer than the batch" in notice for notice in answer(found).notices)


def test_a_wave_of_prompts_takes_as_long_as_its_arithmetic_at_least() -> None:
    """DeepSeek-V4 Pro, 49B active: 2 x 49e9 FLOPs a token, at most 8 B200's dense 9e15 FLOP/s each in fp4."""
    found = requests("model=deepseek-v4-pro&gpu=b200&gpus=8&batch=32&prompt=3584&output=1024")
    least = 2 * 45e9 * 3584 / (8 * 9e15)
    assert least < found.without.prefill_seconds < 0.8 / 32


@pytest.mark.parametrize(
    ("mean", "share"), [(0.5, 0.9), (7.0, 0.9), (63.0, 0.9), (4095.0, 0.9), (1e6, 0.9), (3.0, 0.5)]
)
def test_the_quantile_of_chance_arrivals_is_that_of_draws(mean: float, share: float) -> None:
    drawn = np.random.default_rng(7).poisson(mean, 200_000)
    found = likely_prompts(mean, share)
    assert np.mean(drawn <= found) >= share - 0.003
    assert np.mean(drawn <= found - 1) <= share + 0.003


@pytest.mark.parametrize("link", ["prompt=1024", "output=64", "requests=9", "prompt=1024&requests=3"])
def test_a_length_alone_has_no_effect_and_is_said(link: str) -> None:
    decoded = decode(link)
    assert decoded.scenario == Scenario()
    assert {notice.key for notice in decoded.notices} == {part.partition("=")[0] for part in link.split("&")}


def test_the_context_follows_from_the_lengths_unless_it_is_stated() -> None:
    assert decode("prompt=1000&output=500").scenario.context == 1250
    stated = decode("prompt=1000&output=500&context=9000").scenario
    assert stated.context == 9000
    found = evaluate(stated)
    assert found.end_to_end is not None
    assert found.end_to_end.context == 1250
    assert any("1.22k" in notice or "1250" in notice or "1,250" in notice for notice in answer(found).notices)
    assert decode(encode(stated)).scenario == stated


def test_requests_beyond_the_models_context_are_said() -> None:
    found = evaluation("model=llama-2-7b&gpu=h100-sxm&gpus=1&prompt=4000&output=1000&batch=1")
    assert any("beyond the 4k" in notice and "prompt and output" in notice for notice in answer(found).notices)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_verdict_says_what_a_benchmark_reports(language: str) -> None:
    found = evaluation("preset=article&prompt=3584&output=1024")
    assert found.end_to_end is not None
    said = answer(found, language).verdict
    assert f"{found.end_to_end.drafters[2].reported_speedup:.2f}×" in said


def test_an_oracle_that_drafts_twelve_right_tokens_reports_what_was_measured() -> None:
    """Qwen3-8B on an H100 with vLLM 0.31: 125 tok/s plain, 10.47 times that, at concurrency 1; lengths not stated.

    Source: https://gist.github.com/jiangLLM/e95756b974f385846e4277b7ee68d6c8
    """
    oracle = (
        "model=qwen3-8b&gpu=h100-sxm&gpus=1&profile=calibrated&engine=vllm&cap=12&drafter=ngram,length=13@12,cost=0"
    )

    def reported(batch: int, prompt: int, output: int = 256) -> tuple[float, float]:
        found = evaluation(f"{oracle}&batch={batch}&prompt={prompt}&output={output}")
        assert found.end_to_end is not None
        line = found.end_to_end.drafters[0]
        return float(found.drafters[0].speedup[12]), float(line.reported_by_draft_length[12])

    assert reported(1, 2048)[1] < 10.47 < reported(1, 64)[1] < reported(1, 64)[0]
    gaps = [decoding / whole for decoding, whole in (reported(batch, 512) for batch in (1, 8, 32))]
    assert gaps == sorted(gaps)
    assert gaps[-1] > 1.7
