"""Refusals of what a model cannot be."""

from __future__ import annotations

from roofline_app.specs import SpecError


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


def require_positive(spec: object, *fields: str) -> None:
    """Refuse sizes that are no positive whole numbers.

    Args:
        spec: What holds them.
        *fields: Their names.

    Raises:
        SpecError: When one is not.
    """
    for field in fields:
        value = getattr(spec, field)
        whole = isinstance(value, int) and not isinstance(value, bool)
        require(whole and value > 0, field, f"{value!r} is not a positive whole number")
