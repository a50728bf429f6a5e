"""The wheel: installed beside numpy alone, it answers as the checkout does."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from installed import ROOT, install, with_packages

from roofline_app.command.schemas import FOLDER, schema_files

_BROWSERS_GET = (".md", ".toml", ".csv", ".html", ".css", ".js")
_CHECKS_READ = (".config.js",)
COMMANDS = [
    ["evaluate", ""],
    ["evaluate", "model=qwen3.5-27b&gpu=b200&gpus=1&batch=8&profile=calibrated&engine=sglang&lang=zh"],
    ["flags", "--engine", "vllm", "preset=dense"],
    ["gpus"],
    ["presets"],
    ["validate"],
    ["schema", "query"],
    ["evaluate", "preset=dense", "--format", "table"],
]


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Path:
    """Python of a fresh environment with numpy and the wheel."""
    made = with_packages(tmp_path_factory.mktemp("numpy") / "environment", "numpy")
    install(made, wheel)
    return made


def _printed(command: list[str], folder: Path) -> str:
    return subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True, timeout=60).stdout


def test_the_wheel_carries_every_file_of_the_package_and_of_the_page(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        carried = {name for name in archive.namelist() if name.startswith("roofline_app/")}
    package = [
        path for path in (ROOT / "roofline_app").rglob("*") if path.is_file() and "__pycache__" not in path.parts
    ]
    static = [path for path in (ROOT / "static").rglob("*") if path.name.endswith(_BROWSERS_GET)]
    static = [path for path in static if "node_modules" not in path.parts and not path.name.endswith(_CHECKS_READ)]
    wanted = {path.relative_to(ROOT).as_posix() for path in package}
    wanted |= {f"roofline_app/{path.relative_to(ROOT).as_posix()}" for path in static}
    wanted |= {f"roofline_app/command/{FOLDER}/{name}" for name in schema_files()}
    assert carried == wanted


def test_the_wheels_schemas_are_those_that_the_library_makes(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        carried = {name: archive.read(f"roofline_app/command/{FOLDER}/{name}") for name in schema_files()}
    assert carried == schema_files()


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_the_installed_command_prints_what_the_checkout_prints(
    python: Path, tmp_path: Path, command: list[str]
) -> None:
    wanted = _printed([sys.executable, "-m", "roofline_app", *command], ROOT)
    assert _printed([str(python.parent / "roofline_app"), *command], tmp_path) == wanted
    assert _printed([str(python), "-m", "roofline_app", *command], tmp_path) == wanted


def test_the_installed_library_needs_numpy_alone(python: Path, tmp_path: Path) -> None:
    program = "import json, sys, roofline_app as r; print(json.dumps(r.as_json(r.evaluate(r.Scenario()))), r.__file__)"
    answer, _, file = _printed([str(python), "-c", program], tmp_path).rpartition(" ")
    assert Path(file.strip()).is_relative_to(python.parents[1])
    assert json.loads(answer) == json.loads(_printed([sys.executable, "-m", "roofline_app", "evaluate", ""], ROOT))


def test_without_panel_the_page_is_refused_in_one_line_that_names_the_extra(python: Path, tmp_path: Path) -> None:
    command = [str(python), "-m", "roofline_app", "serve"]
    finished = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True, timeout=60)
    assert finished.returncode == 2
    assert finished.stdout == ""
    assert finished.stderr.count("\n") == 1
    assert "speculation-roofline[serve]" in finished.stderr


def test_python_m_build_builds_packages_in_the_checkout_too() -> None:
    # This folder's build.py has the name of that program.
    helped = _printed([sys.executable, "-m", "build", "--help"], ROOT)
    assert "--sdist" in helped
