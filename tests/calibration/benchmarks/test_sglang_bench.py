from __future__ import annotations

import pytest
from benchmark_samples import SGLANG_BATCH, SGLANG_BATCH_SERVER, SGLANG_SERVING, lines, without

from roofline_app.calibration.benchmarks import MeasuredPoint, MeasurementError, import_file
from roofline_app.calibration.prediction import predicted
from roofline_app.query import decode


def _only(*runs: dict[str, object]) -> MeasuredPoint:
    imported = import_file("run.jsonl", lines(*runs))
    assert imported.notices == ()
    (point,) = imported.points
    return point


def _assumed(point: MeasuredPoint) -> set[str]:
    return {assumption.name for assumption in point.assumptions}


def test_a_served_run_keeps_what_its_file_states() -> None:
    point = _only(SGLANG_SERVING)
    assert (point.file_format, point.engine, point.model, point.gpus) == (
        "sglang_serving",
        "SGLang",
        "Qwen/Qwen3.5-27B",
        2,
    )
    assert (point.label, point.source_line, point.gpu) == ("trial", 1, "")
    assert (point.batch, point.input_tokens, point.output_tokens) == (4, 4096, 1024)
    assert point.seconds_per_token == pytest.approx(0.005)
    assert point.tokens_per_second == 819.2


def test_the_context_is_the_prompt_and_half_of_the_output() -> None:
    assert _only(SGLANG_SERVING).context_tokens == 4096 + 512


def test_a_round_takes_as_long_as_the_tokens_that_it_commits() -> None:
    point = _only(SGLANG_SERVING)
    assert point.tokens_per_round == 2.5
    assert point.seconds_per_round == pytest.approx(0.0125)


def test_the_verified_root_is_no_draft_token() -> None:
    assert _only(SGLANG_SERVING).draft_tokens == 3


def test_a_dflash_block_of_16_holds_15_drafts() -> None:
    server = {"speculative_algorithm": "DFLASH", "speculative_num_draft_tokens": 16, "speculative_num_steps": 1}
    assert _only(SGLANG_SERVING | {"server_info": server, "accept_length": 6.2}).draft_tokens == 15


def test_a_tree_is_read_with_its_depth_branches_and_verified_nodes() -> None:
    tree = {"speculative_eagle_topk": 4, "speculative_num_steps": 3, "speculative_num_draft_tokens": 8}
    point = _only(SGLANG_SERVING | {"server_info": SGLANG_SERVING["server_info"] | tree})
    # SGLang counts the root among its draft tokens.
    assert (point.draft_tokens, point.topk, point.verified) == (3, 4, 7)
    assert "tree_shape" in _assumed(point)
    assert point.tokens_per_round == SGLANG_SERVING["accept_length"]
    unknown = _only(
        SGLANG_SERVING | {"server_info": SGLANG_SERVING["server_info"] | tree | {"speculative_num_steps": 0}}
    )
    assert (unknown.draft_tokens, unknown.topk) == (None, 4)
    assert "tree" in _assumed(unknown)


def test_a_tree_is_predicted_as_one_and_never_handed_in_as_a_chain() -> None:
    tree = {"speculative_eagle_topk": 4, "speculative_num_steps": 3, "speculative_num_draft_tokens": 33}
    points = [_only(SGLANG_SERVING | {"server_info": SGLANG_SERVING["server_info"] | more}) for more in ({}, tree)]
    scenario = decode("model=qwen3.5-27b&gpu=h100-sxm&gpus=1&drafter=mtp").scenario
    chain, branched = (predicted(point, scenario) for point in points)
    assert chain is not None
    assert branched is not None
    assert "topk=4,verified=32" in branched.query
    assert branched.seconds_per_token > chain.seconds_per_token
    assert predicted(points[1], decode("drafter=block").scenario) is None


def test_the_server_counts_acceptance_since_its_start() -> None:
    assert "cumulative" in _assumed(_only(SGLANG_SERVING))


@pytest.mark.parametrize("missing", [None, float("nan"), 0, -1])
def test_no_acceptance_length_is_plain_decoding(missing: float | None) -> None:
    point = _only(without(SGLANG_SERVING, "server_info") | {"accept_length": missing})
    assert (point.tokens_per_round, point.draft_tokens) == (1, 0)
    assert point.seconds_per_round == point.seconds_per_token
    assert "plain" in _assumed(point)


def test_a_server_that_speculates_without_a_length_is_not_plain() -> None:
    point = _only(SGLANG_SERVING | {"accept_length": None})
    assert (point.tokens_per_round, point.seconds_per_round, point.draft_tokens) == (None, None, 3)


def test_without_a_limit_the_batch_is_the_mean_in_flight() -> None:
    point = _only(SGLANG_SERVING | {"max_concurrency": None})
    assert point.batch == 3.9
    assert "mean_in_flight" in _assumed(point)


def test_a_limit_that_was_never_reached_is_pointed_out() -> None:
    point = _only(SGLANG_SERVING | {"max_concurrency": 64})
    assert point.batch == 64
    assert "limit_not_reached" in _assumed(point)


def test_an_old_file_without_tag_server_and_percentiles_is_read() -> None:
    old = without(SGLANG_SERVING, "tag", "server_info", "accept_length", "median_tpot_ms", "mean_itl_ms")
    point = _only(old)
    assert (point.model, point.gpus, point.draft_tokens) == ("", None, 0)


