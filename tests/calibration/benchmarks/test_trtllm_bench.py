from __future__ import annotations

from typing import Any

import pytest
from benchmark_samples import TENSORRT_LLM, TENSORRT_LLM_SERVING, lines, without

from roofline_app.calibration.benchmarks import MeasuredPoint, MeasurementError, import_file


def _only(report: dict[str, Any]) -> MeasuredPoint:
    (point,) = import_file("report.json", lines(report)).points
    return point


def test_a_report_keeps_what_it_states() -> None:
    point = _only(TENSORRT_LLM)
    assert (point.file_format, point.engine) == ("tensorrt_llm", "TensorRT-LLM")
    assert (point.model, point.gpus, point.batch) == ("deepseek-ai/DeepSeek-R1", 8, 15.5)
    assert (point.gpu, point.weights, point.kv) == ("NVIDIA B200", "FP8_BLOCK_SCALES", "FP8")
    assert point.context_tokens == 2024
    assert point.seconds_per_token == pytest.approx(0.0045)
    assert point.tokens_per_second == 3333.3


def test_output_less_accepted_tokens_are_rounds() -> None:
    point = _only(TENSORRT_LLM)
    assert (point.draft_tokens, point.tokens_per_round) == (3, 2.5)


def test_the_length_follows_from_accepted_tokens_where_it_is_not_stated() -> None:
    stats = without(TENSORRT_LLM["decoding_stats"], "acceptance_length_percentiles")
    assert _only(TENSORRT_LLM | {"decoding_stats": stats}).tokens_per_round == pytest.approx(2000 / 800)


def test_speculation_without_statistics_is_not_plain() -> None:
    stats = {"mode": "EAGLE", "acceptance_length_percentiles": None, "num_draft_tokens_percentiles": None}
    point = _only(TENSORRT_LLM | {"decoding_stats": stats})
    assert (point.tokens_per_round, point.seconds_per_round) == (None, None)


def test_a_report_without_decoding_statistics_counts_as_plain() -> None:
    point = _only(without(TENSORRT_LLM, "decoding_stats"))
    assert (point.tokens_per_round, point.draft_tokens) == (1, 0)


def test_without_streaming_the_time_includes_the_prompt_and_says_so() -> None:
    point = _only(without(TENSORRT_LLM, "streaming_metrics"))
    assert point.seconds_per_token == pytest.approx(1 / 215)
    assert "from_throughput" in {assumption.name for assumption in point.assumptions}


def test_without_a_users_throughput_the_systems_is_shared() -> None:
    performance = {"system_output_throughput_tok_s": 3100.0}
    point = _only(without(TENSORRT_LLM, "streaming_metrics") | {"performance": performance})
    assert point.seconds_per_token == pytest.approx(15.5 / 3100)


@pytest.mark.parametrize(
    ("table", "values", "said"),
    [
        ("request_info", {}, "request_info.avg_num_concurrent_requests: missing"),
        ("request_info", {"avg_num_concurrent_requests": "8"}, "request_info.avg_num_concurrent_requests: “8” is not"),
        ("request_info", {"avg_num_concurrent_requests": 1e9}, "avg_num_concurrent_requests: 1e\\+09 is impossible"),
        ("world_info", {"world_size": 0}, "world_info.world_size: 0 is not a whole number up to 72"),
    ],
)
def test_an_impossible_field_is_named_with_its_table(table: str, values: dict[str, object], said: str) -> None:
    with pytest.raises(MeasurementError, match=said):
        _only(TENSORRT_LLM | {table: values})


def test_a_report_without_any_speed_is_refused_by_name() -> None:
    with pytest.raises(MeasurementError, match=r"streaming_metrics\.avg_tpot_ms: missing"):
        _only(without(TENSORRT_LLM, "streaming_metrics") | {"performance": {"total_latency_ms": 1.0}})


def test_a_serving_run_is_tensorrt_llms_whatever_the_protocol() -> None:
    point = _only(TENSORRT_LLM_SERVING)
    assert (point.file_format, point.engine) == ("tensorrt_llm_serving", "TensorRT-LLM")
    assert (point.model, point.batch, point.context_tokens) == ("Qwen/Qwen3.5-27B", 8, 1152)
    assert (point.tokens_per_round, point.draft_tokens) == (3.05, None)
    assert point.seconds_per_token == pytest.approx(0.0037)
    assert point.seconds_per_round == pytest.approx(0.0037 * 3.05)
    assert "no_draft_length" in {assumption.name for assumption in point.assumptions}


@pytest.mark.parametrize(
    "lacking",
    ["user_throughput", "avg_decoded_tokens_per_iter", "mean_avg_decoded_tokens_per_iter"],
)
def test_a_serving_run_of_a_version_without_one_of_its_fields_is_still_recognised(lacking: str) -> None:
    point = _only(without(TENSORRT_LLM_SERVING, lacking))
    assert (point.engine, point.tokens_per_round) == ("TensorRT-LLM", 3.05)


@pytest.mark.parametrize("mean", [1.0, 0.98, 0.0, None, float("nan")])
def test_a_serving_run_of_one_token_per_iteration_is_plain(mean: float | None) -> None:
    fields = {"avg_decoded_tokens_per_iter": {"mean": mean}, "mean_avg_decoded_tokens_per_iter": mean}
    point = _only(TENSORRT_LLM_SERVING | fields)
    assert (point.engine, point.tokens_per_round, point.draft_tokens) == ("TensorRT-LLM", 1, 0)


def test_an_impossible_number_of_decoded_tokens_is_refused_by_name() -> None:
    with pytest.raises(MeasurementError, match=r"line 1, avg_decoded_tokens_per_iter\.mean: 1e\+09 is impossible"):
        _only(TENSORRT_LLM_SERVING | {"avg_decoded_tokens_per_iter": {"mean": 1e9}})
