"""The values of figures as rows of numbers, for files: the names are those of the evaluation's JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from roofline_app import registry
from roofline_app.page.figures.measured_points.points import Mark, Place
from roofline_app.results import Component, Evaluation, Pass

Row = dict[str, Any]
ROUND = "round"
STEP = "step"


def columns_as_rows(names: Mapping[str, Any], **columns: Any) -> list[Row]:
    """Return one row per entry of the columns, which are arrays of one length, with the names before them."""
    lists = {name: column.tolist() for name, column in columns.items()}
    return [{**names, **dict(zip(lists, values, strict=True))} for values in zip(*lists.values(), strict=True)]


def _component_row(part: Component, tokens: float) -> Row:
    return {
        "component": part.name,
        "bytes": part.bytes,
        "flops": part.flops,
        "seconds": part.seconds,
        "seconds_per_token": part.seconds / tokens,
        "bound": part.bound,
    }


def _pass_rows(drafter: str, work: Pass, tokens: float) -> list[Row]:
    name = ROUND if drafter else STEP
    return [{"drafter": drafter, "pass": name, **_component_row(part, tokens)} for part in work.components]


def pass_rows(evaluation: Evaluation) -> list[Row]:
    """Return the components of the plain step and of each drafter's best round."""
    rows = _pass_rows("", evaluation.step, 1.0)
    for result in evaluation.drafters:
        rows += _pass_rows(result.name, result.verify, result.best.tokens_per_round)
    return rows


def marks_rows(place: Place, marks: tuple[Mark, ...], evaluation: Evaluation, language: str) -> list[Row]:
    """Return a figure's measured points as rows for its file; what is not stated is None."""
    kinds = registry.drafter_kinds()
    return [
        {
            "drafter": kinds[one.mark.kind].name if one.mark.kind in kinds else "",
            "batch": one.mark.batch,
            "draft_tokens": one.mark.draft_tokens or None,
            "tokens_per_round": one.mark.tokens_per_round or None,
            "speedup": one.mark.speedup,
            "measured_by": one.mark.name,
            "setting": one.mark.setting,
            "error": one.error,
            "conditions": one.mark.conditions,
            "source": one.mark.source,
        }
        for one in place(marks, evaluation, language)
    ]
