"""The library stands on numpy and the standard library alone."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CHECK = """
import sys
sys.modules.update(dict.fromkeys({hidden!r}))
import {module}
loaded = {{name.partition(".")[0] for name in sys.modules}} - set(sys.stdlib_module_names) - {{"__main__"}}
print(" ".join(sorted(name for name in loaded if not name.startswith("_"))))
"""
# What notebooks and scripts build on: names are added, never taken away.
PUBLIC = [
    "AcceptanceLength",
    "Adaptive",
    "Answer",
    "Cache",
    "ConfigError",
    "ConstantAcceptance",
    "Drafter",
    "DrafterSizes",
    "Evaluation",
    "Experts",
    "FormatSpec",
    "GpuSpec",
    "Hardware",
    "Layer",
    "LoadPart",
    "MeasuredAcceptance",
    "MixPart",
    "MixedAcceptance",
    "Need",
    "Node",
    "NodeRange",
    "NodeSearch",
    "Nodes",
    "Precision",
    "Presentation",
    "Projection",
    "Reach",
    "Recurrence",
    "Roof",
    "Round",
    "Routing",
    "Scenario",
    "Schedule",
    "SpecError",
    "SurvivalRates",
    "Target",
    "Transformer",
    "Weights",
    "acceptance_of_length",
    "adaptive",
    "answer",
    "as_json",
    "best_draft_tokens",
    "constant_survival",
    "decode",
    "distinct_experts",
    "encode",
    "evaluate",
    "experts_touched",
    "falling_survival",
    "listed_survival",
    "need",
    "node_roof",
    "nodes",
    "pass_time",
    "pass_tokens",
    "physical_drafting_seconds",
    "race",
    "raised_survival",
    "read_config",
    "relative_drafting_seconds",
    "replay",
    "schedule",
    "serving_flags",
    "speedup",
    "sweep",
    "tokens_per_round",
    "work",
]
HIDDEN = ["bokeh", "panel", "param", "pandas", "tornado", "jinja2", "narwhals", "PIL", "yaml", "js", "pyodide"]


def loaded_by(module: str, hidden: list[str]) -> subprocess.CompletedProcess[str]:
    """Import a module in a fresh interpreter that lacks the hidden packages; it prints the packages then loaded."""
    command = [sys.executable, "-c", CHECK.format(hidden=hidden, module=module)]
    return subprocess.run(command, check=False, capture_output=True, text=True, cwd=ROOT)


@pytest.mark.parametrize("module", ["roofline_app", "roofline_app.__main__", "roofline_app.page.figures.speedup.view"])
def test_importing_needs_numpy_alone(module: str) -> None:
    answer = loaded_by(module, HIDDEN)
    assert answer.returncode == 0, answer.stderr
    assert set(answer.stdout.split()) - set(HIDDEN) <= {"numpy", "roofline_app"}


def test_the_check_above_can_fail() -> None:
    answer = loaded_by("roofline_app.page.page", HIDDEN)
    assert answer.returncode != 0
    assert "bokeh" in answer.stderr or "panel" in answer.stderr
    assert "hypothesis" in loaded_by("hypothesis", []).stdout.split()


def test_public_names_are_these() -> None:
    tree = ast.parse((ROOT / "roofline_app" / "__init__.py").read_text(encoding="utf-8"))
    imported = [name for node in tree.body if isinstance(node, ast.ImportFrom) for name in node.names]
    assert sorted(name.asname or name.name for name in imported) == PUBLIC
