"""Refusals of what a model cannot be."""

from __future__ import annotations

from datetime import date

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


def require_source(source: str) -> None:
    """Refuse a source that is no https address.

    Raises:
        SpecError: When it is none.
    """
    require(source.startswith("https://"), "source", "is not an https address")


def require_date(field: str, value: str) -> None:
    """Refuse what is no ISO date.

    Raises:
        SpecError: When it is none.
    """
    try:
        date.fromisoformat(value)
    except ValueError:
        require(holds=False, field=field, why=f"{value!r} is not a date like 2026-01-31")
