"""The values of each figure as rows of numbers, for files: the names are those of the evaluation's JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from roofline_app import registry
from roofline_app.page.figures.acceptance.view import line_length, round_steps
from roofline_app.page.figures.measured_points.points import PLACES, Mark
from roofline_app.results import Component, Evaluation, Pass, RatesByBatch

Row = dict[str, Any]
ROUND = "round"
STEP = "step"


def _columns(names: Mapping[str, Any], **columns: Any) -> list[Row]:
    """Return one row per entry of the columns, which are arrays of one length, with the names before them."""
    lists = {name: column.tolist() for name, column in columns.items()}
    return [{**names, **dict(zip(lists, values, strict=True))} for values in zip(*lists.values(), strict=True)]


def _speedup(evaluation: Evaluation) -> list[Row]:
    return [
        row
        for result in evaluation.drafters
        for row in _columns(
            {"drafter": result.name},
            draft_tokens=result.draft_tokens,
            speedup=result.speedup,
            tokens_per_round=result.tokens_per_round,
            tokens_per_second_per_user=result.tokens_per_second_per_user,
            verifying_seconds=result.verifying_seconds,
            drafting_seconds=result.drafting_seconds,
        )
    ]


def _batch(evaluation: Evaluation) -> list[Row]:
    by_batch = evaluation.best_by_batch
    return [
        row
        for line in by_batch.drafters
        for row in _columns(
            {"drafter": line.name},
            batch=by_batch.batch,
            draft_tokens=line.draft_tokens,
            speedup=line.speedup,
            speedup_at_this_draft_length=line.speedup_at_this_draft_length,
        )
    ]


def _acceptance(evaluation: Evaluation) -> list[Row]:
    return [
        {
            "drafter": result.name,
            "draft_tokens": line_length(result),
            "tokens_per_round": float(result.tokens_per_round[line_length(result)]),
            "round_steps": round_steps(result, evaluation.step.seconds),
            "speedup": float(result.speedup[line_length(result)]),
        }
        for result in evaluation.drafters
    ]


def _component(part: Component, tokens: float) -> Row:
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
    return [{"drafter": drafter, "pass": name, **_component(part, tokens)} for part in work.components]


def _passes(evaluation: Evaluation) -> list[Row]:
    rows = _pass_rows("", evaluation.step, 1.0)
    for result in evaluation.drafters:
        rows += _pass_rows(result.name, result.verify, result.best.tokens_per_round)
    return rows


def _time(evaluation: Evaluation) -> list[Row]:
    rows = _passes(evaluation)
    for result in evaluation.drafters:
        seconds = float(result.drafting_seconds[result.best.draft_tokens])
        rows.append(
            {
                "drafter": result.name,
                "pass": ROUND,
                "component": "drafting",
                "bytes": None,
                "flops": None,
                "seconds": seconds,
                "seconds_per_token": seconds / result.best.tokens_per_round,
                "bound": "",
            }
        )
    return rows


def _rates(evaluation: Evaluation) -> list[Row]:
    by_batch = evaluation.best_by_batch
    lines: list[tuple[str, RatesByBatch]] = [("", by_batch.without)]
    lines += [(line.name, line.rates) for line in by_batch.drafters]
    rows = []
    for name, rates in lines:
        usd = rates.usd_per_million_tokens
        columns = {} if usd is None else {"usd_per_million_tokens": usd}
        rows += _columns(
            {"drafter": name},
            batch=by_batch.batch,
            tokens_per_second_per_user=rates.tokens_per_second_per_user,
            tokens_per_second_per_gpu=rates.tokens_per_second_per_gpu,
            **columns,
        )
    return rows


def _memory(evaluation: Evaluation) -> list[Row]:
    parts = evaluation.memory.parts
    uses = ("weights", "kv", "state", "drafter", "reserve")
    rows: list[Row] = [{"part": use, "bytes": float(getattr(parts, use))} for use in uses]
    return [*rows, {"part": "capacity", "bytes": evaluation.memory.capacity_bytes}]


ROWS: Mapping[str, Callable[[Evaluation], list[Row]]] = {
    "speedup": _speedup,
    "batch": _batch,
    "acceptance": _acceptance,
    "roofline": _passes,
    "time": _time,
    "rates": _rates,
    "memory": _memory,
}


def marks_rows(figure: str, marks: tuple[Mark, ...], evaluation: Evaluation, language: str) -> list[Row]:
    """Return a figure's measured points as rows for its file; what is not stated is None."""
    kinds = registry.drafter_kinds()
    return [
        {
            "drafter": kinds[place.mark.kind].name if place.mark.kind in kinds else "",
            "batch": place.mark.batch,
            "draft_tokens": place.mark.draft_tokens or None,
            "tokens_per_round": place.mark.tokens_per_round or None,
            "speedup": place.mark.speedup,
            "measured_by": place.mark.name,
            "setting": place.mark.setting,
            "error": place.error,
            "conditions": place.mark.conditions,
            "source": place.mark.source,
        }
        for place in PLACES[figure](marks, evaluation, language)
    ]
