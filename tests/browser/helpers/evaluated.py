"""What a separate native process computes, and where a page's figures differ from it."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from installed import ROOT
from visit import Visit

SAME = 1e-12


def native(query: str) -> dict[str, Any]:
    """What the command line prints for a link."""
    command = [sys.executable, "-m", "roofline_app", "evaluate", query]
    answer = subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    evaluation: dict[str, Any] = json.loads(answer.stdout)
    return evaluation


def equal(shown: list[Any], computed: list[Any]) -> bool:
    """Whether two columns hold the same, numbers to 1e-12."""
    if len(shown) != len(computed):
        return False
    pairs = zip(shown, computed, strict=True)
    return all(a == b if isinstance(b, str) else abs(a - b) <= SAME * max(abs(a), abs(b)) for a, b in pairs)


def differences(visit: Visit, evaluation: dict[str, Any]) -> list[str]:
    """Columns of the page's figures that are not what the evaluation holds."""
    expected: dict[tuple[str, str], list[Any]] = {}
    for index, line in enumerate(evaluation["drafters"]):
        for column in ("draft_tokens", "speedup", "tokens_per_round", "tokens_per_second_per_user"):
            expected[f"speedup-{index}", column] = line[column]
    by_batch = evaluation["best_by_batch"]
    for index, line in enumerate(by_batch["drafters"]):
        for column in ("draft_tokens", "speedup", "speedup_at_this_draft_length"):
            expected[f"batch-{index}", column] = line[column]
        expected[f"batch-{index}", "batch"] = by_batch["batch"]
    parts = {name: size for name, size in evaluation["memory"]["parts"].items() if size > 0}
    expected["memory", "part"], expected["memory", "bytes"] = list(parts), list(parts.values())
    shown = {name: visit.source(name) for name in {name for name, _ in expected}}
    wrong = [f"{s} {c}" for (s, c), values in expected.items() if not equal(shown[s][c], values)]
    return wrong + step_differences(visit, evaluation)


def step_differences(visit: Visit, evaluation: dict[str, Any]) -> list[str]:
    """Components of the plain step whose seconds, or whose place under the roof, are not the evaluation's."""
    components = {part["name"]: part for part in evaluation["step"]["components"]}
    time, roofline = visit.source("time"), visit.source("roofline-points")
    shown = {c: s for c, s, row in zip(time["component"], time["seconds"], time["row"], strict=True) if row == 0}
    computed = {name: part["seconds"] for name, part in components.items() if part["seconds"] > 0}
    wrong = [] if list(shown) == list(computed) else [f"time: {list(shown)}"]
    wrong += [f"time {name}" for name in computed if not equal([shown.get(name, -1.0)], [computed[name]])]
    for name, x, y in zip(roofline["component"], roofline["step_x"], roofline["step_y"], strict=True):
        part = components[name]
        if not equal([x, y], [part["flops"] / part["bytes"], part["flops"] / part["seconds"]]):
            wrong.append(f"roofline {name}")
    return wrong


def shown_query(visit: Visit) -> str:
    """The query in the address bar."""
    return str(visit.page.evaluate("() => location.search.slice(1)"))
