"""A copy of the package whose data a test may change, and a Python that runs with it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
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
