"""The load of a server's log: shares of the time by power of two, idle time left out."""

from __future__ import annotations

import pytest

from roofline_app.calibration.benchmarks.running_load import log_load

VLLM = (
    "Engine 000: Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: {speed} tokens/s, "
    "Running: {running} reqs, Waiting: 0 reqs"
)
SGLANG = (
    "Decode batch, #running-req: {running}, #token: 900, accept len: {accepted}, "
    "gen throughput (token/s): {speed}, #queue-req: 0"
)


def _vllm(*running: int) -> str:
    return "\n".join(VLLM.format(running=count, speed=90.0 * count) for count in running)


def test_vllms_intervals_take_as_long_each() -> None:
    load = log_load(_vllm(1, 1, 15, 17, 0, 64, 60, 70, 66, 16))
    assert [part.batch for part in load] == [1, 16, 64]
    assert [part.share for part in load] == pytest.approx([2 / 9, 3 / 9, 4 / 9])


def test_sglangs_lines_take_as_long_as_their_tokens_at_their_speed() -> None:
    lines = [
        SGLANG.format(running=1, accepted=2.0, speed=100.0),
        SGLANG.format(running=8, accepted=2.0, speed=400.0),
    ]
    load = log_load("\n".join(lines))
    # The same rounds: 2 tokens at 100 a second each, or 16 at 400.
    assert {part.batch: part.share for part in load} == pytest.approx({1: 1 / 3, 8: 2 / 3})


def test_a_text_without_running_requests_has_no_load() -> None:
    assert log_load("") == ()
    assert log_load(_vllm(0, 0)) == ()
