"""Completion, asked of the shells themselves."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from roofline_app import registry
from roofline_app.__main__ import main
from roofline_app.command.completion import SHELLS, verbs_of
from roofline_app.command.formats import FORMATS
from roofline_app.command.lists import LISTS
from roofline_app.command.parser import command_parser
from roofline_app.command.schemas import SCHEMAS

VERBS = {verb.name: verb for verb in verbs_of(command_parser())}


def script(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


def needs(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")


def completed(source: str, *words: str, folder: Path) -> list[str]:
    """Return what bash offers for the last of some words."""
    (folder / "completion").write_text(source, encoding="utf-8")
    program = (
        'source ./completion; COMP_WORDS=(roofline_app "$@"); COMP_CWORD=$#; _roofline_app; '
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    command = ["bash", "-c", program, "bash", *words]
    finished = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    assert "command not found" not in finished.stderr
    return finished.stdout.splitlines() if finished.stdout.strip() else []


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["ev"], {"evaluate"}),
        ([""], {*VERBS, "--help"}),
        (["evaluate", "--fo"], {"--format"}),
        (["evaluate", "--format", ""], set(FORMATS)),
        (["evaluate", "model=qwen3-8b", "--format", "=", "m"], {"markdown"}),
        (["gpus", "--format", "="], set(FORMATS)),
        (["flags", "--engine", ""], set(registry.engine_ids())),
        (["schema", ""], set(SCHEMAS)),
        (["completion", "z"], {"zsh"}),
        (["import", "my"], {"my result.json"}),
        (["import", "--con"], {"--contribute"}),
        (["evaluate", "--config", "my"], {"my result.json"}),
        (["serve", "--port", ""], set()),
        (["nothing", ""], set()),
    ],
)
def test_bash_offers(words: list[str], offered: set[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs("bash")
    (tmp_path / "my result.json").touch()
    found = completed(script("bash", capsys), *words, folder=tmp_path)
    assert set(found) == offered
    assert len(found) == len(offered)


def test_bash_offers_every_option_of_every_verb(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs("bash")
    source = script("bash", capsys)
    for name, verb in VERBS.items():
        found = completed(source, name, "--", folder=tmp_path)
        wanted = {option for word in verb.options for option in word.names if option.startswith("--")}
        assert set(found) == wanted, name


def test_bash_knows_the_completion_by_the_programs_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs("bash")
    (tmp_path / "completion").write_text(script("bash", capsys), encoding="utf-8")
    command = ["bash", "-c", "source ./completion; complete -p roofline_app"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert said == "complete -F _roofline_app roofline_app\n"


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("ev", {"evaluate"}),
        ("evaluate --format ", set(FORMATS)),
        ("flags --engine ", set(registry.engine_ids())),
        ("schema q", {"query"}),
    ],
)
def test_fish_offers(line: str, offered: set[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs("fish")
    (tmp_path / "completion").write_text(script("fish", capsys), encoding="utf-8")
    command = ["fish", "-c", f"source ./completion; complete -C 'roofline_app {line}'"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert {one.partition("\t")[0] for one in said.splitlines()} == offered


def test_zsh_reads_the_script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs("zsh")
    source = script("zsh", capsys)
    (tmp_path / "completion").write_text(source, encoding="utf-8")
    program = "autoload -Uz compinit; compinit -u -d ./dump; source ./completion; print -r -- $_comps[roofline_app]"
    command = ["zsh", "-f", "-c", program]
    finished = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert finished.stdout == "_roofline_app\n"
    assert finished.stderr == ""


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_names_every_verb_and_says_how_it_is_loaded(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    source = script(shell, capsys)
    assert [verb for verb in VERBS if not re.search(rf"\b{verb}\b", source)] == []
    assert f"roofline_app completion {shell}" in source
    assert set(LISTS) < set(VERBS)
