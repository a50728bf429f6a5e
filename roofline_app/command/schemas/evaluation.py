"""The schema of what `evaluate` prints, from the types of `results`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, get_type_hints

from roofline_app import export
from roofline_app.command.schemas.docstrings import field_meanings, summary
from roofline_app.command.schemas.types import DRAFT, Schema, TypeSchemas, described, schema_id
from roofline_app.hardware.parallelism import LayoutFacts
from roofline_app.results import Evaluation

# What stands around the blocks of the evaluation.
_BEFORE: dict[str, tuple[Any, str]] = {
    "schema": (Literal[export.SCHEMA], "Version of this form: keys stay within it, more may come."),
    "query": (str, "The setting as a canonical query string."),
    "notices": (list[str], "What of the query was not used as given, then what limits or was assumed for the answer."),
    "batch": (int, "Sequences decoded together."),
    "context": (int, "Tokens in each sequence's cache."),
    "cap": (int, "Longest draft considered."),
}
COMPARED = "compared"
_AFTER: dict[str, tuple[Any, str]] = {
    "headline": (str, "The answer in a few words, in the query's language."),
    "verdict": (str, "The answer in sentences, in the query's language."),
}


def evaluation_schema(*, closed: bool = False) -> Schema:
    """Return the schema of the JSON object that an evaluation is printed as.

    Args:
        closed: Whether keys that no type describes are refused, as tests want it; readers must take them.
    """
    types = TypeSchemas(closed=closed)
    properties = {name: described(types.of(hint), said) for name, (hint, said) in _BEFORE.items()}
    properties |= types.properties(Evaluation, without=["scenario", "layout"])
    properties["layout"] = described(_layout(types), field_meanings(Evaluation)["layout"])
    properties |= {key: _further(types, make) for key, make in export.FURTHER.items()}
    pinned = {"type": "array", "items": {"$ref": "#"}}
    properties[COMPARED] = described(pinned, "The same of each pinned setting, in order; printed where one is pinned.")
    properties |= {name: described(types.of(hint), said) for name, (hint, said) in _AFTER.items()}
    return {
        "$schema": DRAFT,
        "$id": schema_id("evaluation", export.SCHEMA),
        "title": "What `evaluate` prints",
        "description": "Units are in the names: bytes, flops, seconds, tokens, USD, always unscaled.",
        **types.an_object(properties, optional=[*export.FURTHER, COMPARED]),
        "$defs": dict(sorted(types.definitions.items())),
    }


def _layout(types: TypeSchemas) -> Schema:
    """Return the schema of the layout, to which the export adds its reason in words."""
    reason = described(types.of(str), "Why the GPUs share the model this way, in the query's language.")
    return described(types.an_object(types.properties(LayoutFacts) | {"reason": reason}), summary(LayoutFacts))


def _further(types: TypeSchemas, make: Callable[..., object]) -> Schema:
    """Return the schema of what is printed where it is asked for, whose numbers may be missing."""
    kind = get_type_hints(make)["return"]
    return described(types.of(kind, gaps=True), f"Printed where it is asked for. {summary(kind)}")
