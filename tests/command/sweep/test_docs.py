"""The worked example of roofline_app/command/sweep/README.md prints what it says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from roofline_app.__main__ import main

ROOT = Path(__file__).resolve().parents[3]


def test_the_worked_example_prints_what_it_says(tmp_path: Path) -> None:
    commands, program, said = re.findall(
        r"```(?:python)?\n(.*?)```",
        (ROOT / "roofline_app/command/sweep/README.md").read_text(encoding="utf-8"),
        re.DOTALL,
    )
    models = ""
    for stated in re.findall(r"^models=(.*)$", commands, re.MULTILINE):
        models = stated.replace("$models", models)
    query = re.findall(r'sweep "(.*?)"', commands)[0].replace("$models", models)
    assert len(models.split(",")) == 20
    assert main(["sweep", query, "--out", str(tmp_path / "gains.csv"), "--workers", "1"]) == 0
    printed = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True, cwd=tmp_path
    ).stdout
    assert printed == said
