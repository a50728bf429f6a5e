"""A copy of the package whose data a test may change, and a Python that runs with it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parents[2] / "roofline_app"


def copied_package(folder: Path) -> Path:
    """Copy the package into a folder; return the copy's data."""
    shutil.copytree(PACKAGE, folder / PACKAGE.name, ignore=shutil.ignore_patterns("__pycache__", "site"))
    return folder / PACKAGE.name / "data"


def printed(folder: Path, script: str, *arguments: str) -> Any:
    """Run a script with the copy in a folder and with arguments; return the JSON that it prints.

    Raises:
        AssertionError: When the script fails; holds what it wrote to stderr.
    """
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        env={**os.environ, "PYTHONPATH": str(folder)},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def copied_with_esperanto(folder: Path) -> None:
    """Copy the package into a folder, with a further language: every sentence of it begins with "eo"."""
    data = copied_package(folder)
    (data / "text" / "eo").mkdir()
    for file in (data / "text" / "en").glob("*.toml"):
        sentences = tomllib.loads(file.read_text(encoding="utf-8"))
        lines = [f"{key} = {_quoted(f'eo {sentence}')}" for key, sentence in sentences.items()]
        (data / "text" / "eo" / file.name).write_text("\n".join(lines), encoding="utf-8")
    (data / "text" / "eo" / "language.toml").write_text('tag = "eo-Latn"\nname = "Esperanto"\n', encoding="utf-8")
    presets = (data / "presets.toml").read_text(encoding="utf-8")
    words = 'eo = { title = "Titolo", story = "Rakonto." }'
    (data / "presets.toml").write_text(presets.replace("[article]", f"[article]\n{words}"), encoding="utf-8")


def _quoted(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)
