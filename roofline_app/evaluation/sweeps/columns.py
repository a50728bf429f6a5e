"""Settings in, columns out: what `evaluate` says of each at its best, those that differ in batch alone at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from roofline_app import economics
from roofline_app.evaluation.assembly import evaluate
from roofline_app.evaluation.over_batches import OverBatches, over_batches
from roofline_app.scenario import Scenario, decoding_alone
from roofline_app.specs import SpecError

Kind = Literal["text", "whole", "number", "truth"]
_EMPTY: Mapping[Kind, Any] = {"text": "", "whole": np.nan, "number": np.nan, "truth": False}
_CHOICES: Mapping[str, Kind] = {
    "model": "text",
    "gpu": "text",
    "gpus": "whole",
    "batch": "whole",
    "context": "whole",
    "cap": "whole",
    "profile": "text",
    "layout": "text",
}
_SETTING: Mapping[str, Kind] = {
    "fits": "truth",
    "needed_bytes": "number",
    "capacity_bytes": "number",
    "largest_batch": "whole",
    "step_seconds": "number",
}
_RATES: Mapping[str, Kind] = {
    "tokens_per_second_per_user": "number",
    "tokens_per_second_per_gpu": "number",
    "usd_per_million_tokens": "number",
}
_LINE: Mapping[str, Kind] = {
    "name": "text",
    "kind": "text",
    "draft_tokens": "whole",
    "speedup": "number",
    "tokens_per_round": "number",
    "seconds_per_round": "number",
    **_RATES,
}
_REQUESTS: Mapping[str, Kind] = {
    "first_token_seconds": "number",
    "end_to_end_seconds": "number",
    "reported_speedup": "number",
}
_BEST = ("name", "draft_tokens", "speedup", *_RATES)
ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of a sweep: what it is called, and what its values are."""

    name: str
    kind: Kind


def columns_of(lines: int, *, requests: bool) -> tuple[Column, ...]:
    """Return the columns of a sweep.

    Args:
        lines: Most drafter lines of a setting.
        requests: Whether a setting states a prompt and an output.
    """
    per_line = {**_LINE, **(_REQUESTS if requests else {})}
    found: dict[str, Kind] = {**_CHOICES, **_SETTING}
    found |= {f"without_{name}": kind for name, kind in _RATES.items()}
    if requests:
        found |= {f"without_{name}": kind for name, kind in _REQUESTS.items() if name != "reported_speedup"}
    for line in range(1, lines + 1):
        found |= {f"drafter{line}_{name}": kind for name, kind in per_line.items()}
    found |= {f"best_{name}": _LINE[name] for name in _BEST}
    found[ERROR] = "text"
    return tuple(Column(name=name, kind=kind) for name, kind in found.items())


def sweep(scenarios: Iterable[Scenario]) -> dict[str, NDArray[Any]]:
    """Return what follows from many settings, as columns.

    Args:
        scenarios: The settings, in any order; those that differ in batch alone are computed together.

    Returns:
        Arrays of shape (settings,) by name, in the settings' order: the choices; memory; `step_seconds`; rates
        `without_` speculation; of each line in order, `drafter1_` …, its best draft length, speedup, tokens and seconds
        per round, and rates; of the line with the largest speedup `best_` (a hypothetical one only where there is no
        other). Bytes, seconds and USD as in `evaluate`. Where prompt and output are stated, requests' latencies too. A
        setting that cannot be computed has its reason in `error`, which is empty elsewhere; its results, and what a
        setting lacks, are NaN, empty or False. Whole numbers are float64, for NaN's sake.

    Examples:
        >>> found = sweep(Scenario(model="qwen3.5-27b", gpus=1, batch=batch) for batch in (1, 32, 1024))
        >>> found["drafter2_draft_tokens"].tolist()
        [5.0, 4.0, 1.0]
    """
    settings = list(scenarios)
    lines = max((len(scenario.drafters) for scenario in settings), default=0)
    columns = columns_of(lines, requests=any(scenario.prompt for scenario in settings))
    found = _columns_with_room(columns, len(settings))
    groups = defaultdict[Scenario, list[int]](list)
    for place, scenario in enumerate(settings):
        groups[replace(decoding_alone(scenario), batch=1)].append(place)
    for scenario, places in groups.items():
        _fill(found, scenario, settings, np.asarray(places))
    for place, scenario in enumerate(settings):
        if scenario.prompt and not found[ERROR][place]:
            _fill_requests(found, scenario, place)
    return {column.name: _typed(found[column.name], column.kind) for column in columns}


