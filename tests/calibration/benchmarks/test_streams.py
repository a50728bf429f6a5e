"""Inter-token latencies of a benchmark's file: one request of median speed, and nothing that is no time."""

from __future__ import annotations

import json
from typing import Any

import pytest
from benchmark_samples import SGLANG_SERVING, VLLM_SERVING, lines, without

from roofline_app.calibration.benchmarks import MeasuredPoint, MeasurementError, import_file
from roofline_app.calibration.benchmarks.streams import KEPT_PAUSES, MOST_PAUSES


def point_of(run: dict[str, Any]) -> MeasuredPoint:
    (point,) = import_file("run.json", lines(run)).points
    return point


def test_the_request_of_median_speed_is_kept() -> None:
    stream = point_of(VLLM_SERVING).stream
    assert stream
    # Seconds per token: 0.031/8, 0.9/255 and 2/255; requests without a pause do not count.
    assert (stream.request, stream.requests) == (1, 3)
    assert (stream.pauses, stream.tokens, stream.shared) == ((0.01, 0.012, 0.009), 8, False)


def test_sglangs_client_shares_a_chunks_time_out_among_its_tokens() -> None:
    stream = point_of(SGLANG_SERVING).stream
    assert stream
    assert stream.shared
    assert (stream.request, stream.requests) == (2, 2)
    assert stream.tokens == len(stream.pauses)


def test_of_other_protocols_equal_pauses_are_no_chunk() -> None:
    for run in (
        SGLANG_SERVING | {"backend": "sglang-oai-chat"},
        VLLM_SERVING | {"itls": [[0.01] * 8], "output_lens": [9]},
    ):
        stream = point_of(run).stream
        assert stream
        assert not stream.shared


def test_without_speculation_equal_pauses_are_no_chunk() -> None:
    run = without(SGLANG_SERVING, "accept_length") | {"server_info": {}}
    stream = point_of(run).stream
    assert stream
    assert not stream.shared


@pytest.mark.parametrize("run", [SGLANG_SERVING, VLLM_SERVING], ids=["sglang", "vllm"])
def test_a_file_without_details_has_no_stream(run: dict[str, Any]) -> None:
    plain = point_of(without(run, "itls"))
    assert plain.stream is None
    assert plain.seconds_per_token == point_of(run).seconds_per_token
    assert point_of(run | {"itls": None}).stream is None
    assert point_of(run | {"itls": [[], []]}).stream is None


def test_a_list_of_pauses_is_one_request() -> None:
    stream = point_of(without(VLLM_SERVING, "output_lens") | {"itls": [0.01, 0.02]}).stream
    assert stream
    assert (stream.pauses, stream.tokens, stream.requests) == ((0.01, 0.02), 2, 1)


def test_of_a_long_request_as_much_is_kept_as_a_race_takes() -> None:
    stream = point_of(VLLM_SERVING | {"itls": [[0.01] * 4000], "output_lens": [8001]}).stream
    assert stream
    assert len(stream.pauses) == KEPT_PAUSES
    assert stream.tokens == 2 * KEPT_PAUSES


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        pytest.param({"itls": [[0.01], [0.01, -1.0]]}, "itls.1.1: -1 is impossible", id="negative"),
        pytest.param({"itls": [[0.01, float("nan")]]}, "itls.0.1: nan is impossible", id="NaN"),
        pytest.param({"itls": [[float("inf")]]}, "itls.0.0: inf is impossible", id="infinite"),
        pytest.param({"itls": [[1e9]]}, "itls.0.0: 1e+09 is impossible", id="thirty years"),
        pytest.param({"itls": [[0.01, "<b>"]]}, "itls.0.1: “<b>” is not a number", id="text"),
        pytest.param({"itls": [[True]]}, "itls.0.0: “True” is not a number", id="truth"),
        pytest.param({"itls": [[0.1], {"a": 1}]}, "itls.1: “a table” is not a list of numbers", id="a table within"),
        pytest.param({"itls": "0.1"}, "itls: “0.1” is not a list of numbers", id="text instead of lists"),
        pytest.param(
            {"itls": [[0.1]], "output_lens": [1e9]}, "output_lens.0: 1e+09 is not a whole number", id="1e9 tokens"
        ),
        pytest.param(
            {"itls": [[0.1]], "output_lens": [-4]}, "output_lens.0: -4 is not a whole number", id="fewer than none"
        ),
        pytest.param(
            {"itls": [[0.1]], "output_lens": [2.5]}, "output_lens.0: 2.5 is not a whole number", id="half a token"
        ),
        pytest.param({"itls": [[0] * (MOST_PAUSES + 1)]}, f"itls: more than {MOST_PAUSES} numbers", id="too many"),
    ],
)
@pytest.mark.parametrize("run", [SGLANG_SERVING, VLLM_SERVING], ids=["sglang", "vllm"])
def test_what_is_no_stream_is_refused_by_name(run: dict[str, Any], fields: dict[str, Any], named: str) -> None:
    with pytest.raises(MeasurementError) as refused:
        import_file("run.json", lines(run | fields))
    assert named in str(refused.value)


def test_a_billion_entries_are_refused_before_they_are_read() -> None:
    start = json.dumps(VLLM_SERVING)[:-1].encode() + b', "itls": [['
    with pytest.raises(MeasurementError, match=r"content: .* bytes are more than"):
        import_file("run.json", start + b"0," * 9_000_000 + b"0]]}")
