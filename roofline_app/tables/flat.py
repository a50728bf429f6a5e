"""Nested JSON values as one row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

BETWEEN = "; "


def flat(value: Mapping[str, Any], within: str = "") -> dict[str, Any]:
    """Return an object's values as one row: those of inner objects under names joined by dots.

    Args:
        value: As JSON has it.
        within: What stands before its names.

    Returns:
        Single values as they are, and lists of them as one text; lists of objects or lists are no cells and left out.

    Examples:
        >>> flat({"id": "b200", "peaks": {"bf16": 1.0}, "names": ["a", "b"], "layers": [{}]})
        {'id': 'b200', 'peaks.bf16': 1.0, 'names': 'a; b'}
    """
    found: dict[str, Any] = {}
    for name, inner in value.items():
        if isinstance(inner, Mapping):
            found |= flat(inner, f"{within}{name}.")
        elif not isinstance(inner, list):
            found[within + name] = inner
        elif not any(isinstance(one, (Mapping, list)) for one in inner):
            found[within + name] = BETWEEN.join(map(str, inner))
    return found
