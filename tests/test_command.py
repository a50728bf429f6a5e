"""The command line: what it prints, and how it refuses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from config_files import QWEN3_8B

from roofline_app import export, registry
from roofline_app.__main__ import main
from roofline_app.evaluation import evaluate
from roofline_app.scenario import Scenario


def _printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main(list(arguments)) == 0
    return json.loads(capsys.readouterr().out)


def test_evaluate_prints_the_contracts_object(capsys: pytest.CaptureFixture[str]) -> None:
    printed = _printed(capsys, "evaluate", "")
    assert printed == json.loads(json.dumps(export.as_json(evaluate(Scenario()))))
    for key in (
        "schema",
        "query",
        "notices",
        "model",
        "node",
        "profile",
        "memory",
        "step",
        "drafters",
        "best_by_batch",
    ):
        assert key in printed
    assert printed["schema"] == 1
    assert printed["best_by_batch"]["batch"] == [2**power for power in range(13)]
    assert [len(drafter["speedup"]) for drafter in printed["drafters"]] == [17, 17, 17]
    assert {"name", "bytes", "flops", "seconds", "bound"} <= printed["step"]["components"][0].keys()
    assert printed["economics"]["without"].keys() >= {"tokens_per_second_per_user", "usd_per_million_tokens"}


@pytest.mark.parametrize("verb", ["models", "gpus", "drafters", "acceptances", "profiles", "presets"])
def test_lists_hold_every_entry_with_its_source(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    printed = _printed(capsys, verb)
    ids = [entry["id"] for entry in printed]
    assert len(ids) == len(set(ids))
    for entry in printed:
        assert entry.get("name") or entry.get("title"), entry["id"]
        if verb in {"models", "gpus", "drafters", "acceptances"}:
            assert entry["source"].startswith("https://"), entry["id"]


def test_a_config_file_gives_what_the_registry_gives(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "config.json"
    file.write_text(json.dumps(QWEN3_8B))
    printed = _printed(capsys, "evaluate", "--config", str(file), "gpus=1")
    known = _printed(capsys, "evaluate", "model=qwen3-8b&gpus=1")
    for block in ("step", "drafters", "best_by_batch", "memory", "economics"):
        assert printed[block] == known[block]
    assert printed["model"]["id"] == "custom"
    again = _printed(capsys, "evaluate", printed["query"])
    assert again == printed


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        pytest.param(["evaluate", "model=gpt-5"], "gpt-5", id="unknown model"),
        pytest.param(["evaluate", "gpu=b2000"], "b2000", id="unknown GPU"),
        pytest.param(["evaluate", "--config", "/nonexistent/config.json", ""], "config", id="no such file"),
        pytest.param(["evaluate", "model=custom&config=AAAA"], "config", id="not a config in the link"),
    ],
)
def test_what_cannot_be_evaluated_is_refused_in_one_line(
    arguments: list[str], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert named in captured.err


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"\xff\xfe\x00", b"[" * 100_000, b'{"a":' * 5_000 + b"1", b" " * 2_000_000]
)
def test_a_broken_config_file_is_refused_in_one_line(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "config.json"
    file.write_bytes(content)
    assert main(["evaluate", "--config", str(file), ""]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_other_faults_are_notices_on_both_outputs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "batch=-3&nonsense=1"]) == 0
    captured = capsys.readouterr()
    notices = json.loads(captured.out)["notices"]
    assert len(notices) == 2
    assert any("batch" in notice and "-3" in notice for notice in notices)
    assert any("nonsense" in notice for notice in notices)
    for notice in notices:
        assert notice in captured.err


def test_language_changes_texts_and_no_number(capsys: pytest.CaptureFixture[str]) -> None:
    english, chinese = (_printed(capsys, "evaluate", f"lang={language}") for language in ("en", "zh"))
    assert english["headline"] != chinese["headline"]
    for block in ("model", "node", "memory", "step", "drafters", "best_by_batch", "economics"):
        assert english[block] == chinese[block]


def test_a_reader_of_a_pipe_may_leave_early() -> None:
    command = f"{sys.executable} -m roofline_app models | head -c 10"
    finished = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert finished.stderr == ""


def test_every_preset_evaluates_without_a_notice(capsys: pytest.CaptureFixture[str]) -> None:
    for preset in registry.presets():
        assert _printed(capsys, "evaluate", f"preset={preset}")["notices"] == [], preset
