"""The verb `sweep`: its files, and going on after a kill."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
import sweep_work

from roofline_app import decode, evaluate
from roofline_app.__main__ import main
from roofline_app.command.sweep import SweepRefusedError
from roofline_app.command.sweep.chunks import chunk_rows, plan_of
from roofline_app.command.sweep.workers import in_processes

SMALL = "model=qwen3-8b,no-such-model,gpt-oss-20b&batch=1..64&gpus=1&drafter=mtp|ngram"
SETTINGS = 3 * 7 * 2


def _read(file: Path) -> list[dict[str, Any]]:
    if file.suffix == ".csv":
        return list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
    if file.suffix == ".jsonl":
        return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    rows: list[dict[str, Any]] = pyarrow.parquet.read_table(file).to_pylist()
    return rows


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_every_setting_is_one_row(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / f"found.{form}"
    assert main(["sweep", SMALL, "--out", str(file), "--workers", "1"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["settings"], printed["errors_in_this_run"]) == (SETTINGS, 14)
    rows = _read(file)
    assert [int(row["setting"]) for row in rows] == list(range(SETTINGS))
    assert {row["query"] for row in rows if row["error"]} == {row["query"] for row in rows if "no-such" in row["model"]}
    row = rows[3]
    best = evaluate(decode(row["query"]).scenario).best_drafter.best
    assert float(row["best_speedup"]) == pytest.approx(best.speedup, rel=1e-12)
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def test_values_that_are_not_used_as_given_are_errors(tmp_path: Path) -> None:
    file = tmp_path / "found.jsonl"
    assert main(["sweep", "batch=many,8&gpu=b200,b2000&price=1|none", "--out", str(file)]) == 0
    rows = _read(file)
    for row in rows:
        bad = any(word in row["query"] for word in ("many", "b2000", "none"))
        assert bool(row["error"]) == bad
        assert (row["step_seconds"] is None) == bad


def test_a_killed_sweep_goes_on_where_it_stopped(tmp_path: Path) -> None:
    file, parts = tmp_path / "found.csv", tmp_path / "found.csv.parts"
    text = "model=qwen3-8b,qwen3.5-27b,gpt-oss-20b&batch=1..4096+1&gpus=1..8&drafter=mtp"
    command = [sys.executable, "-m", "roofline_app", "sweep", text, "--out", str(file), "--workers", "1"]
    running = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    while len(list(parts.glob("*.csv"))) < 5:
        assert running.poll() is None, "it ended before it could be killed"
        time.sleep(0.01)
    running.kill()
    running.wait()
    kept = {part.name: part.stat().st_mtime_ns for part in parts.glob("*.csv")}
    (parts / "00000002.csv").unlink()
    again = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    while again.poll() is None and len(list(parts.glob("*.csv"))) < len(kept) + 2:
        time.sleep(0.01)
    for name, written in kept.items():
        if name != "00000002.csv" and (parts / name).is_file():
            assert (parts / name).stat().st_mtime_ns == written, f"{name} was worked out again"
    assert again.wait() == 0
    with file.open(encoding="utf-8") as lines:
        next(lines)
        assert [int(line.partition(",")[0]) for line in lines] == list(range(3 * 4096 * 4))


def test_a_lost_process_has_its_work_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(sweep_work.DIES_ONCE, str(tmp_path / "died"))
    plan = plan_of(SMALL, 7)
    found = dict(in_processes(plan, range(6), workers=2, work=sweep_work.dies_once))
    assert (tmp_path / "died").exists()
    assert found == {chunk: chunk_rows(plan, chunk) for chunk in range(6)}


def test_processes_that_always_end_are_given_up_by_name() -> None:
    with pytest.raises(SweepRefusedError, match="ended 3 times in a row"):
        list(in_processes(plan_of(SMALL, 7), range(6), workers=1, work=sweep_work.always_dies))


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["batch=1..8", "--out", "found.xls"], "--out: found.xls ends in none of .csv, .jsonl, .parquet"),
        (["batch=1..8", "--out", "missing/found.csv"], "--out: the folder missing is not there"),
        (["batch=1..8", "--out", "there.csv"], "--out: there.csv is there already"),
        (["batch=1..8", "--out", "found.csv", "--workers", "0"], "--workers: 0 is not at least 1"),
        (["bach=1", "--out", "found.csv"], "bach: not a key"),
        (["batch=1..900000+1&context=1..12+1", "--out", "found.csv"], "sweep: 10,800,000 settings are more than"),
        (["batch=1", "--out", "found.csv", "--scheduler", "tcp://127.0.0.1:1"], "--scheduler: tcp://127.0.0.1:1"),
    ],
)
def test_what_cannot_begin_is_refused(
    arguments: list[str],
    named: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    (tmp_path / "there.csv").touch()
    monkeypatch.setattr("roofline_app.command.sweep.workers._SECONDS_TO_CONNECT", 1)
    assert main(["sweep", *arguments]) == 2
    assert capsys.readouterr().err.startswith(named)


def test_the_beginning_of_another_sweep_is_not_gone_on_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parts = tmp_path / "found.csv.parts"
    parts.mkdir()
    (parts / "sweep.json").write_text('{"text": "batch=1..2", "chunk": 1}', encoding="utf-8")
    assert main(["sweep", "batch=1..8", "--out", str(tmp_path / "found.csv")]) == 2
    assert "holds the beginning of another sweep" in capsys.readouterr().err
