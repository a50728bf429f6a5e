"""Whoever has numpy, pytest and hypothesis can run the library's tests."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from installed import ROOT, with_packages

NUMPY = ("numpy",)
PYTEST = ("pytest", "_pytest", "py", "pluggy", "iniconfig", "packaging", "pygments")
HYPOTHESIS = ("hypothesis", "_hypothesis_globals", "_hypothesis_pytestplugin", "sortedcontainers")


def _pytest(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    python = with_packages(folder / "environment", *NUMPY, *PYTEST, *HYPOTHESIS)
    command = [str(python), "-m", "pytest", "-m", "not slow", "-p", "no:cacheprovider", *options]
    return subprocess.run(command, check=False, capture_output=True, text=True, cwd=ROOT)


@pytest.mark.slow
def test_folders_whose_packages_are_missing_are_left_out_and_named(tmp_path: Path) -> None:
    answer = _pytest(tmp_path, "--collect-only")
    assert answer.returncode == 0, answer.stdout
    for folder in ("browser", "page", "site"):
        assert f"tests/{folder} is left out: bokeh, " in answer.stdout
        assert f"<Dir {folder}>" not in answer.stdout
    assert "<Dir query>" in answer.stdout


@pytest.mark.slow
def test_the_librarys_tests_pass_with_numpy_pytest_and_hypothesis_alone(tmp_path: Path) -> None:
    answer = _pytest(tmp_path, "-q", "--deselect", "tests/project/test_packages.py")
    assert answer.returncode == 0, answer.stdout[-5000:]
