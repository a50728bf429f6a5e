"""The block that serving benchmarks print holds what their files hold."""

from __future__ import annotations

from dataclasses import replace

import pytest
from benchmark_samples import SGLANG_SERVING, VLLM_SERVING, lines, without
from pasted_samples import SGLANG_BLOCK, TENSORRT_LLM_BLOCK, VLLM_BLOCK

from roofline_app.calibration.benchmarks import Imported, MeasuredPoint, MeasurementError, import_file


def _read(text: str) -> Imported:
    return import_file("pasted", text.encode())


def _only(text: str) -> MeasuredPoint:
    (point,) = _read(text).points
    return point


def test_vllms_block_holds_what_its_file_holds() -> None:
    saved = without(VLLM_SERVING, "model_id", "tokenizer_id", "itls", "endpoint_type", "backend")
    (of_file,) = import_file("result.json", lines(saved)).points
    assert _only(VLLM_BLOCK) == of_file


def test_sglangs_block_holds_what_its_file_holds_but_the_servers_settings() -> None:
    saved = without(SGLANG_SERVING, "server_info", "tag", "itls")
    (of_file,) = import_file("result.jsonl", lines(saved)).points
    assert replace(_only(SGLANG_BLOCK), source_line=1) == of_file


def test_tensorrt_llms_block_is_its_own_and_takes_model_and_limit_from_what_stands_above() -> None:
    point = _only(TENSORRT_LLM_BLOCK)
    assert (point.file_format, point.engine, point.model) == ("tensorrt_llm_serving", "TensorRT-LLM", "Qwen/Qwen3-8B")
    assert (point.batch, point.tokens_per_round, point.draft_tokens) == (8, 3.05, None)
    assert point.source_line == 6


@pytest.mark.parametrize(
    "command", ["--model Qwen/Qwen3-8B \\\n  --backend x", "--model=Qwen/Qwen3-8B", "--model 'Qwen/Qwen3-8B'"]
)
def test_the_command_above_a_block_tells_the_model(command: str) -> None:
    assert _only(f"$ vllm bench serve {command}\nTraffic request rate: inf\n{VLLM_BLOCK}").model == "Qwen/Qwen3-8B"


def test_blocks_after_one_another_are_points_with_their_own_lines() -> None:
    points = _read(VLLM_BLOCK + SGLANG_BLOCK + TENSORRT_LLM_BLOCK).points
    assert [point.engine for point in points] == ["vLLM", "SGLang", "TensorRT-LLM"]
    height = VLLM_BLOCK.count("\n")
    assert [point.source_line for point in points] == [1, height + 2, height + SGLANG_BLOCK.count("\n") + 6]


def test_a_block_takes_nothing_from_what_stands_above_the_block_before() -> None:
    plain = "\n".join(line for line in VLLM_BLOCK.splitlines() if "concurrency" not in line)
    first, second = _read(TENSORRT_LLM_BLOCK + plain).points
    assert first.batch == 8
    assert second.model == ""
    assert "mean_in_flight" in {assumption.name for assumption in second.assumptions}


PASTED = {
    "Windows line ends": VLLM_BLOCK.replace("\n", "\r\n"),
    "colours": VLLM_BLOCK.replace("Mean TPOT", "\x1b[1;32mMean TPOT\x1b[0m"),
    "a terminal's title": "\x1b]0;user@host: ~\x07\x1b[?2004h" + VLLM_BLOCK,
    "a prompt": "user@host:~/bench$ vllm bench serve\n" + VLLM_BLOCK + "user@host:~/bench$ ",
    "a plain prompt": "$ vllm bench serve\n" + VLLM_BLOCK,
    "prefixes of a log": "".join(f"2026-11-01T12:00:00.000Z node-1 | {line}\n" for line in VLLM_BLOCK.splitlines()),
    "a launcher's prefixes": "".join(f"[1,0]<stdout>: {line}\n" for line in VLLM_BLOCK.splitlines()),
    "a fence": "# Results\n```\n" + VLLM_BLOCK + "```\n",
    "progress": "  5%|#         | 4/80 [00:01<00:20]\r100%|##########| 80/80 [00:10<00:00]\r" + VLLM_BLOCK,
    "indentation": VLLM_BLOCK.replace("\n", "\n    "),
    "tabs": VLLM_BLOCK.replace("     ", "\t"),
    "UTF-16": VLLM_BLOCK,
}


@pytest.mark.parametrize("kind", PASTED)
def test_a_block_is_read_however_it_was_copied(kind: str) -> None:
    content = PASTED[kind].encode("utf-16" if kind == "UTF-16" else "utf-8")
    (point,) = import_file("pasted", content).points
    # A log's prefix can look like a client's progress: only the line moves.
    assert replace(point, source_line=1) == _only(VLLM_BLOCK)


def test_a_block_without_speculation_is_plain() -> None:
    point = _only(VLLM_BLOCK.partition("---------------Speculative")[0] + "=" * 50)
    assert (point.tokens_per_round, point.draft_tokens) == (1, 0)


def test_a_limit_that_is_not_set_leaves_the_batch_to_the_mean_in_flight() -> None:
    block = SGLANG_BLOCK.replace("Max request concurrency:                 4 ", "Max request concurrency:    not set ")
    assert _only(block).batch == pytest.approx(3.9)


@pytest.mark.parametrize(
    ("printed", "instead", "said"),
    [
        ("3.70", "fast", "line 1, mean_tpot_ms: “fast” is not a number"),
        ("3.70", "1e30", "mean_tpot_ms: 1e\\+30 is impossible"),
        ("2.50 ", "9.00 ", "spec_decode_acceptance_length: 9 is impossible, as a round commits 1 to 4 tokens"),
        ("80.00 ", "10.00 ", "spec_decode_per_position_acceptance_rates: rises"),
    ],
)
def test_an_impossible_figure_is_named_with_its_line(printed: str, instead: str, said: str) -> None:
    with pytest.raises(MeasurementError, match=said):
        _read(VLLM_BLOCK.replace(printed, instead, 1 if printed == "3.70" else -1))


def test_a_head_without_figures_holds_no_row() -> None:
    with pytest.raises(MeasurementError, match="no row that can be used"):
        _read("============ Serving Benchmark Result ============\n")
