from __future__ import annotations

import json

import pytest
from benchmark_samples import LOG_LINE, VLLM_SERVING, lines, log_line, without

from roofline_app.calibration.benchmarks import MeasuredPoint, MeasurementError, import_file


def _only(run: dict[str, object]) -> MeasuredPoint:
    (point,) = import_file("result.json", lines(run)).points
    return point


def _log(text: str) -> MeasuredPoint:
    (point,) = import_file("server.log", text.encode()).points
    return point


def _assumed(point: MeasuredPoint) -> set[str]:
    return {assumption.name for assumption in point.assumptions}


def test_a_served_run_keeps_what_its_file_states() -> None:
    point = _only(VLLM_SERVING)
    assert (point.file_format, point.engine, point.model) == ("vllm_serving", "vLLM", "Qwen/Qwen3-8B")
    assert (point.batch, point.input_tokens, point.output_tokens, point.context_tokens) == (8, 1024, 256, 1152)
    assert point.seconds_per_token == pytest.approx(0.0037)
    assert point.seconds_per_round == pytest.approx(0.0037 * 2.5)
    assert (point.tokens_per_round, point.draft_tokens, point.survival) == (2.5, 3, (0.8, 0.45, 0.25))


def test_a_result_written_over_many_lines_is_read() -> None:
    (point,) = import_file("result.json", json.dumps(VLLM_SERVING, indent=2).encode()).points
    assert point == _only(VLLM_SERVING)


def test_results_appended_to_one_file_are_all_read() -> None:
    text = "\n".join(json.dumps(VLLM_SERVING, indent=1) for _ in range(3))
    points = import_file("result.json", text.encode()).points
    height = json.dumps(VLLM_SERVING, indent=1).count("\n") + 1
    assert [point.source_line for point in points] == [1, 1 + height, 1 + 2 * height]


def test_a_list_of_results_is_read() -> None:
    assert len(import_file("all.json", json.dumps([VLLM_SERVING] * 2).encode()).points) == 2


def test_rates_that_the_file_lacks_leave_the_draft_length_to_the_counts() -> None:
    point = _only(without(VLLM_SERVING, "spec_decode_per_position_acceptance_rates"))
    assert (point.draft_tokens, point.survival) == (3, ())


def test_accepted_over_proposed_becomes_tokens_per_round() -> None:
    point = _only(without(VLLM_SERVING, "spec_decode_acceptance_length", "spec_decode_per_position_acceptance_rates"))
    assert point.tokens_per_round == pytest.approx(1 + 0.5 * 3)


def test_a_result_without_speculation_counts_as_plain() -> None:
    plain = {name: value for name, value in VLLM_SERVING.items() if not name.startswith("spec_decode")}
    point = _only(plain)
    assert (point.tokens_per_round, point.draft_tokens) == (1, 0)
    assert "plain" in _assumed(point)


def test_without_a_limit_the_batch_follows_from_littles_law() -> None:
    point = _only(VLLM_SERVING | {"max_concurrency": None})
    assert point.batch == pytest.approx(80 * (0.040 + 0.0037 * 255) / 10)
    assert "mean_in_flight" in _assumed(point)


def test_a_protocol_for_a_backend_is_an_assumption() -> None:
    point = _only(VLLM_SERVING | {"backend": "openai-chat", "endpoint_type": "openai-chat"})
    assert point.engine == "vLLM"
    assert "engine" in _assumed(point)


def test_rates_that_rise_are_refused_by_name() -> None:
    with pytest.raises(MeasurementError, match="spec_decode_per_position_acceptance_rates: rises"):
        _only(VLLM_SERVING | {"spec_decode_per_position_acceptance_rates": [0.5, 0.7, 0.3]})


def test_rates_that_are_no_list_are_refused_by_name() -> None:
    with pytest.raises(MeasurementError, match=r"per_position_acceptance_rates: “0\.5” is not a list"):
        _only(VLLM_SERVING | {"spec_decode_per_position_acceptance_rates": 0.5})


