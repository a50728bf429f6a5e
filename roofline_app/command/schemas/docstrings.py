"""What docstrings say of a dataclass and of its fields, as one line each."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from functools import cache

_FIELD = re.compile(r"^ {4}(\w+): (.*)$")
_WORDS: Mapping[str, str] = {"None": "null", "True": "true", "False": "false"}


@cache
def summary(kind: type) -> str:
    """Return the first paragraph of a type's docstring, in one line."""
    text = inspect.cleandoc(kind.__doc__ or "")
    return _said(" ".join(text.partition("\n\n")[0].split()))


@cache
def field_meanings(kind: type) -> Mapping[str, str]:
    """Return what the section `Attributes` of a type's docstring says, by field, each in one line.

    Args:
        kind: A type with a docstring in Google's style.
    """
    _, _, section = inspect.cleandoc(kind.__doc__ or "").partition("Attributes:\n")
    found: dict[str, str] = {}
    name = ""
    for line in section.splitlines():
        if match := _FIELD.match(line):
            name, said = match.groups()
            found[name] = said
        elif name and line.startswith(" " * 8):
            found[name] += f" {line.strip()}"
    return {field: _said(said) for field, said in found.items()}


def of_link(text: str) -> str:
    """Return what a field means in the words of a link, where nothing is said by leaving a key out."""
    return re.sub(r"\b(null|empty)\b", "left out", text)


def _said(text: str) -> str:
    """Return a sentence in the words of JSON."""
    return re.sub(r"\b(None|True|False)\b", lambda match: _WORDS[match.group()], text)
