"""The code keeps its shape: short functions, small modules, figures of the world in data."""

from __future__ import annotations

import ast
import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "roofline_app"
CODE = [*sorted(PACKAGE.rglob("*.py")), ROOT / "build.py"]
MODULES = [*CODE, *sorted((ROOT / "tests").rglob("*.py"))]
LONGEST_FUNCTION = 50
LONGEST_MODULE = 350
LONGEST_BUILD = 250
SCALE = re.compile(r"[\d._]+e\+?(6|9|12|15)")
UNIT = re.compile(r"\w+_(gb|tb|ms|us|gbps|tflops|bw)", re.IGNORECASE)


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_modules_and_functions_are_short(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= (LONGEST_BUILD if path.name == "build.py" else LONGEST_MODULE)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None:
            assert node.end_lineno - node.lineno + 1 <= LONGEST_FUNCTION, node.name


@pytest.mark.parametrize("path", CODE, ids=_name)
def test_code_holds_no_scales_and_no_scaled_units(path: Path) -> None:
    if path == PACKAGE / "format.py":
        return
    with path.open("rb") as file:
        # Texts are left out: engines' files have fields in milliseconds.
        words = [
            token.string for token in tokenize.tokenize(file.readline) if token.type in (tokenize.NUMBER, tokenize.NAME)
        ]
    assert [word for word in words if SCALE.fullmatch(word) or UNIT.fullmatch(word)] == []