def test_rates_that_hold_a_nan_are_refused_by_name() -> None:
    with pytest.raises(MeasurementError, match="spec_decode_per_position_acceptance_rates: “NaN” is not a list"):
        _only(VLLM_SERVING | {"spec_decode_per_position_acceptance_rates": [0.5, float("nan")]})


def test_a_log_line_tells_survival_by_position() -> None:
    point = _log(log_line(100, [80, 45, 25]))
    assert point.file_format == "vllm_log"
    assert point.survival == (0.8, 0.45, 0.25)
    assert point.tokens_per_round == pytest.approx(2.5)
    assert (point.draft_tokens, point.batch, point.seconds_per_token) == (3, None, None)


def test_intervals_are_weighted_by_their_rounds() -> None:
    point = _log("start\n" + log_line(300, [240, 120]) + "other\n" + log_line(100, [40, 20]))
    assert point.survival == pytest.approx((0.7, 0.35))
    assert point.tokens_per_round == pytest.approx(2.05)
    assert point.source_line == 2
    assert "Intervals of the log: 2, down to line 4," in point.assumptions[0].text


def test_two_draft_lengths_in_a_log_are_two_points() -> None:
    points = import_file("server.log", (log_line(10, [8]) + log_line(10, [8, 4])).encode()).points
    assert [point.draft_tokens for point in points] == [1, 2]


def test_an_interval_without_drafts_adds_nothing() -> None:
    idle = LOG_LINE.format(length=1, accepted=0, drafted=0, rates="nan, nan")
    assert _log(idle + log_line(10, [8, 4])).source_line == 2


def test_an_interval_without_acceptance_counts() -> None:
    point = _log(log_line(100, [0, 0]) + log_line(100, [80, 40]))
    assert point.survival == pytest.approx((0.4, 0.2))


def test_rounds_cut_short_are_pointed_out() -> None:
    point = _log(LOG_LINE.format(length=2.0, accepted=100, drafted=150, rates="0.700, 0.300"))
    assert "uneven_drafts" in _assumed(point)


def test_a_line_without_rates_still_tells_the_length() -> None:
    point = _log("SpecDecoding metrics: Mean acceptance length: 2.50, Accepted: 150 tokens, Drafted: 300 tokens\n")
    assert (point.tokens_per_round, point.draft_tokens, point.survival) == (2.5, 3, ())


def test_an_old_line_without_the_length_is_left_out_by_name() -> None:
    old = "SpecDecoding metrics: Draft acceptance rate: 50.0%, Accepted: 150 tokens, Drafted: 300 tokens\n"
    with pytest.raises(MeasurementError, match="line 1, Mean acceptance length: missing"):
        import_file("server.log", old.encode())


def test_more_accepted_than_drafted_contradicts() -> None:
    with pytest.raises(MeasurementError, match="Accepted: 400 contradicts Drafted"):
        _log(LOG_LINE.format(length=2.0, accepted=400, drafted=150, rates="0.700, 0.300"))


def test_the_model_is_read_from_the_engines_first_line() -> None:
    start = "INFO [core.py:77] Initializing a V1 LLM engine (v0.11.0) with config: model='Qwen/Qwen3-8B', tokenizer=\n"
    assert _log(start + log_line(10, [8])).model == "Qwen/Qwen3-8B"


def test_a_log_that_starts_with_a_bracket_is_a_log() -> None:
    assert _log("[2026-08-04 20:51:08] " + log_line(10, [8])).draft_tokens == 1


def test_a_line_without_rates_and_acceptance_is_left_out_by_name() -> None:
    with pytest.raises(MeasurementError, match="line 1, Per-position acceptance rate: missing"):
        _log("SpecDecoding metrics: Mean acceptance length: 1.00, Accepted: 0 tokens, Drafted: 300 tokens\n")


def test_a_log_in_utf_16_is_read() -> None:
    (point,) = import_file("server.log", log_line(10, [8]).encode("utf-16")).points
    assert point.survival == (0.8,)
