"""A checkpoint's config.json, and the hf_quant_config.json that may lie beside it, as one JSON text."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence

from roofline_app.model.config_json.experts import EXPERT_NAMES
from roofline_app.model.config_json.parse import checked, parsed
from roofline_app.model.config_json.refusals import ConfigError

CONFIG, COMPANION = "config.json", "hf_quant_config.json"
BESIDE = "hf_quant_config"
_MOST_FILES = 2
TEXT_TABLES = ("text_config", "llm_config", "language_config")
_EXPERT = re.compile(r"(.*\.experts)\.(\d+)\.(.+)")
# Shorter configs stand in links as they are.
_LONG = 1 << 17


def _experts(config: Mapping[str, object]) -> int:
    """Return how many routed experts a config counts; 0 where it counts none."""
    inner = next((table for name in TEXT_TABLES if isinstance(table := config.get(name), Mapping)), config)
    return next((count for name in EXPERT_NAMES if isinstance(count := inner.get(name), int)), 0)


def _without_numbers(listed: Mapping[str, object], experts: int) -> dict[str, object]:
    """Return a table by module in which a matrix that all experts of a layer have alike is one entry."""
    said: dict[str, list[object]] = {}
    for name, value in listed.items():
        found = _EXPERT.fullmatch(name)
        if found:
            said.setdefault(f"{found[1]}.{found[3]}", []).append(value)
    alike = {
        matrix: values[0]
        for matrix, values in said.items()
        if len(values) == experts and all(value == values[0] for value in values)
    }
    kept = {
        name: value
        for name, value in listed.items()
        if (found := _EXPERT.fullmatch(name)) is None or f"{found[1]}.{found[3]}" not in alike
    }
    return kept | alike


def _shortened(config: Mapping[str, object], experts: int) -> dict[str, object]:
    """Return a config whose statements list experts without their numbers, so that a link can hold it."""
    found: dict[str, object] = {}
    for name, value in config.items():
        if name == "quantized_layers" and isinstance(value, Mapping) and experts:
            found[name] = _without_numbers(value, experts)
        else:
            found[name] = _shortened(value, experts) if isinstance(value, Mapping) else value
    return found


def strict(text: str) -> str:
    """Return a JSON text without insignificant white space, keys in their own order, in ASCII.

    Formats that are listed for every expert of a layer alike become one entry for all of them.

    Args:
        text: JSON that has been read before; numbers that JSON does not have become null.
    """

    def finite(number: str) -> float | None:
        return float(number) if math.isfinite(float(number)) else None

    table = json.loads(text, parse_constant=lambda _: None, parse_float=finite)
    if isinstance(table, dict) and len(text) > _LONG:
        table = _shortened(table, _experts(table))
    return json.dumps(table, separators=(",", ":"))


def _documents(text: str) -> list[str]:
    """Return the JSON objects that a text holds one after the other; the text itself where it holds no second."""
    decoder, start = json.JSONDecoder(), len(text) - len(text.lstrip())
    found: list[str] = []
    while start < len(text) and len(found) < _MOST_FILES:
        try:
            _, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            return [text]
        found.append(text[start:end])
        start = end + len(text[end:]) - len(text[end:].lstrip())
    return found if start >= len(text) and len(found) == _MOST_FILES else [text]


def is_companion(table: Mapping[str, object]) -> bool:
    """Return whether a file is an hf_quant_config.json: it states formats, and no architecture."""
    stated = table.get("quantization")
    its_own = "quant_algo" in (stated if isinstance(stated, Mapping) else table)
    return its_own and "model_type" not in table and "text_config" not in table


def one_config(texts: Sequence[str], *, before: str = "") -> str:
    """Return the files of one checkpoint as the text of one config.json.

    Args:
        texts: A config.json and, if there is one, its hf_quant_config.json, in any order; one text may hold both, one
            after the other.
        before: A config.json that was given before; a companion alone belongs to it.

    Returns:
        The config's own text, or JSON that holds the companion under `hf_quant_config`.

    Raises:
        ConfigError: When there are two of a kind, a companion alone, or a text is not a JSON object.
    """
    documents = [document for text in texts for document in _documents(text)]
    if len(documents) == 1:
        table = parsed(documents[0])
        if is_companion(table) and before:
            return one_config([before, *documents])
        if is_companion(table):
            message = f"{COMPANION}: states no architecture; give the {CONFIG} that it lies beside as well"
            raise ConfigError(message)
        return documents[0]
    tables = [parsed(document) for document in documents]
    configs = [table for table in tables if not is_companion(table)]
    if len(tables) != _MOST_FILES or len(configs) != 1:
        message = f"{CONFIG}: {len(configs)} given with {len(tables) - len(configs)} {COMPANION}; give one of each"
        raise ConfigError(message)
    (companion,) = (table for table in tables if is_companion(table))
    return strict(json.dumps(checked({**configs[0], BESIDE: dict(companion)})))
