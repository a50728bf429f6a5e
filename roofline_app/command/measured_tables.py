"""Benchmark files and validations as tables and rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from roofline_app.command.cells import table_of
from roofline_app.export.csv_rows import flat
from roofline_app.export.tables import Table
from roofline_app.text import sentence

_POINTS = ("label", "engine", "model", "gpu", "batch", "context_tokens", "draft_tokens", "tokens_per_round")
_TIMES = ("seconds_per_token", "predicted.seconds_per_token", "predicted.error")
_SPREADS = ("median_spread", "ninth_decile_spread", "worst_spread")
_ERRORS = tuple(f"{profile}.{spread}" for profile in ("ideal", "calibrated") for spread in _SPREADS)
_GROUPS = ("by", "group", "rows", *_ERRORS)


def _files(answer: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    several: Sequence[Mapping[str, Any]] = answer.get("files", [answer])
    return several


def import_rows(answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a row per measured point, its file first.

    Args:
        answer: What `import` prints as JSON; the arrival times of single tokens are left out.
    """
    return [
        {"file": file["file"], **flat({name: value for name, value in point.items() if name != "stream"})}
        for file in _files(answer)
        for point in file["points"]
    ]


def import_tables(answer: Mapping[str, Any]) -> list[Table]:
    """Return a table of the points of each file, and one of speculation beside plain runs where there is any.

    Args:
        answer: What `import` prints as JSON.
    """
    found = []
    for file in _files(answer):
        predicted = any(point.get("predicted") for point in file["points"])
        columns = (*_POINTS, *(_TIMES if predicted else _TIMES[:1]))
        found.append(table_of(file["points"], columns, file["file"]))
    points = [point for file in _files(answer) for point in file["points"]]
    if answer["speedups"]:
        pairs = list(_pairs(answer["speedups"], points))
        columns = ("label", "batch", "draft_tokens", "tokens_per_round", "speedup_ratio")
        found.append(table_of(pairs, columns, sentence("tables.speedups_caption")))
    return found


def _pairs(speedups: Sequence[Mapping[str, Any]], points: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for pair in speedups:
        yield {**points[pair["point"]], "speedup_ratio": pair["speedup"]}


def validation_rows(answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a row per measured figure: the measured row, both predictions and their relative errors.

    Args:
        answer: What `validate` prints as JSON.
    """
    found = []
    for one in answer["rows"]:
        errors = {f"{profile}_error": one[profile] / one["measured"] - 1.0 for profile in ("ideal", "calibrated")}
        found.append({**flat(one), **errors})
    return found


def validation_tables(answer: Mapping[str, Any]) -> list[Table]:
    """Return the errors by group, a table for each quantity.

    Args:
        answer: What `validate` prints as JSON.
    """
    quantities = dict.fromkeys(one["quantity"] for one in answer["summaries"])
    return [
        table_of(
            [_spreads(one) for one in answer["summaries"] if one["quantity"] == quantity],
            _GROUPS,
            sentence(f"page.quantity_{quantity}"),
        )
        for quantity in quantities
    ]


def _spreads(summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return a summary whose names say that its numbers are shares."""
    spreads = {
        profile: {f"{name}_spread": value for name, value in summary[profile].items()}
        for profile in ("ideal", "calibrated")
    }
    return {**summary, **spreads}
