"""Query strings as objects of their keys, the form that the schema of queries is about, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote, unquote_plus

from roofline_app.command.schemas.drafter_parts import KIND, PARTS
from roofline_app.query.decoding import HARDWARE, NUMBERS
from roofline_app.query.numbers import BINARY, DECIMAL, number, written
from roofline_app.specs import SpecError

_NUMBERS = {**NUMBERS, **HARDWARE}
PINNED = "compare"
_AS_GIVEN = frozenset({"config"})
_BARE = ",:;=@."
_RESERVED = ",=:;%"


def query_object(text: str) -> dict[str, Any]:
    """Return the keys of a query string with their values.

    Args:
        text: A query string, percent-encoded or not.

    Returns:
        Numbers as numbers where a text states one, drafter lines as objects, everything else as it stands there. What
        the schema of queries refuses, a link replaces with a notice.

    Examples:
        >>> query_object("batch=4k&drafter=mtp,acceptance=0.8")
        {'batch': 4096, 'drafter': [{'kind': 'mtp', 'acceptance': 0.8}]}
    """
    found: dict[str, Any] = {}
    for pair in filter(None, text.strip().lstrip("?").split("&")):
        name, _, value = (unquote_plus(part).strip() for part in pair.partition("="))
        if name == "drafter":
            found.setdefault(name, []).append(_line(value))
        elif name == PINNED:
            earlier = found.get(name, [])
            found[name] = [*([earlier] if isinstance(earlier, str) else earlier), value] if earlier else value
        elif name == "v":
            found[name] = _number(value, whole=False)
        elif name in _NUMBERS:
            found[name] = _number(value, whole=_NUMBERS[name].whole)
        else:
            # Links take words in any case, and a plus sign of theirs reads as a space.
            found[name] = value if name in _AS_GIVEN else value.lower().replace(" ", "+")
    return found


def query_of(text: str) -> str:
    """Return the query string that a text is, or states as a JSON object of keys.

    Args:
        text: A query string, which never begins with a brace, or an object.

    Raises:
        SpecError: When it begins with a brace and is no JSON object.
    """
    if not text.lstrip().startswith("{"):
        return text
    try:
        return query_text(json.loads(text))
    except (ValueError, RecursionError) as error:
        message = f"query: begins as a JSON object and is none: {error}"
        raise SpecError(message) from error


def query_text(keys: Mapping[str, Any]) -> str:
    """Return the query string of an object of keys, as a link has it.

    Args:
        keys: Values by key; drafter lines as objects or as texts.

    Examples:
        >>> query_text({"batch": 8, "drafter": [{"kind": "mtp", "acceptance": 0.8}]})
        'batch=8&drafter=mtp,acceptance=0.8'
    """
    pairs = []
    for key, value in keys.items():
        for one in value if isinstance(value, list) else [value]:
            stated = _line_text(one) if isinstance(one, Mapping) else _text(one)
            pairs.append("=".join(quote(part, safe=_BARE, errors="replace") for part in (key, stated)))
    return "&".join(pairs)


def _number(text: str, *, whole: bool) -> Any:
    value = number(text, BINARY if whole else DECIMAL)
    return text if value is None else int(value) if value.is_integer() else value


def _is_number(part: str) -> bool:
    stated = PARTS[part]() if part in PARTS else {}
    kinds = {one.get("type") for one in (stated, *stated.get("anyOf", ()))}
    return bool(kinds & {"number", "integer"})


def _line(text: str) -> dict[str, Any]:
    kind, *parts = text.split(",")
    found: dict[str, Any] = {KIND: kind.strip()}
    for name, _, value in (part.strip().partition("=") for part in parts):
        found[name] = _number(value, whole=False) if _is_number(name) else unquote(value) if name == "name" else value
    return found


def _line_text(line: Mapping[str, Any]) -> str:
    kind = line.get(KIND, "")
    parts = (
        f"{name}={_name(value) if name == 'name' else _text(value)}" for name, value in line.items() if name != KIND
    )
    return ",".join([str(kind), *parts])


def _name(value: str) -> str:
    return "".join(f"%{ord(letter):02X}" if letter in _RESERVED else letter for letter in value)


def _text(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    return written(value)
