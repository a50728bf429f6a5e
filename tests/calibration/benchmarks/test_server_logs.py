"""What servers log while they decode: SGLang's, vLLM's, and vLLM's counters."""

from __future__ import annotations

import re

import pytest
from benchmark_samples import LOG_LINE, log_line
from pasted_samples import SGLANG_ARGUMENTS, VLLM_START, decode_line, engine_line, metrics

from roofline_app.calibration.benchmarks import Imported, MeasuredPoint, MeasurementError, import_file


def _read(text: str) -> Imported:
    return import_file("server.log", text.encode())


def _only(text: str) -> MeasuredPoint:
    (point,) = _read(text).points
    return point


def _assumed(point: MeasuredPoint) -> set[str]:
    return {assumption.name for assumption in point.assumptions}


def test_a_decode_line_tells_batch_context_speed_and_acceptance() -> None:
    point = _only(decode_line(8, 500, accepted=1.95, tokens=16_000))
    assert (point.file_format, point.engine, point.batch, point.context_tokens) == ("sglang_log", "SGLang", 8, 2000)
    assert (point.tokens_per_round, point.draft_tokens) == (1.95, None)
    assert point.seconds_per_token == pytest.approx(8 / 500)
    assert point.seconds_per_round == pytest.approx(8 / 500 * 1.95)
    assert "no_draft_length" in _assumed(point)


def test_the_servers_arguments_tell_what_the_lines_do_not() -> None:
    point = _only(SGLANG_ARGUMENTS + decode_line(8, 500, accepted=2.5))
    assert (point.model, point.gpus, point.draft_tokens, point.kv) == ("Qwen/Qwen3.5-27B", 2, 3, "fp8_e4m3")
    assert point.source_line == 2


def test_a_tree_is_read_with_its_depth_branches_and_verified_nodes() -> None:
    arguments = SGLANG_ARGUMENTS.replace("topk=1", "topk=4")
    point = _only(arguments + decode_line(8, 500, accepted=2.5))
    # SGLang counts the root among its draft tokens.
    assert (point.draft_tokens, point.topk, point.verified) == (3, 4, 3)
    assert any("tree of 4 branches" in assumption.text for assumption in point.assumptions)
    unknown = _only(re.sub("speculative_num_steps=[0-9]+, ", "", arguments) + decode_line(8, 500, accepted=2.5))
    assert (unknown.draft_tokens, unknown.topk) == (None, 4)


def test_lines_without_acceptance_are_plain() -> None:
    point = _only(decode_line(4, 400))
    assert (point.tokens_per_round, point.draft_tokens) == (1, 0)


def test_only_intervals_between_as_many_requests_count() -> None:
    # The first of each number of requests ran with others for a while.
    log = decode_line(8, 100) + decode_line(8, 800) + decode_line(4, 650) + decode_line(4, 500) + decode_line(4, 520)
    points = _read(log).points
    assert [(point.batch, point.tokens_per_second) for point in points] == [(8, 800), (4, 510)]


def test_an_interval_after_a_rest_is_not_steady() -> None:
    rest, busy = decode_line(0, 0), decode_line(8, 800)
    assert _only(rest + decode_line(8, 100) + busy + rest + decode_line(8, 90) + busy).tokens_per_second == 800
    asleep, awake = engine_line(0, 0), engine_line(8, 1600)
    assert _only(asleep + engine_line(8, 200) + awake + asleep + engine_line(8, 90) + awake).tokens_per_second == 1600


def test_where_nothing_ran_steadily_that_is_said() -> None:
    for log in (decode_line(8, 500) + decode_line(4, 300), engine_line(8, 500) + engine_line(4, 300)):
        points = _read(log).points
        assert [point.batch for point in points] == [8, 4]
        assert all("unsteady" in _assumed(point) for point in points)
    assert "unsteady" not in _assumed(_only(decode_line(8, 500) * 2))


def test_requests_that_have_all_ended_are_no_batch() -> None:
    assert [point.batch for point in _read(engine_line(8, 500) + engine_line(0, 80)).points] == [8]


def test_a_stall_does_not_move_the_speed() -> None:
    log = "".join(decode_line(8, speed) for speed in (800, 801, 30, 799, 802))
    assert _only(log).tokens_per_second == pytest.approx(800, abs=2)


def test_data_parallel_ranks_run_their_requests_together() -> None:
    ranks = "".join(decode_line(8, 400, rank=f"DP{rank} TP{rank}") for rank in range(4))
    point = _only(ranks * 3)
    assert (point.batch, point.tokens_per_second) == (32, 1600)
    assert point.seconds_per_token == pytest.approx(8 / 400)
    assert "ranks" in _assumed(point)


@pytest.mark.parametrize("dot", [", ", ". "])
def test_old_and_new_forms_of_the_line_are_read(dot: str) -> None:
    line = decode_line(8, 500, accepted=2.0).replace("Decode batch, ", f"Decode batch{dot}")
    assert _only(line.replace("#token:", "#full token:").replace("accept rate: 0.50, ", "")).tokens_per_round == 2


def test_a_line_that_a_terminal_has_wrapped_is_read() -> None:
    line = decode_line(32, 3445.55, accepted=3.82, tokens=90_304)
    assert _only(line.replace(", accept", ",\naccept").replace(", gen", ",\ngen")) == _only(line)


def test_a_line_of_a_server_at_rest_adds_nothing() -> None:
    assert len(_read(decode_line(8, 500) + decode_line(0, 0) + decode_line(8, 0)).points) == 1


