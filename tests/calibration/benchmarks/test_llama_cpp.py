"""llama.cpp: `llama-bench` in four forms, and what `llama-server` says of a request."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from typing import Any

import pytest
from benchmark_samples import LLAMA_BENCH, LLAMA_SERVER, lines, without
from pasted_samples import LLAMA_LOG, LLAMA_TABLE

from roofline_app.calibration.benchmarks import Imported, MeasuredPoint, MeasurementError, import_file


def _read(content: bytes | str) -> Imported:
    return import_file("bench", content if isinstance(content, bytes) else content.encode())


def _only(run: dict[str, Any]) -> MeasuredPoint:
    (point,) = _read(lines(run)).points
    return point


def _as_csv(*runs: dict[str, Any]) -> str:
    """Return runs as the CSV form writes them: every cell quoted, no samples."""
    names = [name for name in runs[0] if not name.startswith("samples")]
    written = io.StringIO()
    written.write(",".join(names) + "\n")
    writer = csv.writer(written, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerows([run[name] for name in names] for run in runs)
    return written.getvalue()


PROMPT = LLAMA_BENCH | {"n_prompt": 512, "n_gen": 0, "avg_ts": 12000.0}


def test_a_generation_row_is_one_sequence_that_decodes_alone() -> None:
    point = _only(LLAMA_BENCH)
    assert (point.file_format, point.engine, point.model) == ("llama_bench", "llama.cpp", "Qwen3-8B-Q4_K_M")
    assert (point.gpu, point.gpus, point.weights, point.kv) == ("NVIDIA GeForce RTX 5090", 1, "Q4_K_M", "f16")
    assert (point.batch, point.context_tokens, point.draft_tokens) == (1, 4096 + 64, 0)
    assert point.seconds_per_token == pytest.approx(1 / 200)


def test_four_forms_of_one_run_say_the_same() -> None:
    of_json = _only(LLAMA_BENCH)
    (of_list,) = _read(json.dumps([LLAMA_BENCH], indent=2)).points
    (of_csv,) = _read(_as_csv(LLAMA_BENCH)).points
    assert of_list == of_json
    assert replace(of_csv, source_line=1) == of_json
    _, deep = _read(LLAMA_TABLE).points
    assert (deep.gpu, deep.batch, deep.context_tokens) == (of_json.gpu, of_json.batch, of_json.context_tokens)


def test_rows_with_a_prompt_are_left_out_and_named() -> None:
    imported = _read(lines(PROMPT, LLAMA_BENCH))
    assert len(imported.points) == 1
    assert imported.notices[0].text == "line 1, n_gen: a prompt was timed, no decoding; the row is left out"
    both = _read(lines(LLAMA_BENCH, LLAMA_BENCH | {"n_prompt": 512}))
    assert "line 2, n_prompt: a prompt was timed" in both.notices[0].text


def test_several_accelerators_count_unless_only_one_is_used() -> None:
    many = ", ".join(["NVIDIA H100 80GB HBM3"] * 8)
    point = _only(LLAMA_BENCH | {"gpu_info": many})
    assert (point.gpu, point.gpus) == ("NVIDIA H100 80GB HBM3", 8)
    assert "layer_split" in {assumption.name for assumption in point.assumptions}
    assert _only(LLAMA_BENCH | {"gpu_info": many, "split_mode": "none"}).gpus == 1


def test_layers_left_on_the_processor_are_said() -> None:
    told = {assumption.text for assumption in _only(LLAMA_BENCH | {"n_gpu_layers": 10}).assumptions}
    assert "Only 10 of the model's layers ran on the accelerator." in told


def test_a_table_keeps_its_lines_and_the_devices_above_it() -> None:
    shallow, deep = _read("$ llama-bench -d 0,4096\n" + LLAMA_TABLE).points
    assert (shallow.source_line, deep.source_line) == (7, 8)
    assert shallow.gpu == "NVIDIA GeForce RTX 5090"
    assert shallow.model == "qwen3 8B Q4_K - Medium"
    assert shallow.context_tokens == 64
    assert shallow.seconds_per_token == pytest.approx(1 / 200)


@pytest.mark.parametrize(
    ("printed", "instead", "said"),
    [
        ("tg128 @ d4096", "tg128 @ dawn", "line 7, test: “tg128 @ dawn” is none of pp, tg"),
        ("160.00 ± 0.60", "fast", "line 7, t/s: “fast” is not a number"),
        ("|        160.00", "|    1   |        160.00", "line 7, cells: more than the 7 columns"),
    ],
)
def test_a_broken_row_of_a_table_is_left_out_by_name(printed: str, instead: str, said: str) -> None:
    imported = _read(LLAMA_TABLE.replace(printed, instead))
    assert len(imported.points) == 1
    assert said in imported.notices[-1].text


def test_a_servers_answer_tells_speed_and_acceptance() -> None:
    point = _only(LLAMA_SERVER)
    assert (point.file_format, point.engine, point.model) == ("llama_server", "llama.cpp", "Qwen3-8B-Q4_K_M")
    assert (point.batch, point.input_tokens, point.context_tokens) == (1, 1000, 1125)
    # 250 tokens, 150 of them drafted and accepted: 100 rounds.
    assert (point.tokens_per_round, point.draft_tokens) == (2.5, 3)
    assert point.seconds_per_round == pytest.approx(0.020)


def test_timings_alone_are_enough() -> None:
    assert _only(LLAMA_SERVER["timings"]).tokens_per_round == 2.5


def test_a_request_without_drafts_is_plain() -> None:
    timings = without(LLAMA_SERVER["timings"], "draft_n", "draft_n_accepted")
    assert _only(LLAMA_SERVER | {"timings": timings}).draft_tokens == 0


def test_drafts_of_varying_length_have_none() -> None:
    point = _only(LLAMA_SERVER | {"timings": LLAMA_SERVER["timings"] | {"draft_n": 260}})
    assert point.draft_tokens is None
    assert "no_draft_length" in {assumption.name for assumption in point.assumptions}


@pytest.mark.parametrize("wording", ["draft acceptance = ", "draft acceptance rate = "])
def test_a_servers_log_tells_what_its_answer_does(wording: str) -> None:
    (point,) = _read(LLAMA_LOG.replace("draft acceptance = ", wording)).points
    assert (point.source_line, point.tokens_per_round, point.draft_tokens) == (2, 2.5, 3)
    assert point.seconds_per_token == pytest.approx(0.008)


def test_requests_after_one_another_are_points() -> None:
    points = _read(LLAMA_LOG + LLAMA_LOG.replace("draft acceptance", "statistics")).points
    assert [point.source_line for point in points] == [2, 8]
    assert [point.draft_tokens for point in points] == [3, 3]


@pytest.mark.parametrize(
    ("run", "said"),
    [
        (LLAMA_BENCH | {"avg_ts": 0}, "avg_ts: missing"),
        (LLAMA_BENCH | {"n_gen": "many"}, "n_gen: “many” is not a number"),
        (LLAMA_BENCH | {"n_depth": -5}, "n_depth: -5 is not a whole number"),
        ({"timings": {"predicted_n": 10}}, "timings.predicted_ms: missing"),
        ({"predicted_n": 10, "predicted_ms": 5, "draft_n": 9}, "draft_n_accepted: missing"),
        (
            {"predicted_n": 10, "predicted_ms": 5, "draft_n": 9, "draft_n_accepted": 12},
            "draft_n_accepted: 12 contradicts draft_n",
        ),
    ],
)
def test_an_impossible_field_is_refused_by_name(run: dict[str, Any], said: str) -> None:
    with pytest.raises(MeasurementError, match=said):
        _only(run)


def test_a_table_of_prompts_alone_says_why_it_is_refused() -> None:
    with pytest.raises(MeasurementError, match="a prompt was timed, no decoding"):
        _read(_as_csv(PROMPT))
