"""Summaries of AIPerf and GenAI-Perf, which know no engine."""

from __future__ import annotations

from typing import Any

import pytest
from benchmark_samples import AIPERF, GENAI_PERF, lines, without

from roofline_app.calibration.benchmarks import MeasuredPoint, MeasurementError, import_file

SPEEDS = ("inter_token_latency", "output_token_throughput_per_user", "output_token_throughput")
NO_SPEED: dict[str, Any] = {name: {} for name in SPEEDS}


def _only(summary: dict[str, Any]) -> MeasuredPoint:
    (point,) = import_file("profile_export.json", lines(summary)).points
    return point


@pytest.mark.parametrize(("summary", "kind"), [(AIPERF, "aiperf"), (GENAI_PERF, "genai_perf")])
def test_a_summary_keeps_what_it_states(summary: dict[str, Any], kind: str) -> None:
    point = _only(summary)
    assert (point.file_format, point.engine, point.model) == (kind, "", "Qwen/Qwen3-8B")
    assert (point.batch, point.input_tokens, point.output_tokens, point.context_tokens) == (8, 1024, 512, 1280)
    assert point.seconds_per_token == pytest.approx(0.005)
    assert point.tokens_per_second == 1600


def test_chunks_of_several_tokens_tell_the_tokens_per_round() -> None:
    point = _only(AIPERF)
    assert (point.tokens_per_round, point.draft_tokens) == (2.5, None)
    assert {"from_chunks", "no_draft_length"} <= {assumption.name for assumption in point.assumptions}


def test_chunks_of_one_token_are_plain_decoding() -> None:
    point = _only(AIPERF | {"inter_chunk_latency": {"unit": "ms", "avg": 5.02}})
    assert (point.tokens_per_round, point.draft_tokens) == (1, 0)


def test_an_engine_that_the_client_drove_itself_tells_draft_length_and_acceptance() -> None:
    told = {
        "overall_acceptance_length": {"unit": "tokens", "avg": 2.8},
        "overall_draft_acceptance_rate": {"unit": "ratio", "avg": 0.6},
    }
    point = _only(AIPERF | told)
    assert (point.tokens_per_round, point.draft_tokens) == (2.8, 3)


def test_a_client_that_does_not_know_the_drafts_counts_as_plain_and_says_so() -> None:
    point = _only(GENAI_PERF)
    assert (point.tokens_per_round, point.draft_tokens) == (1, 0)
    assert "plain" in {assumption.name for assumption in point.assumptions}


def test_the_watched_accelerator_is_the_runs() -> None:
    assert _only(AIPERF).gpu == "NVIDIA B200"


def test_without_a_limit_the_batch_follows_from_littles_law() -> None:
    assert _only(GENAI_PERF | {"input_config": {"perf_analyzer": {"stimulus": {"request_rate": 2}}}}).batch == 8


def test_another_unit_of_time_is_read() -> None:
    assert _only(GENAI_PERF | {"inter_token_latency": {"unit": "ns", "avg": 5e6}}).seconds_per_token == pytest.approx(
        0.005
    )


def test_without_a_latency_the_speed_of_one_user_is_taken() -> None:
    assert _only(without(GENAI_PERF, "inter_token_latency")).seconds_per_token == pytest.approx(1 / 200)


def test_without_a_stream_the_time_includes_the_prompt_and_says_so() -> None:
    point = _only(without(GENAI_PERF, "inter_token_latency", "output_token_throughput_per_user"))
    assert point.seconds_per_token == pytest.approx(8 / 1600)
    assert "from_throughput" in {assumption.name for assumption in point.assumptions}


def test_options_side_by_side_as_older_versions_write_them_are_read() -> None:
    point = _only(GENAI_PERF | {"input_config": {"model": ["Qwen/Qwen3-8B"], "concurrency": 16, "backend": "vllm"}})
    assert (point.model, point.batch) == ("Qwen/Qwen3-8B", 16)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (
            {"inter_token_latency": {"unit": "fortnights", "avg": 5}},
            "inter_token_latency.unit: “fortnights” is no unit",
        ),
        ({"inter_token_latency": {"unit": "ms", "avg": "5"}}, "inter_token_latency.avg: “5” is not a number"),
        (NO_SPEED, "inter_token_latency.avg: missing"),
        (
            {"input_config": {"loadgen": {"concurrency": 1e9}}},
            "loadgen.concurrency: 1e\\+09 is impossible",
        ),
        ({"input_config": {}, "request_throughput": {}}, "input_config.loadgen.concurrency: missing"),
    ],
)
def test_an_impossible_field_is_named_with_its_table(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(MeasurementError, match=said):
        _only(GENAI_PERF | fields)
