"""An evaluation as plain JSON values, field for field as in `results`, with its answer in words."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from roofline_app import query, registry
from roofline_app.evaluation import adaptive, evaluate, need, schedule
from roofline_app.evaluation.planning import nodes
from roofline_app.hardware.layout_words import layout_reason
from roofline_app.model.dimensions import DrafterSpec, ModelSpec
from roofline_app.model.to_terms import active_parameters, parameters_by_category, total_parameters
from roofline_app.results import Evaluation
from roofline_app.scenario import Scenario
from roofline_app.specs import Preset
from roofline_app.verdict import answer

SCHEMA = 1


def plain(value: object) -> Any:
    """Return a value with dataclasses as objects, arrays and tuples as lists, numbers as Python's own."""
    if isinstance(value, (str, bool, int, float)) or value is None:
        return value
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(inner) for inner in value]
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    message = f"{type(value).__name__} has no JSON form"
    raise TypeError(message)


# What follows from a scenario besides its evaluation, by key, and is worked out where it is asked for only.
FURTHER: Mapping[str, Callable[[Scenario], object]] = MappingProxyType(
    {"adaptive": adaptive, "need": need, "nodes": nodes, "schedule": schedule}
)


def _finite(value: Any) -> Any:
    """Return a plain value with None for numbers that are not there."""
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def as_json(
    evaluation: Evaluation, *, notices: Iterable[str] = (), language: str = "en", further: Iterable[str] = ()
) -> dict[str, Any]:
    """Return the evaluation as the published JSON object; keys stay, more may come.

    Args:
        evaluation: What to write.
        notices: Sentences about the input, before the evaluation's own.
        language: Of the texts; never changes a number.
        further: Keys of `FURTHER` to write too; those that the scenario's figures show are always among them.

    Examples:
        >>> as_json(evaluate(Scenario()))["node"]["gpus"]
        8
    """
    said = answer(evaluation, language)
    facts, wanted = plain(evaluation), {*further, *evaluation.scenario.presentation.figures}
    pinned = [evaluate(query.decode(one).scenario) for one in evaluation.scenario.pinned]
    facts["layout"]["reason"] = layout_reason(evaluation.layout, language)
    return {
        "schema": SCHEMA,
        "query": query.encode(evaluation.scenario),
        "notices": [*notices, *said.notices],
        "batch": evaluation.batch,
        "context": evaluation.context,
        "cap": evaluation.cap,
        **{name: value for name, value in facts.items() if name != "scenario"},
        **{key: _finite(plain(FURTHER[key](evaluation.scenario))) for key in FURTHER if key in wanted},
        **({"compared": [as_json(one, language=language) for one in pinned]} if pinned else {}),
        "headline": said.headline,
        "verdict": said.verdict,
    }


def model_entry(model: ModelSpec) -> dict[str, Any]:
    """Return a model's facts with their source, its parameters as computed from its dimensions."""
    return {
        **plain(model),
        "parameters": total_parameters(model),
        "active_parameters": active_parameters(model),
        "parameters_by_category": parameters_by_category(model),
    }


def drafter_entry(drafter: DrafterSpec) -> dict[str, Any]:
    """Return the facts of a drafter that has weights, its block also as checkpoints count it.

    Args:
        drafter: The drafter.
    """
    counted = 0 if drafter.anchor_drafts else 1
    in_blocks = drafter.block > 1 and not registry.drafter_kind(drafter.kind).parallel
    positions = drafter.block + counted if in_blocks else 0
    return {**plain(drafter), "block_size": positions}


def preset_entry(preset: Preset) -> dict[str, Any]:
    """Return a preset as its data file states it: a translation under its language's key."""
    entry = plain(preset)
    translations = entry.pop("translations")
    return {**entry, **translations}
