"""JSON Schema (draft 2020-12) of Python types: what `export.plain` makes of their values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from roofline_app.command.schemas.docstrings import field_meanings, summary
from roofline_app.query.numbers import Limits
from roofline_app.results.schedule import TABLE

Schema = dict[str, Any]
DRAFT = "https://json-schema.org/draft/2020-12/schema"
_PLAIN: Mapping[Any, str] = {str: "string", bool: "boolean", int: "integer", float: "number", NoneType: "null"}
_ARRAYS: tuple[tuple[type, str], ...] = ((np.bool_, "boolean"), (np.integer, "integer"), (np.floating, "number"))


@dataclass(frozen=True)
class OneOf:
    """Says of a text that it is one of some words, which are asked for when a schema is made."""

    words: Callable[[], Iterable[str]]


def number(limits: Limits) -> Schema:
    """Return the schema of a number within limits."""
    if limits.whole:
        return {"type": "integer", "minimum": int(limits.least), "maximum": int(limits.most)}
    above = {"type": "number", "minimum": float(limits.smallest or limits.least), "maximum": float(limits.most)}
    return {"anyOf": [{"const": 0}, above]} if limits.smallest else above


def words(known: Iterable[str]) -> Schema:
    """Return the schema of one of some words."""
    return {"type": "string", "enum": list(known)}


def schema_id(name: str, version: int) -> str:
    """Return the name by which a schema is known, wherever its file lies."""
    return f"urn:speculation-roofline:{name}:{version}"


class TypeSchemas:
    """Schemas of types, with those of dataclasses kept apart by name.

    Attributes:
        definitions: Of the dataclasses met so far, by their names.
    """

    def __init__(self, *, closed: bool) -> None:
        """Begin without definitions.

        Args:
            closed: Whether objects have no fields but those described; readers take those that later versions add.
        """
        self.definitions: dict[str, Schema] = {}
        self._closed = closed

    def of(self, hint: Any, *, gaps: bool = False) -> Schema:
        """Return the schema of a type.

        Args:
            hint: A type annotation of a value that has a JSON form.
            gaps: Whether numbers that are not there are null.

        Raises:
            TypeError: When values of the type have no JSON form.
        """
        origin, inner = get_origin(hint), get_args(hint)
        if hint in _PLAIN:
            return {"type": ["number", "null"] if gaps and hint is float else _PLAIN[hint]}
        if is_dataclass(hint):
            return self._reference(hint, gaps=gaps)
        if origin is Annotated:
            return self._annotated(inner[0], inner[1:], gaps=gaps)
        if origin is Literal:
            return {"enum": list(inner)}
        if origin in (Union, UnionType):
            return self._union(inner, gaps=gaps)
        return self._collection(hint, origin, inner, gaps=gaps)

    def properties(self, kind: Any, *, without: Iterable[str] = (), gaps: bool = False) -> dict[str, Schema]:
        """Return the schemas of a dataclass's fields, by name, with what its docstring says of them.

        Args:
            kind: The dataclass.
            without: Fields to leave out.
            gaps: Whether numbers that are not there are null.
        """
        hints = get_type_hints(kind, include_extras=True)
        meanings = field_meanings(kind)
        found = {}
        for name in kind.__dataclass_fields__:
            if name not in set(without):
                found[name] = described(self.of(hints[name], gaps=gaps), meanings.get(name, ""))
        return found

    def an_object(self, properties: Mapping[str, Schema], *, optional: Iterable[str] = ()) -> Schema:
        """Return the schema of an object.

        Args:
            properties: By name.
            optional: Names that may be missing.
        """
        required = [name for name in properties if name not in set(optional)]
        found: Schema = {"type": "object", "properties": dict(properties), "required": required}
        return found | {"additionalProperties": False} if self._closed else found

    def _reference(self, kind: Any, *, gaps: bool) -> Schema:
        name = f"{kind.__name__}WithGaps" if gaps else kind.__name__
        if name not in self.definitions:
            self.definitions[name] = {}  # a type may hold itself
            self.definitions[name] = described(self.an_object(self.properties(kind, gaps=gaps)), summary(kind))
        return {"$ref": f"#/$defs/{name}"}

    def _annotated(self, hint: Any, facts: Sequence[object], *, gaps: bool) -> Schema:
        found = self.of(hint, gaps=gaps)
        for fact in facts:
            if isinstance(fact, Limits):
                found = number(fact)
            if isinstance(fact, OneOf):
                found = words(fact.words())
            if fact == TABLE:
                found = {"type": "array", "items": found}
        return found

    def _union(self, kinds: Sequence[Any], *, gaps: bool) -> Schema:
        found = [self.of(kind, gaps=gaps) for kind in kinds]
        if all(list(one) == ["type"] and isinstance(one["type"], str) for one in found):
            return {"type": [one["type"] for one in found]}
        return {"anyOf": found}

    def _array(self, kind: Any, *, gaps: bool) -> Schema:
        (element,) = get_args(kind)
        word = next(word for known, word in _ARRAYS if issubclass(element, known))
        return {"type": "array", "items": {"type": ["number", "null"] if gaps and word == "number" else word}}

    def _collection(self, hint: Any, origin: Any, inner: Sequence[Any], *, gaps: bool) -> Schema:
        if origin is np.ndarray:
            return self._array(inner[-1], gaps=gaps)
        if origin is not None and issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self.of(inner[1], gaps=gaps)}
        if origin in (tuple, list, Sequence) and (len(inner) == 1 or inner[-1] is Ellipsis):
            return {"type": "array", "items": self.of(inner[0], gaps=gaps)}
        if origin is tuple:
            items = [self.of(kind, gaps=gaps) for kind in inner]
            return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
        message = f"{hint} has no JSON form"
        raise TypeError(message)


def described(schema: Schema, meaning: str) -> Schema:
    """Return a schema with what it means, if that is said."""
    return {**schema, "description": meaning} if meaning else schema
