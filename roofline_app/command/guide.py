"""`llms.txt` of the site: what is computed here, and how a program asks for it, made of the tables that answer."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from string import Template
from typing import Any

from roofline_app import registry
from roofline_app.command.completion import verbs_of
from roofline_app.command.parser import command_parser
from roofline_app.command.schemas import FOLDER, SCHEMAS
from roofline_app.command.schemas.drafter_parts import KIND
from roofline_app.command.schemas.types import Schema
from roofline_app.query import vocabulary
from roofline_app.query.numbers import written

NAME = "llms.txt"
_MOST_WORDS = 16


def guide() -> str:
    """Return the guide as Markdown, its addresses relative to the site."""
    template = resources.files(__package__).joinpath("guide.txt").read_text(encoding="utf-8")
    query = SCHEMAS["query"]()
    parts = {name: schema for name, schema in query["$defs"]["drafter"]["properties"].items() if name != KIND}
    return Template(template).substitute(
        verbs="\n".join(f"- `{verb.name}`: {verb.says}" for verb in verbs_of(command_parser())),
        keys="\n".join(_described(query["properties"])),
        kinds=", ".join(f"`{kind}`" for kind in registry.drafter_kinds()),
        parts="\n".join(_described(parts)),
        schemas="\n".join(_schemas()),
        presets="\n".join(f"- [{one.title}](p/{one.id}/): {one.story}" for one in registry.presets().values()),
    )


def _described(properties: dict[str, Schema]) -> Iterator[str]:
    for name, schema in properties.items():
        known = vocabulary.lists().get(name)
        form = f"some of {', '.join(known)}, joined by commas" if known else form_words(schema)
        default = f", default {_value(schema['default'])}" if "default" in schema else ""
        example = f" Example: `{name}={_value(schema['examples'][0])}`." if "examples" in schema else ""
        yield f"- `{name}` ({form}{default}): {schema['description']}{example}"


def _schemas() -> Iterator[str]:
    for name, make in SCHEMAS.items():
        yield f"- [{make()['title']}]({FOLDER}/{name}.schema.json)"


def form_words(schema: Schema) -> str:
    """Return what a value may be, in a few words.

    Args:
        schema: Of a key of the query, or of a part of a drafter line.
    """
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(form_words(one) for one in schema["anyOf"]))
    if "const" in schema:
        return _value(schema["const"])
    if "enum" in schema:
        known = schema["enum"]
        return ", ".join(known) if len(known) <= _MOST_WORDS else f"one of {len(known)} ids, which the schema lists"
    if "minimum" in schema:
        kind = "whole number" if schema["type"] == "integer" else "number"
        return f"{kind}, {_value(schema['minimum'])} to {_value(schema['maximum'])}"
    return "repeated" if schema.get("type") == "array" else "text"


def _value(value: Any) -> str:
    (one,) = value if isinstance(value, list) else [value]
    return written(one) if isinstance(one, (int, float)) else str(one)
