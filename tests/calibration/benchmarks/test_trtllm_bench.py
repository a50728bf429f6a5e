from __future__ import annotations

from typing import Any

import pytest
from benchmark_samples import TENSORRT_LLM, lines, without

from roofline_app.calibration.benchmarks import MeasuredPoint, MeasurementError, import_file


def _only(report: dict[str, Any]) -> MeasuredPoint:
    (point,) = import_file("report.json", lines(report)).points
    return point


def test_a_report_keeps_what_it_states() -> None:
    point = _only(TENSORRT_LLM)
    assert (point.file_format, point.engine) == ("tensorrt_llm", "TensorRT-LLM")
    assert (point.model, point.gpus, point.batch) == ("deepseek-ai/DeepSeek-R1", 8, 15.5)
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
