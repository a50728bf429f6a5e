"""A user's runs as rows of the data's files, and the text that hands them in."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from roofline_app.calibration.benchmarks import MeasuredPoint, import_file
from roofline_app.calibration.contribution import Contribution, as_csv, columns, contribution
from roofline_app.calibration.contribution_issue import issue_text
from roofline_app.calibration.fit.measured_rows import decode_row, round_row
from roofline_app.query import decode

HEADER = (
    "model,gpu,gpus,engine,weights,kv,batch,"
    "input_tokens,output_tokens,draft_tokens,tokens_per_round,seconds_per_token\n"
)
MEASURED = Path(__file__).parents[2] / "roofline_app" / "data" / "measured"
PLAIN = "Qwen/Qwen3-8B,NVIDIA H200,1,vLLM,bf16,bf16,8,1024,1024,0,1,0.006\n"
FAST = "Qwen/Qwen3-8B,NVIDIA H200,1,vLLM,bf16,bf16,8,1024,1024,3,2.5,0.003\n"
SETTING = "model=qwen3-8b&gpu=h200-sxm&gpus=1&engine=vllm&weights=fp8&kv=fp8&drafter=block"


def _points(*rows: str) -> tuple[MeasuredPoint, ...]:
    return import_file("runs.csv", (HEADER + "".join(rows)).encode()).points


def _made(*rows: str, query: str | None = None) -> Contribution:
    return contribution(_points(*rows), None if query is None else decode(query).scenario)


def test_a_plain_run_becomes_a_row_of_decode() -> None:
    (row,) = _made(PLAIN).rows
    assert row.file == "decode.csv"
    assert row.missing == ("source",)
    assert ",".join(row.cells.values()) == ",vllm,qwen3-8b,h200-sxm,1,1,bf16,bf16,bf16,8,1024,1024,0.006"


def test_a_run_with_speculation_stands_beside_the_plain_run_of_its_setting() -> None:
    _, row = _made(PLAIN, FAST).rows
    assert row.file == "rounds.csv"
    assert (row.cells["plain_tokens_per_second"], row.cells["tokens_per_second"]) == ("1333", "2667")
    assert (row.cells["draft_tokens"], row.cells["tokens_per_round"], row.cells["context_tokens"]) == (
        "3",
        "2.5",
        "1536",
    )
    assert row.missing == ("id", "source", "workload", "drafter")


def test_a_run_without_its_plain_run_misses_it() -> None:
    (row,) = _made(FAST).rows
    assert "plain_tokens_per_second" in row.missing


@pytest.mark.parametrize("file", ["decode.csv", "rounds.csv"])
def test_rows_have_the_files_very_columns(file: str) -> None:
    made = _made(PLAIN, FAST)
    written = as_csv(file, [row for row in made.rows if row.file == file])
    kept = (MEASURED / file).read_text(encoding="utf-8")
    assert written.splitlines()[0] == kept.splitlines()[0]
    assert list(next(csv.DictReader(io.StringIO(written)))) == list(columns(file))


def test_a_row_can_be_read_back_as_the_data_are() -> None:
    plain, fast = _made(PLAIN, FAST, query=SETTING).rows
    assert decode_row(1, plain.cells).step_seconds == 0.006
    back = round_row(fast.cells)
    assert (back.draft_tokens, back.drafter) == (3, "block")
    assert back.ratio == pytest.approx(2, rel=1e-3)


def test_what_a_file_does_not_say_is_missing_or_the_settings() -> None:
    silent = ",,,,,,8,1024,1024,0,1,0.006\n"
    (alone,) = _made(silent).rows
    assert set(alone.missing) == {"source", "engine", "model", "gpu", "gpus", "expert_ranks", "linear", "experts", "kv"}
    (beside,) = _made(silent, query=SETTING).rows
    assert beside.missing == ("source",)
    assert (beside.cells["linear"], beside.cells["kv"]) == ("fp8-block", "fp8")


def test_formats_of_a_setting_of_another_model_count_for_nothing() -> None:
    other = PLAIN.replace("Qwen3-8B", "Qwen3-4B").replace(",bf16,bf16", ",,")
    (row,) = _made(other, query=SETTING).rows
    assert row.cells["model"] == "qwen3-4b"
    assert {"linear", "experts", "kv"} <= set(row.missing)


def test_experts_on_several_accelerators_need_their_groups() -> None:
    (row,) = _made(PLAIN.replace("Qwen/Qwen3-8B,NVIDIA H200,1", "openai/gpt-oss-120b,NVIDIA H200,4")).rows
    assert "expert_ranks" in row.missing


def test_four_bit_experts_leave_the_other_layers_wide() -> None:
    named = PLAIN.replace("Qwen/Qwen3-8B", "MiniMaxAI/MiniMax-M2").replace(",bf16,bf16", ",nvfp4,fp8")
    (row,) = _made(named).rows
    assert (row.cells["experts"], row.cells["kv"]) == ("nvfp4", "fp8")
    assert row.cells["linear"] != "nvfp4"


def test_points_without_a_time_or_batch_are_counted() -> None:
    log = "SpecDecoding metrics: Mean acceptance length: 2.50, Accepted: 150 tokens, Drafted: 300 tokens\n"
    made = contribution(import_file("server.log", log.encode()).points)
    assert (made.rows, made.left_out) == ((), 1)
    assert "1 points state no batch or no time" in issue_text(made)


def test_a_row_that_contradicts_the_data_is_named_with_the_datas_row() -> None:
    # InferenceX, vLLM on one B200: 64 sequences take 18 ms per token, 128 take no less.
    row = "nvidia/Llama-3.1-70B-Instruct-NVFP4,NVIDIA B200,1,vLLM,nvfp4,fp8,128,1024,1024,0,1,{seconds}\n"
    made = _made(row.format(seconds=0.002))
    assert made.compared == 1
    assert made.contradictions
    assert all("decode-" in found.row + found.other for found in made.contradictions)
    assert "row 1: 2 ms per token at batch 128" in issue_text(made)


def test_rows_to_hand_in_are_compared_with_each_other() -> None:
    larger = PLAIN.replace(",8,", ",16,").replace("0.006", "0.003")
    made = _made(PLAIN, larger)
    assert [(found.row, found.other) for found in made.contradictions] == [("row 2", "row 1")]
    assert "though row 1 took 6 ms at batch 8" in issue_text(made)


def test_the_issue_holds_rows_what_is_missing_and_what_to_fill_in() -> None:
    text = issue_text(_made(PLAIN, FAST))
    assert text.startswith("# Measurement: qwen3-8b on h200-sxm\n")
    assert "- row 2 (rounds.csv, batch 8): id, source, workload, drafter" in text
    for word in ("Rig", "Power cap", "Link", "Versions", "Commands", "conditions", "none of them contradicts"):
        assert word in text