def _columns_with_room(columns: Sequence[Column], size: int) -> dict[str, NDArray[Any]]:
    types = {"text": np.object_, "truth": np.bool_}
    return {one.name: np.full(size, _EMPTY[one.kind], dtype=types.get(one.kind, np.float64)) for one in columns}


def _typed(values: NDArray[Any], kind: Kind) -> NDArray[Any]:
    return values.astype(np.str_) if kind == "text" else values


def _fill(found: dict[str, NDArray[Any]], scenario: Scenario, settings: Sequence[Scenario], places: Any) -> None:
    """Fill the rows of settings that differ in batch alone."""
    batches = np.asarray([settings[place].batch for place in places], dtype=np.int64)
    for name in ("model", "gpu", "gpus", "context", "cap", "profile", "layout"):
        found[name][places] = getattr(scenario, name)
    found["batch"][places] = batches
    try:
        many = over_batches(scenario, batches)
    except (SpecError, ValueError, ArithmeticError) as error:
        found[ERROR][places] = _one_line(error)
        return
    for name, values in _results(many, batches).items():
        found[name][places] = values


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _results(many: OverBatches, batches: NDArray[np.int64]) -> dict[str, Any]:
    """Return the values of one group's rows by column."""
    resolved, memory, plain = many.resolved, many.memory, 1.0 / many.step_seconds
    found: dict[str, Any] = {
        "profile": resolved.profile.id,
        "layout": resolved.layout.value,
        "fits": [one.fits for one in memory],
        "needed_bytes": [one.needed_bytes for one in memory],
        "capacity_bytes": [one.capacity_bytes for one in memory],
        "largest_batch": [one.largest_batch for one in memory],
        "step_seconds": many.step_seconds,
        **{f"without_{name}": value for name, value in _rates(plain, many, batches, resolved.node.gpus).items()},
    }
    for number, line in enumerate(many.lines, start=1):
        values = {
            **{name: getattr(line, name) for name in _LINE if name not in _RATES},
            **_rates(line.speedup / many.step_seconds, many, batches, line.gpus),
        }
        found |= {f"drafter{number}_{name}": value for name, value in values.items()}
    return found | _best(many, found)


def _rates(per_user: Any, many: OverBatches, batches: NDArray[np.int64], gpus: Any) -> dict[str, Any]:
    price = many.resolved.usd_per_gpu_hour
    rates = economics.rates_by_batch(per_user, batch=batches, gpus=gpus, usd_per_gpu_hour=price)
    found = {name: getattr(rates, name) for name in _RATES}
    return found if price is not None else {**found, "usd_per_million_tokens": np.nan}


def _best(many: OverBatches, found: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of the best line at each batch; a hypothetical one only where there is no other."""
    real = [number for number, line in enumerate(many.lines, start=1) if not line.hypothetical]
    numbers = real or list(range(1, len(many.lines) + 1))
    chosen = np.argmax([found[f"drafter{number}_speedup"] for number in numbers], axis=0)
    rows = np.arange(chosen.size)
    names = [found[f"drafter{number}_name"] for number in numbers]
    best: dict[str, Any] = {"best_name": [names[place] for place in chosen]}
    for name in _BEST[1:]:
        values = [np.broadcast_to(found[f"drafter{number}_{name}"], chosen.shape) for number in numbers]
        best[f"best_{name}"] = np.asarray(values)[chosen, rows]
    return best


def _fill_requests(found: dict[str, NDArray[Any]], scenario: Scenario, place: int) -> None:
    whole = evaluate(scenario).end_to_end
    if whole is None:
        return
    for prefix, rates in zip(
        ("without", *(f"drafter{line}" for line in range(1, len(whole.drafters) + 1))),
        (whole.without, *whole.drafters),
        strict=True,
    ):
        for name in _REQUESTS:
            if f"{prefix}_{name}" in found:
                found[f"{prefix}_{name}"][place] = getattr(rates, name)


def as_rows(columns: Sequence[Column], values: Mapping[str, NDArray[Any]]) -> dict[str, list[Any]]:
    """Return columns as Python's own values: None where there is none, whole numbers as integers.

    Args:
        columns: What the columns are.
        values: As `sweep` gives them; of settings with fewer lines some columns are not there, here neither.
    """
    failed, there = values[ERROR] != "", [column for column in columns if column.name in values]
    return {column.name: _plain(column, values[column.name], failed) for column in there}


def _plain(column: Column, values: NDArray[Any], failed: NDArray[np.bool_]) -> list[Any]:
    if column.kind == "text":
        return [str(value) for value in values]
    if column.kind == "truth":
        return [None if bad else bool(value) for value, bad in zip(values, failed, strict=True)]
    whole = column.kind == "whole"
    return [None if value != value else int(value) if whole else value for value in values.tolist()]  # noqa: PLR0124
