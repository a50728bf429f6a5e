"""The README's examples run and say what they should."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from roofline_app.__main__ import main

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")


def test_the_two_commands_come_first() -> None:
    assert re.findall(r"```\n(.*?)```", README, re.DOTALL)[0] == "python3 build.py serve\npython3 build.py test\n"


def test_the_library_example_prints_the_articles_speedups(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(compile(example, "README.md", "exec"), {})
    assert capsys.readouterr().out == "Ideal 16 6.25\nMTP 6 1.17\nBlock 16 3.0\n"


def test_the_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = re.findall(r"^python -m roofline_app (.*)$", README, re.MULTILINE)
    assert len(lines) >= 3
    monkeypatch.chdir(tmp_path)
    for line in lines:
        arguments = shlex.split(line, comments=True)
        # `import` and `--config` want a file; `serve` runs until it is interrupted (tests/browser/test_panel_server).
        if "--config" not in arguments and arguments[0] not in {"import", "serve"}:
            assert main(arguments) == 0
