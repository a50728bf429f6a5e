"""A reader's own points: read as rows, fitted beside the data's, and what that leaves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roofline_app.__main__ import main
from roofline_app.calibration.benchmarks import import_file
from roofline_app.calibration.user_fit import fit_to_points, user_row
from roofline_app.scenario import Scenario

TABLE = """batch,context_tokens,seconds_per_token,engine,model,gpu,gpus,label,draft_tokens,tokens_per_round
1,2048,0.0200,SGLang,Qwen/Qwen3-8B,h200-sxm,1,slow,0,1
8,2048,0.0210,SGLang,Qwen/Qwen3-8B,h200-sxm,1,slower,0,1
32,2048,0.0240,SGLang,Qwen/Qwen3-8B,h200-sxm,1,slowest,0,1
8,2048,0.0100,SGLang,Qwen/Qwen3-8B,h200-sxm,1,speculates,3,2.5
"""
SPECULATING = "\n".join((TABLE.splitlines()[0], TABLE.splitlines()[4]))


def test_points_draw_the_profile_towards_themselves() -> None:
    (found,) = fit_to_points(import_file("own.csv", TABLE.encode()).points, Scenario())
    assert (found.engine, found.family, found.closest) == ("sglang", "hopper", "sglang-hopper")
    assert [point.label for point in found.points] == ["slow", "slower", "slowest"]
    for point in found.points:
        assert abs(point.after / point.measured - 1.0) < abs(point.before / point.measured - 1.0)


def test_what_a_file_does_not_say_is_the_settings() -> None:
    text = "batch,context_tokens,seconds_per_token\n4,1000,0.01\n"
    (point,) = import_file("own.csv", text.encode()).points
    row = user_row(point, Scenario(model="qwen3-8b", gpu="h100-sxm", gpus=2, engine="vllm"))
    assert row is not None
    assert (row.model, row.gpu, row.gpus, row.engine, row.batch) == ("qwen3-8b", "h100-sxm", 2, "vllm", 4)
    assert (row.linear, row.kv, row.id) == ("bf16", "bf16", "line 2")


def test_speculating_runs_are_no_steps() -> None:
    points = import_file("own.csv", TABLE.encode()).points
    assert [user_row(point, Scenario()) is None for point in points] == [False, False, False, True]
    assert fit_to_points(points[-1:], Scenario()) == ()


def test_an_accelerator_without_measurements_gets_a_profile_of_its_own() -> None:
    points = import_file("own.csv", TABLE.replace("h200-sxm", "mi300x").encode()).points
    (found,) = fit_to_points(points, Scenario())
    assert (found.family, found.closest) == ("", "pooled")


def test_the_command_fits_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "own.csv"
    file.write_text(TABLE, encoding="utf-8")
    assert main(["fit", str(file), "--query", "model=qwen3-8b"]) == 0
    (printed,) = json.loads(capsys.readouterr().out)
    assert printed["closest"] == "sglang-hopper"
    assert printed["constants"]["seconds_per_kernel"] > 0.0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b"\x00\x01", "content: binary", id="binary"),
        pytest.param(SPECULATING.encode(), "no run", id="no plain run"),
    ],
)
def test_a_file_without_a_plain_run_is_refused(
    content: bytes, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "own.csv"
    file.write_bytes(content)
    assert main(["fit", str(file)]) == 2
    assert message in capsys.readouterr().err


def test_a_missing_file_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fit", "no-such-file.csv"]) == 2
    assert "no-such-file.csv: cannot be read" in capsys.readouterr().err


def test_the_command_validates_every_row(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert {some["by"] for some in printed["summaries"]} == {"all", "model", "gpu", "engine", "source", "batch"}
    assert len(printed["rows"]) >= 1267 + 36 + 17
