"""The text of a config.json as a table, or a refusal in one line."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping

from roofline_app.model.config_json.refusals import ConfigError, shown

LARGEST_CHARACTERS = 1 << 23
DEEPEST = 32


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    table = dict(pairs)
    if len(table) < len(pairs):
        (twice, _), *_ = Counter(name for name, _ in pairs).most_common(1)
        msg = f"{shown(twice)[1:-1]}: stated twice"
        raise ConfigError(msg)
    return table


def _refuse_deep(value: object, depth: int = 0) -> None:
    if depth > DEEPEST:
        msg = f"config.json: nested more than {DEEPEST} levels deep"
        raise ConfigError(msg)
    if isinstance(value, Mapping):
        for inner in value.values():
            _refuse_deep(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            _refuse_deep(inner, depth + 1)


# Bounds of what no pass reads, which some libraries write as Infinity.
_UNBOUNDED = re.compile(r"(.*\.)?(time_step|mamba_dt|gate_lower|swiglu)_?limit[s]?|(.*\.)?time_step_(max|min|floor)")


def _refuse_non_finite(value: object, path: str = "") -> None:
    """Refuse numbers that JSON does not have, but where they stand for no bound at all."""
    if _UNBOUNDED.fullmatch(path):
        return
    if isinstance(value, float) and not math.isfinite(value):
        msg = f"{path}: {value} is not a finite number"
        raise ConfigError(msg)
    if isinstance(value, Mapping):
        for name, inner in value.items():
            # A refusal is one line, whatever a file calls its fields.
            plain = " ".join(str(name).split())
            _refuse_non_finite(inner, f"{path}.{plain}" if path else plain)
    elif isinstance(value, list):
        for inner in value:
            _refuse_non_finite(inner, path)


def parsed(text: str) -> Mapping[str, object]:
    """Return the table that a config.json holds.

    Args:
        text: The file's text, at most a million characters.

    Returns:
        Its fields, nested tables included.

    Raises:
        ConfigError: When the text is too long, not JSON, no JSON object, nested too deep, states a field twice or
            holds a number that is not finite.
    """
    if len(text) > LARGEST_CHARACTERS:
        msg = f"config.json: {len(text)} characters are more than {LARGEST_CHARACTERS}"
        raise ConfigError(msg)
    try:
        value: object = json.loads(text, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        msg = f"config.json: not JSON ({error.msg}, line {error.lineno})"
        raise ConfigError(msg) from None
    except RecursionError:
        msg = f"config.json: nested more than {DEEPEST} levels deep"
        raise ConfigError(msg) from None
    except ConfigError:
        raise
    except ValueError:
        # Python refuses to read integers of several thousand digits.
        msg = "config.json: holds a number with too many digits"
        raise ConfigError(msg) from None
    return checked(value)


def checked(value: object) -> Mapping[str, object]:
    """Return an already parsed config once it is known to be a table of finite numbers.

    Args:
        value: What a parser gave.

    Returns:
        The same table.

    Raises:
        ConfigError: When it is no table, is nested too deep or holds a number that is not finite.
    """
    if not isinstance(value, Mapping):
        msg = f"config.json: {shown(value)} is not a JSON object"
        raise ConfigError(msg)
    _refuse_deep(value)
    _refuse_non_finite(value)
    return value
