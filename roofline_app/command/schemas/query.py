"""The schema of a query string as an object of its keys, from the tables that read links."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from roofline_app import registry
from roofline_app.command.schemas.docstrings import field_meanings, of_link
from roofline_app.command.schemas.drafter_parts import NUMBER, drafter_schema, line_schema
from roofline_app.command.schemas.types import DRAFT, Schema, described, number, schema_id, words
from roofline_app.query import planning_words, vocabulary
from roofline_app.query.decoding import HARDWARE, KEYS, NUMBERS
from roofline_app.query.encoding import PUBLISHED, VERSION
from roofline_app.scenario import CUSTOM, MOST_DRAFTERS, MOST_PINNED, Scenario

_FORMATS = "|".join((PUBLISHED, *vocabulary.FORMATS))
_POINT = "[^@:;]+:[^@:;]+"
_LOAD = rf"[0-9]+(?:@[0-9]+)?:{NUMBER}"
_PART = f"(?:experts|linear|head):(?:{_FORMATS})"
_MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        "v": "Version of the keys.",
        "model": f"An id that `models` lists, the name of its Hugging Face repository, or `{CUSTOM}` with `config`.",
        "config": "A Hugging Face config.json, minified, raw-deflated, base64url.",
        "gpu": "An id that `gpus` lists.",
        "load": "Share of the time at each batch, by semicolons, the context after `@`: 1:0.2;16:0.5;64@32768:0.3.",
        "preset": "A named setting that `presets` lists; keys beside it override it.",
        "compare": f"Pinned settings, at most {MOST_PINNED}, in order: queries, encoded once more; links repeat it.",
        "drafter": f"Drafter lines, at most {MOST_DRAFTERS}, in order; in a link the key is repeated.",
        "learning": "USD spent on training a drafter, and the tokens per round that they reach: usd:tokens;usd:tokens.",
        "weights": "Weight formats: as published, one for all, or by part (experts:fp4,linear:fp8,head:bf16).",
        "figure": "Figures to show; no number depends on it.",
        "figures": "Figures to show; no number depends on it.",
        "controls": "Controls to show; no number depends on it.",
        "theme": "Colours; no number depends on it.",
        "target": "What a node is looked for to reach: user (tokens per second per user, at least), usd (per million "
        "tokens, at most), ttft (seconds to the first token, at most).",
        "nodes": "What the search for nodes is limited to: accelerators with their numbers (@1-8), formats, layouts.",
        "prices": "Own USD per hour by accelerator.",
        "lang": "Language of the texts; no number depends on it.",
        "poster": "Name of a poster to show until the figure is drawn; no number depends on it.",
    }
)
_FIGURES: Mapping[str, str] = MappingProxyType(
    {
        "memory": "bytes of memory",
        "bandwidth": "bytes per second of its memory",
        "interconnect": "bytes per second to the others, one way",
    }
)
# Keys that are neither numbers nor words of a list.
_OTHERS: Mapping[str, Callable[[], Schema]] = MappingProxyType(
    {
        "v": lambda: {"const": VERSION},
        "model": lambda: {
            "anyOf": [words((*registry.model_ids(), CUSTOM)), {"type": "string", "pattern": "^[^/\\s]+/[^/\\s]+$"}]
        },
        "config": lambda: {"type": "string", "pattern": "^[A-Za-z0-9_-]+=*$"},
        "gpu": lambda: words(registry.gpu_ids()),
        "preset": lambda: words(registry.presets()),
        "compare": lambda: {
            "anyOf": [
                {"type": "string"},
                {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": MOST_PINNED},
            ]
        },
        "load": lambda: {"type": "string", "pattern": f"^{_LOAD}(?:;{_LOAD})*$"},
        "learning": lambda: {"type": "string", "pattern": f"^(?:[^@:;]+@)?{_POINT}(?:;{_POINT})+$"},
        "weights": lambda: {"type": "string", "pattern": f"^(?:{_FORMATS}|{_PART}(?:,{_PART})*)$"},
        "poster": lambda: {"type": "string", "pattern": "^[a-z0-9.-]{1,64}$"},
        "target": lambda: {"type": "string", "pattern": _listed("(?:user|usd):[1-9][0-9]{0,3}|usd:0[.][1-9]")},
        "nodes": lambda: {
            "type": "string",
            "pattern": _listed(
                f"(?:{_gpus()})(?:@[1-7](?:-[7-9])?)?|@[1-7](?:-[7-9])?|{'|'.join(planning_words.FORMATS)}"
            ),
        },
        "prices": lambda: {"type": "string", "pattern": _listed(f"(?:{_gpus()}):[0-9]{{1,4}}(?:[.][0-9]{{1,4}})?")},
    }
)


def _gpus() -> str:
    return "|".join(map(re.escape, registry.gpu_ids()))


def _listed(one: str) -> str:
    """Return the pattern of one to eight words joined by commas."""
    return f"^(?:{one})(?:,(?:{one})){{0,7}}$"


def meaning(key: str) -> str:
    """Return what a key of a link says.

    Raises:
        KeyError: When nobody has said what it means.
    """
    if key in HARDWARE:
        name = key.removeprefix("gpu.")
        figure = _FIGURES.get(name, f"dense {name} FLOP/s")
        return f"Another figure for one GPU than the registry's: {figure}."
    return _MEANINGS.get(key) or of_link(field_meanings(Scenario)[key.replace("-", "_")])


def form(key: str) -> Schema:
    """Return the schema of a key's value.

    Raises:
        KeyError: When nobody has said which values it takes.
    """
    if key in NUMBERS or key in HARDWARE:
        return number({**NUMBERS, **HARDWARE}[key])
    if key in vocabulary.choices():
        return words(vocabulary.choices()[key])
    if key in vocabulary.lists():
        known = "|".join(vocabulary.lists()[key])
        return {"type": "string", "pattern": f"^(?:{known})(?:,(?:{known}))*$"}
    if key == "drafter":
        line = {"anyOf": [{"$ref": "#/$defs/drafter"}, {"$ref": "#/$defs/line"}]}
        return {"type": "array", "items": line, "minItems": 1, "maxItems": MOST_DRAFTERS}
    return _OTHERS[key]()


# Where neither the default nor the first word shows it.
_EXAMPLES: Mapping[str, str | float] = MappingProxyType(
    {
        "model": "qwen3.5-27b",
        "gpu": "h200-sxm",
        "preset": "dense",
        "compare": "batch%3D8%26gpus%3D4",
        "weights": "experts:fp4,linear:fp8,head:bf16",
        "drafter": "block,acceptance=0.89,cost=0.1,block=16",
        "profile": "calibrated",
        "kv": "fp8",
        "layout": "tp",
        "figure": "speedup",
        "figures": "speedup,batch",
        "controls": "model,batch",
        "theme": "dark",
        "poster": "posters.svg",
        "price": 6.25,
        "traffic": 10**9,
        "after": 3.5,
        "training": 1e5,
        "learning": "0:3.1;20000:3.6;100000:4",
        "horizon": 180,
        "prompt": 8192,
        "output": 1024,
        "requests": 512,
        "budget": 256,
        "target": "user:50,usd:0.8",
        "nodes": "b200,h200-sxm@1-8",
        "prices": "b200:5.5,h200-sxm:3.2",
        "electricity": 0.1,
        "load": "1:0.2;16:0.5;64:0.3",
        "gpu.bandwidth": 8 * 10**12,
        "gpu.memory": 192 * 10**9,
    }
)


def example(key: str, schema: Schema) -> Any:
    """Return a value of a key as a link has it; None where only a file gives one.

    Args:
        key: The key.
        schema: What its values are.
    """
    if key in _EXAMPLES:
        return _EXAMPLES[key]
    if default(key) is not None:
        return default(key)
    if "enum" in schema:
        return schema["enum"][0]
    if key in HARDWARE:
        return 10**15
    return schema.get("const")


def default(key: str) -> Any:
    """Return the value that a key stands for where it is missing; None where there is no one value."""
    value = getattr(Scenario(), key.replace("-", "_"), None)
    return value if isinstance(value, (str, int, float)) and value != "" else None


def _examples(key: str, schema: Schema) -> list[Any] | None:
    found = example(key, schema)
    return None if found is None else [[found]] if schema.get("type") == "array" else [found]


def query_schema() -> Schema:
    """Return the schema of a query string as an object: numbers as numbers, everything else as a link has it."""
    properties = {}
    for key in KEYS:
        properties[key] = found = described(form(key), meaning(key))
        for word, value in (("default", default(key)), ("examples", _examples(key, found))):
            if value is not None:
                found[word] = value
    return {
        "$schema": DRAFT,
        "$id": schema_id("query", VERSION),
        "title": "A query string, as an object of its keys",
        "description": "What stands behind the question mark of a link: each key and its value joined by `=`, pairs by "
        "`&`, values percent-encoded. Missing keys have their defaults. A link also takes 4k, 1e2 or 32.0 for numbers.",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        "dependentRequired": {"config": ["model"]},
        "$defs": {
            "drafter": described(drafter_schema(), "A drafter line as an object."),
            "line": described(line_schema(), "A drafter line as in a link: the kind, then name=value, by commas."),
        },
    }
