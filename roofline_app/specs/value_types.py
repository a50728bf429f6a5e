"""Whether a value of a data file is of the type that a field is annotated with."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

_WORDS: Mapping[Any, str] = {str: "a text", float: "a number", int: "a whole number", bool: "true or false"}


@cache
def field_types(make: Callable[..., object]) -> Mapping[str, Any]:
    """Return the types of a dataclass's fields, or of a function's parameters, by name.

    Args:
        make: A dataclass, or a function; its `**` parameter is left out.
    """
    hints = get_type_hints(make)
    if isinstance(make, type) and is_dataclass(make):
        return {field.name: hints[field.name] for field in fields(make)}
    named = inspect.signature(make).parameters.values()
    return {parameter.name: hints[parameter.name] for parameter in named if parameter.kind is not parameter.VAR_KEYWORD}


def mismatch(value: object, hint: Any) -> str:
    """Return the type that a value lacks, such as `a number`; empty if it has the right one.

    Args:
        value: A value of a TOML file, a list as tuple.
        hint: The type that it should be of. Types of which no TOML value can be fit everything: their maker refuses.
    """
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        found = [mismatch(value, kind) for kind in inner if kind is not NoneType]
        return "" if "" in found else " or ".join(found)
    if origin is Literal:
        return "" if value in inner else f"one of {', '.join(map(str, inner))}"
    if hint in _WORDS:
        return "" if _is_plain(value, hint) else _WORDS[hint]
    kind = origin or hint
    if kind is Mapping:
        within = isinstance(value, Mapping) and not any(mismatch(part, inner[-1]) for part in value.values())
        return "" if within else f"a table{_of(inner[-1])}"
    if kind in (tuple, Sequence, Iterable):
        within = isinstance(value, tuple | list) and not any(mismatch(part, inner[0]) for part in value)
        return "" if within else f"a list{_of(inner[0])}"
    return ""


def _is_plain(value: object, kind: type) -> bool:
    if isinstance(value, bool) or kind is bool:
        return isinstance(value, bool) and kind is bool
    return isinstance(value, (int, float) if kind is float else kind)


def _of(kind: Any) -> str:
    """Return the word for the items of a list or table, if there is one."""
    word = _WORDS.get(kind, "")
    return f" of {word.removeprefix('a ')}s" if word.startswith("a ") else ""
