"""Firefox and WebKit, each driven by a script in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import build
from roofline_app.site import javascript

HERE = Path(__file__).parent
WIDGET, SOURCE = "batch-slider", "speedup-0"
LONGEST_SECONDS = 200


def puppeteer_folder() -> Path:
    """Return the folder in which the pinned driver of Firefox is installed."""
    return javascript.Tools(build.ROOT, *build.node_and_npm()).install().parent


def _answer(command: Sequence[str]) -> str:
    """Return what a driver prints; one that fails is tried once more.

    In one of dozens of runs on a busy machine an embed in Firefox was not live within 90 seconds, without an error.
    """
    for last in (False, True):
        answer = subprocess.run(command, check=last, stdout=subprocess.PIPE, text=True, timeout=LONGEST_SECONDS)
        if not answer.returncode:
            break
    return answer.stdout


def by_firefox(puppeteer: Path, profile: Path, script: str, *arguments: str) -> dict[str, Any]:
    """Run a script that drives Firefox; return what it prints."""
    node, _ = build.node_and_npm()
    command = [node, str(HERE / script), str(puppeteer), build.firefox(), str(profile), *arguments]
    visit: dict[str, Any] = json.loads(_answer(command))
    return visit


def in_firefox(puppeteer: Path, profile: Path, address: str) -> dict[str, Any]:
    """Open a page in Firefox and move a control as soon as it is drawn; return what happened."""
    return by_firefox(puppeteer, profile, "firefox.mjs", address, WIDGET, SOURCE)


def by_webkit(script: str, *arguments: str) -> dict[str, Any]:
    """Run a script that drives WebKit; return what it prints last."""
    command = ["xvfb-run", "-a", sys.executable, str(HERE / script), *arguments]
    visit: dict[str, Any] = json.loads(_answer(command).splitlines()[-1])
    return visit


def in_webkit(address: str) -> dict[str, Any]:
    """Open a page in WebKit and move a control as soon as it is drawn; return what happened."""
    return by_webkit("webkit.py", address, WIDGET, SOURCE)
