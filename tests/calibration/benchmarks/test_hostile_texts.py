"""Texts that are made to cost as much as they can: the time to refuse them grows with their length, and no faster."""

from __future__ import annotations

import contextlib
import time

import pytest
from benchmark_samples import log_line
from pasted_samples import LLAMA_LOG, LLAMA_TABLE, VLLM_BLOCK, decode_line, engine_line, metrics

from roofline_app.calibration.benchmarks import LARGEST_BYTES, MeasurementError, import_file

SHARE = 8  # the small text is this part of the largest one
FASTER = 3  # a square of the length would be SHARE
NOISE_SECONDS = 0.05
PIECES = {
    "heads of blocks": "Serving Benchmark Result",
    "blocks of labels": "Serving Benchmark Result\n" + "Mean TPOT (ms): x\n" * 100,
    "blocks of short lines": "Serving Benchmark Result" + "\na:1" * 120,
    "whole blocks": VLLM_BLOCK,
    "arguments without end": "Serving Benchmark Result Namespace( model='",
    "decode marks": "Decode batch",
    "cut decode lines": "Decode batch, #running-req: ",
    "decode lines": decode_line(1, 5.0, accepted=2.0),
    "engine marks": "Avg generation throughput:",
    "engine lines": engine_line(2, 5.0),
    "engine lines and acceptance": engine_line(2, 5.0) + log_line(10, [8, 4]),
    "acceptance marks": "SpecDecoding metrics: ",
    "open labels": "vllm:spec_decode_num_drafts{",
    "labels without end": 'vllm:spec_decode_num_drafts{a="b" ',
    "many labels": "vllm:spec_decode_num_drafts{" + 'a="",' * 300 + "} 1\n",
    "counters": metrics(1, 3, 1, [1, 0, 0]),
    "timings": LLAMA_LOG,
    "cut timings": "prompt eval time",
    "heads of tables": "| model | t/s |\n",
    "tables": LLAMA_TABLE,
    "cut tables": " t/s |\n| model ",
    "escapes": "\x1b",
    "colours": "\x1b[0m",
    "titles without end": "\x1b]" + "a" * 512,
    "prompts": "$ a\n",
    "server arguments": "ServerArgs(" + "a" * 60 + "=",
    "blank rows of a table": "batch,seconds_per_token\n" + "\n" * LARGEST_BYTES,
    "comments in a table": "batch,seconds_per_token\n" + "#\n" * (LARGEST_BYTES // 2),
    "blank rows of a bench": "avg_ts,n_gen,n_prompt\n" + "\n" * LARGEST_BYTES,
    "strings": '["["' + ',"["' * (LARGEST_BYTES // 4 - 2) + "]",
    "quotes": '"',
    "one letter": "a",
    "empty lines": "\n",
}


@pytest.mark.wide
@pytest.mark.parametrize("kind", PIECES)
def test_reading_a_text_takes_time_in_proportion_to_its_length(kind: str) -> None:
    small, large = (_seconds(PIECES[kind].encode(), length) for length in (LARGEST_BYTES // SHARE, LARGEST_BYTES))
    assert large < FASTER * SHARE * (small + NOISE_SECONDS)


def _seconds(piece: bytes, length: int) -> float:
    """Return the processor time that a text of a length takes."""
    content = (piece * max(length // len(piece), 1))[:length]
    began = time.process_time()
    with contextlib.suppress(MeasurementError):
        import_file("hostile", content)
    return time.process_time() - began
