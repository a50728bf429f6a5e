"""The schema of one drafter line: its kind, and each part with its form and limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

from roofline_app import registry
from roofline_app.command.schemas.docstrings import field_meanings, of_link
from roofline_app.command.schemas.types import Schema, described, number, words
from roofline_app.query.acceptance_forms import CHANCE
from roofline_app.query.drafter_lines import (
    BANDWIDTH,
    BLOCK,
    BRANCHES,
    COST,
    LATENCY,
    PASSES,
    VERIFIED,
    part_names,
    read_drafter,
)
from roofline_app.query.drawn_drafters import CONFIG, SIZES, WORDS
from roofline_app.query.notices import Notices
from roofline_app.scenario import LONGEST_NAME, MOST_PARTS, Drafter, DrafterSizes

KIND = "kind"
NUMBER = r"[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?"
_WORD = "[a-z0-9.-]+"
_FORMS: Mapping[str, str] = MappingProxyType(
    {
        "acceptance": "Chance that a draft token is accepted, given that those before it were.",
        "length": "Tokens per round, the bonus token included, measured at one draft length: 2.58@3.",
        "survival": "Chance that the draft token at each position commits, never rising: 0.78:0.58:0.44.",
        "preset": "A measured acceptance, by its id.",
        "mix": f"Shares of workloads or chances, at most {MOST_PARTS}: 0.6:coding;0.4:0.5.",
    }
)
_MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        **_FORMS,
        "cost": "Share of a step per draft pass, or `physical` for the drafter's own work on the node.",
        "verified": "Nodes of the tree that are verified, the root not counted; left out for `topk` per level.",
        CONFIG: "The drafter's own config.json, minified, raw-deflated, base64url.",
        "name": f"A name of your own, at most {LONGEST_NAME} letters; in a link `, = : ; %` are percent-encoded twice.",
        "colour": "Six hex digits.",
    }
)
PARTS: Mapping[str, Callable[[], Schema]] = MappingProxyType(
    {
        "acceptance": lambda: number(CHANCE),
        "length": lambda: _pattern(f"{NUMBER}@[0-9]+"),
        "survival": lambda: _pattern(f"{NUMBER}(?::{NUMBER})*"),
        "preset": lambda: words(registry.acceptance_ids()),
        "mix": lambda: _pattern(f"{NUMBER}:{_WORD}(?:;{NUMBER}:{_WORD})*"),
        "cost": lambda: {"anyOf": [number(COST), {"const": "physical"}]},
        "block": lambda: number(BLOCK),
        "relax": lambda: number(CHANCE),
        "passes": lambda: number(PASSES),
        "gain": lambda: number(CHANCE),
        "topk": lambda: number(BRANCHES),
        "verified": lambda: number(VERIFIED),
        "ranks": lambda: _pattern(f"{NUMBER}(?::{NUMBER})*"),
        "spread": lambda: number(CHANCE),
        "confidence": lambda: number(CHANCE),
        **{name: partial(number, limits) for name, limits in SIZES.items()},
        **{name: partial(words, known) for name, known in WORDS.items()},
        CONFIG: lambda: _pattern("[A-Za-z0-9_-]+=*"),
        "model": lambda: words(dict.fromkeys((*registry.model_ids(), *registry.drafter_ids()))),
        "placement": lambda: words(("same", "separate")),
        "link.latency": lambda: number(LATENCY),
        "link.bandwidth": lambda: number(BANDWIDTH),
        "name": lambda: {"type": "string", "maxLength": LONGEST_NAME},
        "colour": lambda: _pattern("[0-9a-fA-F]{6}"),
    }
)


def _pattern(pattern: str) -> Schema:
    return {"type": "string", "pattern": f"^(?:{pattern})$"}


def meaning(part: str) -> str:
    """Return what a part of a drafter line says."""
    field = part.replace(".", "_").replace("-", "_")
    return _MEANINGS.get(part) or of_link({**field_meanings(DrafterSizes), **field_meanings(Drafter)}[field])


def drafter_schema() -> Schema:
    """Return the schema of a drafter line as an object; as a text it stands in a link, parts joined by commas."""
    kinds = registry.drafter_kinds()
    properties = {KIND: described(words(kinds), "The kind of drafter; it stands first in a line.")}
    properties |= {part: described(PARTS[part](), meaning(part)) for part in PARTS}
    lacking: dict[tuple[str, ...], list[str]] = {}
    for part in sorted(part_names()):
        if without := tuple(kind for kind in kinds if not _fits(kind, part)):
            lacking.setdefault(without, []).append(part)
    return {
        "type": "object",
        "properties": properties,
        "required": [KIND],
        "additionalProperties": False,
        "allOf": [_without(known, parts) for known, parts in lacking.items()],
    }


def line_schema() -> Schema:
    """Return the schema of a drafter line as a link has it: the kind, then `name=value` pairs joined by commas."""
    kinds, names = ("|".join(known).replace(".", r"\.") for known in (registry.drafter_kinds(), PARTS))
    return _pattern(f"(?:{kinds})(?:,(?:{names})=[^,=]*)*")


def _fits(kind: str, part: str) -> bool:
    """Return whether a part has a meaning for lines of a kind, as the reader of links decides."""
    notices = Notices()
    read_drafter(f"{kind},{part}=", notices)
    reasons = {notice.reason for notice in notices.all() if notice.key == f"drafter.{part}"}
    return not any(reason.endswith(("_only", "_of_kind")) for reason in reasons)


def _without(kinds: tuple[str, ...], parts: list[str]) -> Schema:
    """Return that lines of some kinds have none of some parts."""
    chosen = {"properties": {KIND: {"enum": list(kinds)}}}
    return {"if": chosen, "then": {"properties": dict.fromkeys(parts, False)}}
