"""The verb `import`: several files, folders, standard input, and rows to hand in."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from benchmark_samples import TENSORRT_LLM_SERVING, VLLM_SERVING, lines
from pasted_samples import VLLM_BLOCK

from roofline_app.__main__ import main
from roofline_app.calibration.benchmarks import LARGEST_BYTES

HEADER = "engine,model,gpu,gpus,batch,input_tokens,output_tokens,draft_tokens,tokens_per_round,seconds_per_token\n"
PLAIN = f"{HEADER}vLLM,Qwen3-8B,H200,1,8,1024,1024,0,1,0.006\n"
FAST = f"{HEADER}vLLM,Qwen3-8B,H200,1,8,1024,1024,3,2.5,0.003\n"
QUERY = "model=qwen3-8b&gpu=h200-sxm&gpus=1&profile=calibrated&engine=vllm"
KEYS = {"file", "points", "notices"}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    (tmp_path / "runs" / "deep").mkdir(parents=True)
    (tmp_path / "runs" / "plain.csv").write_text(PLAIN)
    (tmp_path / "runs" / "deep" / "fast.csv").write_text(FAST)
    (tmp_path / "runs" / ".hidden.csv").write_text(FAST)
    return tmp_path / "runs"


def _answer(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, dict[str, Any], str]:
    code = main(["import", *map(str, arguments)])
    captured = capsys.readouterr()
    return code, json.loads(captured.out or "{}"), captured.err


def _give(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


def test_one_file_is_one_object_as_ever(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, answer, said = _answer(capsys, folder / "plain.csv")
    assert (code, said) == (0, "")
    assert set(answer) == KEYS | {"speedups"}
    assert answer["file"] == "plain.csv"


def test_several_files_are_an_object_each_and_pair_with_each_other(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, answer, _ = _answer(capsys, folder / "plain.csv", folder / "deep" / "fast.csv")
    assert code == 0
    assert [set(file) >= KEYS for file in answer["files"]] == [True, True]
    assert answer["speedups"] == [{"point": 1, "baseline": 0, "speedup": pytest.approx(2)}]


def test_a_folder_is_read_to_its_depth_without_hidden_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, answer, _ = _answer(capsys, folder)
    assert [file["file"] for file in answer["files"]] == ["deep/fast.csv", "plain.csv"]


def test_a_refused_file_among_others_is_a_notice(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "notes.txt").write_text("nothing measured here")
    code, answer, said = _answer(capsys, folder)
    assert code == 0
    assert len(answer["files"]) == 2
    assert ["notes.txt: content: no benchmark" in line for line in answer["notices"]] == [True]
    assert "notes.txt" in said


def test_where_all_are_refused_each_has_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_text("{}")
    code, answer, said = _answer(capsys, tmp_path / "a.json", tmp_path / "b.json", tmp_path / "missing.json")
    assert (code, answer) == (2, {})
    assert [line.split(":")[0].rsplit("/")[-1] for line in said.splitlines()] == ["a.json", "b.json", "missing.json"]


def test_an_empty_folder_is_refused_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, said = _answer(capsys, tmp_path)
    assert (code, said.count("\n")) == (2, 1)
    assert "the folder holds no file" in said


def test_standard_input_is_a_file(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    _give(monkeypatch, VLLM_BLOCK.encode())
    code, answer, _ = _answer(capsys, "-")
    assert (code, answer["file"]) == (0, "standard input")


def test_too_much_on_standard_input_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _give(monkeypatch, b" " * (LARGEST_BYTES + 10))
    code, _, said = _answer(capsys, "-")
    assert code == 2
    assert said.startswith("standard input: content: ")


def test_the_measuring_file_of_tensorrt_llm_is_read_beside_a_setting(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "result.json"
    file.write_bytes(lines(TENSORRT_LLM_SERVING))
    _, answer, said = _answer(capsys, file, "--query", "model=qwen3.5-27b&gpu=b200&gpus=1&profile=calibrated")
    (point,) = answer["points"]
    assert (point["engine"], point["tokens_per_round"], point["draft_tokens"]) == ("TensorRT-LLM", 3.05, None)
    assert "engine=tensorrt-llm" in answer["setting"]
    assert "The file's engine is TensorRT-LLM, the setting's SGLang" in said
    assert answer["notices"] == [said.strip()]


def test_differences_name_their_file_where_there_are_several(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, answer, said = _answer(capsys, folder, "--query", QUERY.replace("qwen3-8b", "qwen3-4b"))
    assert said.splitlines()[0].startswith("deep/fast.csv: The file's model is “Qwen3-8B”")
    assert [len(file["notices"]) for file in answer["files"]] == [1, 1]


def test_a_prediction_takes_the_files_own_acceptance(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "result.json"
    errors = []
    for acceptance in (0.3, 0.9):
        file.write_bytes(lines(VLLM_SERVING))
        _, answer, _ = _answer(capsys, file, "--query", f"{QUERY}&drafter=block,acceptance={acceptance},block=16")
        errors.append(answer["points"][0]["predicted"]["error"])
    assert errors[0] == errors[1]


def test_rows_to_hand_in_are_printed_as_text(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", str(folder), "--contribute", "--query", QUERY]) == 0
    text = capsys.readouterr().out
    assert text.startswith("# Measurement: qwen3-8b on h200-sxm\n")
    assert "rounds.csv" in text
    assert "## Missing" in text
