"""Text typed into a box: a box understands what a link does, by the same readers."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from roofline_app import format as fmt, query, registry
from roofline_app.query import Notice
from roofline_app.query.drafter_lines import read_drafter
from roofline_app.query.notices import Notices
from roofline_app.query.numbers import Limits, read_number
from roofline_app.scenario import Drafter

_GROUPED = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?![0-9,])")
_GROUPED_BY_POINTS = re.compile(r"[1-9][0-9]{0,2}(?:\.[0-9]{3})+,[0-9]+(?![0-9,.])")
_DECIMAL_COMMA = re.compile(r"(?<![0-9,.])([0-9]*),([0-9]+)(?![0-9,.])")


def plain_digits(text: str) -> str:
    """Return a typed text with its numbers as links write them: plain digits, a decimal point, no grouping.

    Full-width digits and signs become plain ones. Commas group thousands where each has three digits behind it and no
    zero stands in front; a single comma elsewhere is a decimal comma.

    Args:
        text: What was typed.

    Examples:
        >>> plain_digits("１６"), plain_digits("2,8 @ 3"), plain_digits("1,024"), plain_digits("0,125")
        ('16', '2.8 @ 3', '1024', '0.125')
    """
    plain = unicodedata.normalize("NFKC", text)
    plain = _GROUPED_BY_POINTS.sub(lambda found: found[0].replace(".", "").replace(",", "."), plain)
    plain = _GROUPED.sub(lambda found: found[0].replace(",", ""), plain)
    return _DECIMAL_COMMA.sub(r"\1.\2", plain)


class NotUnderstoodError(ValueError):
    """What was typed is not a value of its control.

    Attributes:
        given: What was typed.
        allowed: The allowed range, where it is only outside of that.
        notice: What is said of it, where that is more than that it is not understood.
    """

    def __init__(self, given: str, allowed: str = "", notice: Notice | None = None) -> None:
        """Keep what was typed.

        Args:
            given: What was typed.
            allowed: The allowed range in words, or empty.
            notice: What a link's reader says of it, where a user can do something with that.
        """
        super().__init__(given)
        self.given = given
        self.allowed = allowed
        self.notice = notice


def _refuse(notices: Sequence[Notice], given: str) -> None:
    """Reject a text on which the link's reader has a notice."""
    if notices:
        notice = notices[0]
        raise NotUnderstoodError(given, notice.detail if notice.reason == "outside" else "")


def typed_value(key: str, text: str) -> Any:
    """Return the value of one key of a link that a user typed or chose.

    Args:
        key: Key of the query.
        text: What was typed.

    Raises:
        NotUnderstoodError: When a link would not understand it either.
    """
    value, notices = query.read_value(key, plain_digits(text).strip())
    _refuse(notices, text)
    return value


def typed_model(text: str) -> str:
    """Return the id of the model that a user typed or chose: by its id, its label, or its Hugging Face repository.

    Args:
        text: What was typed.

    Raises:
        NotUnderstoodError: When no entry is it; says where the config.json of another repository is.
    """
    if label := registry.model_labels().get(text):
        return label
    decoded = query.decode(urlencode({"model": text.strip()}))
    if decoded.notices:
        raise NotUnderstoodError(text, notice=decoded.notices[0])
    return decoded.scenario.model


def typed_drafter(kind: str, parts: str, given: str) -> Drafter:
    """Return a drafter line with parts of it as a link has them, all else being the kind's default.

    Args:
        kind: Id of the kind.
        parts: `name=value` pairs joined by commas.
        given: What the user typed, for the refusal.

    Raises:
        NotUnderstoodError: When a link would not understand it either.
    """
    notices = Notices()
    drafter = read_drafter(f"{kind},{parts}", notices)
    _refuse(notices.all(), given)
    if drafter is None:
        raise NotUnderstoodError(given)
    return drafter


def typed_number(text: str, limits: Limits) -> float:
    """Return a number within limits, as a link reads it.

    Args:
        text: What the user typed.
        limits: What it may be.

    Raises:
        NotUnderstoodError: When a link would not understand it either.
    """
    notices = Notices()
    value = read_number(plain_digits(text).strip(), limits, key="", used="", notices=notices)
    _refuse(notices.all(), text)
    if value is None:
        raise NotUnderstoodError(text)
    return value


def number(text: str) -> float:
    """Return a finite number that is not negative.

    Raises:
        NotUnderstoodError: When the text is something else.
    """
    try:
        value = float(plain_digits(text).strip().removeprefix("$").strip())
    except ValueError:
        raise NotUnderstoodError(text) from None
    if not math.isfinite(value) or value < 0:
        raise NotUnderstoodError(text)
    return value


def within(value: float, limits: Limits, given: str, scale: float = 1.0) -> float:
    """Return a number in the unit of a link, which takes the same ones.

    Args:
        value: In the unit of its box.
        limits: What a link takes.
        given: What the user typed, for the refusal.
        scale: The box's unit in that of the link.

    Raises:
        NotUnderstoodError: When it is outside of them.
    """
    if limits.nearest(value * scale) == value * scale:
        return value * scale
    shown = {name: getattr(limits, name) / scale for name in ("least", "most", "smallest")}
    raise NotUnderstoodError(given, replace(limits, **shown).text)


def share(text: str) -> float:
    """Return a share typed as `0.1` or as `10%`."""
    plain = plain_digits(text).strip()
    return number(plain[:-1]) / fmt.PERCENT if plain.endswith("%") else number(plain)
