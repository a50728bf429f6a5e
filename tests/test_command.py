"""The command line: what it prints, and how it refuses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote

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


COMPANION = {"quantization": {"quant_algo": "FP8", "kv_cache_quant_algo": "FP8", "exclude_modules": ["lm_head"]}}


def _checkpoint(folder: Path) -> tuple[Path, Path]:
    """Write a config.json and the hf_quant_config.json beside it; return both."""
    config, companion = folder / "config.json", folder / "hf_quant_config.json"
    config.write_text(json.dumps(QWEN3_8B), encoding="utf-8")
    companion.write_text(json.dumps(COMPANION), encoding="utf-8")
    return config, companion


def test_a_checkpoints_two_files_are_one_config(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config, companion = map(str, _checkpoint(tmp_path))
    folder = _printed(capsys, "evaluate", "--config", str(tmp_path), "gpus=1")
    either_order = [
        _printed(capsys, "evaluate", "--config", one, "--config", other, "gpus=1")
        for one, other in ((config, companion), (companion, config))
    ]
    assert either_order == [folder, folder]
    assert folder["model"]["weight_bytes"] == pytest.approx(8.19e9 + 2 * 0.6223e9, rel=1e-3)
    assert not any("unquantised" in notice for notice in folder["notices"])


def test_a_config_alone_says_that_no_quantisation_is_stated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config, _ = map(str, _checkpoint(tmp_path))
    printed = _printed(capsys, "evaluate", "--config", config, "gpus=1")
    assert any("hf_quant_config.json" in notice for notice in printed["notices"])
    assert not any("hf_quant_config.json" in notice for notice in _printed(capsys, "evaluate", "")["notices"])


def test_a_companion_alone_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, companion = map(str, _checkpoint(tmp_path))
    assert main(["evaluate", "--config", companion, ""]) == 2
    assert capsys.readouterr().err.startswith("hf_quant_config.json: states no architecture")


def test_two_configs_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config, _ = map(str, _checkpoint(tmp_path))
    assert main(["evaluate", "--config", config, "--config", config, ""]) == 2
    assert capsys.readouterr().err.startswith("config.json: 2 given")


@pytest.mark.parametrize(
    "name",
    ["Qwen/Qwen3.5-397B-A17B", "qwen/qwen3.5-397b-a17b", "https://huggingface.co/Qwen/Qwen3.5-397B-A17B"],
)
def test_a_model_may_be_named_as_hugging_face_does(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    printed = _printed(capsys, "evaluate", f"model={name}&gpus=8")
    assert printed["model"]["id"] == "qwen3.5-397b-a17b"


def test_a_quantised_repository_is_not_the_model_that_it_was_made_of(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "model=Qwen/Qwen3-32B-AWQ"]) == 2
    assert "Qwen3-32B-AWQ" in capsys.readouterr().err.replace("qwen3-32b-awq", "Qwen3-32B-AWQ")


def test_evaluate_prints_each_pinned_setting_as_it_does_alone(capsys: pytest.CaptureFixture[str]) -> None:
    pins = ("batch%3D8", "model%3Dqwen3-8b%26gpus%3D1")
    printed = _printed(capsys, "evaluate", f"batch=64&compare={pins[0]}&compare={pins[1]}")
    assert printed["compared"] == [_printed(capsys, "evaluate", unquote(pin)) for pin in pins]
    assert "compared" not in printed["compared"][0]