def test_other_names_of_totals_are_read() -> None:
    renamed = without(SGLANG_SERVING, "total_input_tokens", "total_output_tokens", "random_input_len")
    point = _only(renamed | {"total_input": 800, "total_output": 80, "max_itl_ms": 30.0})
    assert (point.input_tokens, point.output_tokens) == (100, 10)


def test_the_median_stands_in_for_a_mean_that_is_missing() -> None:
    point = _only(SGLANG_SERVING | {"mean_tpot_ms": float("nan")})
    assert point.seconds_per_token == pytest.approx(0.0049)
    assert "median" in _assumed(point)


def test_with_speculation_a_chunk_is_not_taken_for_a_token() -> None:
    point = _only(SGLANG_SERVING | {"mean_tpot_ms": None, "median_tpot_ms": None})
    assert point.seconds_per_token == pytest.approx(4 / 819.2)
    assert "from_throughput" in _assumed(point)


def test_without_speculation_a_chunk_is_a_token() -> None:
    plain = without(SGLANG_SERVING, "server_info", "accept_length")
    point = _only(plain | {"mean_tpot_ms": None, "median_tpot_ms": None})
    assert point.seconds_per_token == pytest.approx(0.0124)


def test_sglangs_client_can_measure_another_engine() -> None:
    assert _only(without(SGLANG_SERVING, "server_info") | {"backend": "vllm-chat"}).engine == "vLLM"


def test_one_batch_is_timed_after_its_last_first_token() -> None:
    point = _only(SGLANG_BATCH_SERVER)
    assert point.file_format == "sglang_batch_server"
    assert (point.batch, point.tokens_per_round, point.draft_tokens) == (8, 3.1, None)
    assert point.seconds_per_token == pytest.approx(1.0 / 100)
    assert point.context_tokens == 1024 + 50.5


def test_early_stopped_sequences_shorten_a_batch() -> None:
    point = _only(SGLANG_BATCH_SERVER | {"total_output_tokens": 8 * 51})
    assert point.seconds_per_token == pytest.approx(1.0 / 50)


def test_a_batch_without_first_token_time_is_timed_by_throughput() -> None:
    point = _only(without(SGLANG_BATCH_SERVER, "last_ttft"))
    assert point.seconds_per_token == pytest.approx(8 / 808)


def test_minus_one_is_no_acceptance_length() -> None:
    point = _only(SGLANG_BATCH_SERVER | {"acc_length": -1, "last_gen_throughput": -1})
    assert (point.tokens_per_round, point.draft_tokens) == (1, 0)


def test_a_raw_batch_is_plain_decoding() -> None:
    point = _only(SGLANG_BATCH)
    assert (point.file_format, point.batch) == ("sglang_batch", 4)
    assert point.seconds_per_token == point.seconds_per_round == 0.0189
    assert (point.tokens_per_round, point.draft_tokens) == (1, 0)


def test_a_run_of_prefill_alone_is_left_out_by_name() -> None:
    prefill = without(SGLANG_BATCH, "median_decode_latency", "median_decode_throughput") | {"output_len": 1}
    imported = import_file("run.jsonl", lines(SGLANG_BATCH, prefill))
    assert len(imported.points) == 1
    assert [notice.text for notice in imported.notices] == [
        "line 2, median_decode_latency: missing; the row is left out"
    ]


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        pytest.param("mean_tpot_ms", "fast", "mean_tpot_ms: “fast” is not a number", id="text for a number"),
        pytest.param("mean_tpot_ms", [5.0], "mean_tpot_ms: “a list” is not a number", id="list for a number"),
        pytest.param("mean_tpot_ms", True, "mean_tpot_ms: “True” is not a number", id="truth for a number"),
        pytest.param("mean_tpot_ms", 1e300, "mean_tpot_ms: 1e+300 is impossible", id="gigantic"),
        pytest.param("mean_tpot_ms", 1e9, "mean_tpot_ms: 1e+06 seconds per token are impossible", id="days per token"),
        pytest.param("accept_length", 0.5, "accept_length: 0.5 is impossible", id="less than a token per round"),
        pytest.param("accept_length", 9, "accept_length: 9 is impossible, as a round commits 1 to 4", id="too long"),
        pytest.param("max_concurrency", 0.5, "max_concurrency: 0.5 is impossible", id="half a request"),
        pytest.param("max_concurrency", 1e8, "max_concurrency: 1e+08 is impossible", id="too many requests"),
        pytest.param("total_input_tokens", 1e12, "context_tokens: 1.25e+11 is impossible", id="endless context"),
    ],
)
def test_an_impossible_field_is_named_with_its_line(field: str, value: object, said: str) -> None:
    with pytest.raises(MeasurementError, match=r"^run\.jsonl: line 1, ") as refused:
        import_file("run.jsonl", lines(SGLANG_SERVING | {field: value}))
    assert said in str(refused.value)


def test_a_run_without_any_speed_is_refused_by_name() -> None:
    with pytest.raises(MeasurementError, match="line 1, mean_tpot_ms: missing"):
        import_file("run.jsonl", lines({"accept_length": None, "max_concurrency": 4}))
    with pytest.raises(MeasurementError, match="line 1, output_throughput: missing"):
        import_file("run.jsonl", lines({"batch_size": 4, "acc_length": 2.0}))


def test_wrong_server_settings_are_named_with_their_place() -> None:
    server = SGLANG_SERVING["server_info"] | {"speculative_num_draft_tokens": 2.5}
    with pytest.raises(MeasurementError, match=r"server_info\.speculative_num_draft_tokens: 2\.5 is not a whole"):
        import_file("run.jsonl", lines(SGLANG_SERVING | {"server_info": server}))
