"""build.py as a person meets it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import build

ROOT = Path(build.__file__).parent


def build_py(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run build.py."""
    command = [sys.executable, str(ROOT / "build.py"), *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True, env={**os.environ, **environment})


def test_the_tests_fail_without_a_browser_and_say_how_to_install_it(tmp_path: Path) -> None:
    answer = build_py("test", PATH=str(tmp_path))
    assert answer.returncode != 0
    assert "chromium, which is missing" in answer.stderr
    assert "apt-get install chromium" in answer.stderr


def test_every_verb_says_what_it_does() -> None:
    shown = build_py("--help").stdout
    assert [verb for verb in ("serve", "test", "build", "check", "fix", "bench") if verb not in shown] == []


def test_the_environment_is_left_alone_where_it_holds_the_pins(capsys: pytest.CaptureFixture[str]) -> None:
    build.install(["page", "site", "test"])
    assert capsys.readouterr().out == ""


def test_everything_that_is_installed_is_pinned() -> None:
    extras = build.project()["project"]["optional-dependencies"]
    assert [pin for pins in extras.values() for pin in pins if pin.count("==") != 1] == []


def test_no_file_of_the_project_names_a_package_host() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], check=True, capture_output=True, text=True, cwd=ROOT).stdout
    hosts = ("pythonhosted", "pypi.org", "registry.npmjs", "jsdelivr", "unpkg")
    texts = {
        name: (ROOT / name).read_text(encoding="utf-8", errors="replace")
        for name in listed.split("\0")
        if name and (ROOT / name).is_file() and not name.endswith("test_build.py")
    }
    assert [name for name, text in texts.items() if any(host in text for host in hosts)] == []
