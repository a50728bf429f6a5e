"""The checks that every spec makes of its fields: what is impossible is refused by the field's name."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import date


class SpecError(ValueError):
    """An entry or a config holds something impossible; the message names the field."""


def require(holds: bool, field: str, why: str) -> None:
    """Refuse a value unless a condition holds.

    Args:
        holds: The condition.
        field: Name of the field that it is about.
        why: What is wrong otherwise.

    Raises:
        SpecError: When it does not hold; one line that starts with the field.
    """
    if not holds:
        message = f"{field}: {why}"
        raise SpecError(message)


def is_number(value: object, *, above: float = -math.inf, least: float = -math.inf, most: float = math.inf) -> bool:
    """Return whether a value is a finite number (a bool is none) within its bounds.

    Args:
        value: Anything.
        above: A bound that it must exceed.
        least: A bound that it may reach.
        most: The upper bound, which it may reach.
    """
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return math.isfinite(value) and above < value and least <= value <= most


def require_number(
    spec: object, *fields: str, above: float = -math.inf, least: float = -math.inf, most: float = math.inf
) -> None:
    """Refuse fields that are no finite numbers within their bounds.

    Args:
        spec: The spec that has them.
        *fields: Their names.
        above: A bound that they must exceed.
        least: A bound that they may reach.
        most: The upper bound, which they may reach.

    Raises:
        SpecError: When one is not.
    """
    stated = (("above", above), ("at least", least), ("at most", most))
    bounds = " and ".join(f"{name} {bound:g}" for name, bound in stated if math.isfinite(bound)) or "a number"
    for field in fields:
        value = getattr(spec, field)
        within = is_number(value, above=above, least=least, most=most)
        require(within, field, f"must be {bounds}, not {value!r}")


def require_positive(spec: object, *fields: str) -> None:
    """Refuse sizes that are no positive whole numbers.

    Args:
        spec: The spec that has them.
        *fields: Their names.

    Raises:
        SpecError: When one is not.
    """
    for field in fields:
        value = getattr(spec, field)
        whole = isinstance(value, int) and not isinstance(value, bool)
        require(whole and value > 0, field, f"{value!r} is not a positive whole number")


def require_text(spec: object, *fields: str) -> None:
    """Refuse fields that are no text, or empty.

    Args:
        spec: The spec that has them.
        *fields: Their names.

    Raises:
        SpecError: When one is not.
    """
    for field in fields:
        value = getattr(spec, field)
        require(isinstance(value, str) and value.strip() != "", field, f"{value!r} is not a text")


def require_choice(spec: object, field: str, known: Iterable[str]) -> None:
    """Refuse a field that is none of the known words.

    Args:
        spec: The spec that has it.
        field: Its name.
        known: The words.

    Raises:
        SpecError: When it is none of them.
    """
    value, words = getattr(spec, field), list(known)
    require(value in words, field, f"{value!r} is not one of {', '.join(words)}")


def require_source(spec: object, field: str = "source") -> None:
    """Refuse a source that is no https address.

    Args:
        spec: The spec that has it.
        field: Its name.

    Raises:
        SpecError: When it is none.
    """
    value = getattr(spec, field)
    require(isinstance(value, str) and value.startswith("https://"), field, f"{value!r} is not an https address")


def require_date(spec: object, field: str = "checked") -> None:
    """Refuse a field that is no ISO date.

    Args:
        spec: The spec that has it.
        field: Its name.

    Raises:
        SpecError: When it is none.
    """
    value = getattr(spec, field)
    try:
        date.fromisoformat(str(value))
    except ValueError as error:
        message = f"{field}: {value!r} is not a date like 2026-01-31"
        raise SpecError(message) from error