@pytest.mark.parametrize(
    ("part", "named"),
    [("#running-req: 8", "#running-req"), ("gen throughput (token/s): 500.00", "gen throughput (token/s)")],
)
def test_a_line_cut_short_is_left_out_by_name(part: str, named: str) -> None:
    imported = _read(decode_line(8, 500) + decode_line(8, 500).replace(part, ""))
    assert [notice.text for notice in imported.notices] == [f"line 2, {named}: missing; the row is left out"]


def test_an_engine_line_gives_acceptance_its_batch_and_time() -> None:
    point = _only(engine_line(8, 1600) + log_line(100, [80, 45, 25]))
    assert (point.file_format, point.batch, point.draft_tokens) == ("vllm_log", 8, 3)
    assert point.survival == (0.8, 0.45, 0.25)
    assert point.seconds_per_token == pytest.approx(8 / 1600)
    assert point.seconds_per_round == pytest.approx(8 / 1600 * 2.5)


def test_the_engines_first_line_tells_model_gpus_and_formats() -> None:
    point = _only(VLLM_START + engine_line(8, 1600) + log_line(100, [80, 45, 25]))
    assert (point.model, point.gpus, point.weights, point.kv) == ("Qwen/Qwen3-8B", 2, "", "fp8_e4m3")


def test_pipeline_stages_are_named_as_not_modelled() -> None:
    run = engine_line(8, 1600) + log_line(100, [80, 45, 25])
    staged = _only(VLLM_START.replace("pipeline_parallel_size=1", "pipeline_parallel_size=2") + run)
    assert staged.gpus == 4
    assert "pipeline" in _assumed(staged)
    assert "pipeline" not in _assumed(_only(VLLM_START + run))


def test_engine_lines_alone_are_plain_decoding() -> None:
    point = _only(engine_line(8, 800))
    assert (point.tokens_per_round, point.draft_tokens, point.batch) == (1, 0, 8)


def test_where_any_interval_drafted_those_without_drafts_are_not_plain() -> None:
    log = engine_line(8, 1600) + log_line(100, [80, 45, 25]) + engine_line(8, 700)
    assert [point.draft_tokens for point in _read(log).points] == [3]


def test_intervals_of_other_numbers_of_requests_are_other_points() -> None:
    pair = log_line(100, [80, 45, 25])
    log = (engine_line(8, 1600) + pair) * 2 + (engine_line(4, 900) + pair) * 2
    assert [(point.batch, point.tokens_per_second) for point in _read(log).points] == [(8, 1600), (4, 900)]


def test_engines_of_a_data_parallel_server_run_their_requests_together() -> None:
    log = "".join(engine_line(8, 400, engine) for engine in range(4)) * 3
    assert [(point.batch, point.tokens_per_second) for point in _read(log).points] == [(32, 1600)]


def test_an_idle_engine_leaves_the_acceptance_alone() -> None:
    point = _only(engine_line(0, 0) + log_line(100, [80, 45, 25]))
    assert (point.batch, point.seconds_per_token, point.tokens_per_round) == (None, None, 2.5)


def test_an_engine_line_without_its_requests_is_left_out_by_name() -> None:
    imported = _read(engine_line(8, 800) + engine_line(8, 800).replace("Running: 8 reqs, ", ""))
    assert [notice.text for notice in imported.notices] == ["line 2, Running: missing; the row is left out"]


def test_counters_tell_acceptance_since_the_servers_start_and_say_so() -> None:
    imported = _read(metrics(100, 300, 150, [80, 45, 25]))
    (point,) = imported.points
    assert (point.file_format, point.model) == ("vllm_metrics", "Qwen/Qwen3-8B")
    assert (point.tokens_per_round, point.draft_tokens, point.survival) == (2.5, 3, (0.8, 0.45, 0.25))
    assert (point.batch, point.seconds_per_token) == (None, None)
    assert "cumulative" in _assumed(point)
    assert "since its start" in imported.notices[0].text


def test_two_texts_of_counters_tell_what_lies_between_them() -> None:
    before, after = metrics(100, 300, 150, [80, 45, 25]), metrics(300, 900, 350, [180, 105, 65])
    imported = _read(before + after)
    (point,) = imported.points
    assert (point.tokens_per_round, point.survival) == (2.0, (0.5, 0.3, 0.2))
    assert imported.notices == ()


def test_a_server_that_restarted_between_two_texts_counts_from_its_new_start() -> None:
    point = _only(metrics(300, 900, 350, [180, 105, 65]) + metrics(100, 300, 150, [80, 45, 25]))
    assert point.tokens_per_round == 2.5


def test_counters_of_several_engines_add_up() -> None:
    point = _only(metrics(100, 300, 150, [80, 45, 25]) + metrics(300, 900, 350, [180, 105, 65], engine=1))
    assert point.tokens_per_round == pytest.approx(1 + 500 / 400)


def test_counters_without_positions_tell_the_draft_length_by_their_sums() -> None:
    point = _only(metrics(100, 300, 150, []))
    assert (point.draft_tokens, point.survival, point.tokens_per_round) == (3, (), 2.5)


def test_counters_of_a_server_that_never_drafted_are_refused_by_name() -> None:
    with pytest.raises(MeasurementError, match="vllm:spec_decode_num_drafts: missing"):
        _read(metrics(0, 0, 0, [0, 0]))


def test_more_accepted_than_drafted_is_refused() -> None:
    with pytest.raises(MeasurementError, match="impossible, as a round commits 1 to 3 tokens"):
        _read(metrics(100, 200, 900, [90, 80]))


def test_several_kinds_of_lines_in_one_text_are_all_read() -> None:
    text = LOG_LINE.format(length=2.0, accepted=100, drafted=200, rates="0.700, 0.300") + decode_line(4, 400)
    assert {point.engine for point in _read(text).points} == {"vLLM", "SGLang"}
