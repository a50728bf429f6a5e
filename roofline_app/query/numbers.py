"""Numbers in links: read as people type them, written in their shortest form."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from roofline_app.query.notices import Notices

_NUMBER = re.compile(r"([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?)\s*([a-z]?)", re.IGNORECASE)
_LONGEST = 64
# A "4k" context or a "1k" batch is a power of two, a "4k" price is not.
BINARY: Mapping[str, int] = MappingProxyType({"": 1, "k": 2**10, "m": 2**20})
DECIMAL: Mapping[str, int] = MappingProxyType({"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "b": 10**9, "t": 10**12})


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a number may be.

    Attributes:
        least: Smallest allowed value.
        most: Largest allowed value.
        whole: Whether it must be whole; then "k" means 1024, else 1000.
        smallest: The smallest above zero, where zero is allowed and tiny numbers are slips: their quotients overflow.
    """

    least: float
    most: float
    whole: bool = False
    smallest: float = 0

    def nearest(self, value: float) -> float:
        """Return the allowed number nearest to a value."""
        if 0 < value < self.smallest:
            return self.smallest
        return min(max(value, self.least), self.most)

    @property
    def text(self) -> str:
        """The range, for a sentence."""
        if self.smallest:
            return f"{_grouped(self.least)}, {written(self.smallest)} to {_grouped(self.most)}"
        return f"{_grouped(self.least)} to {_grouped(self.most)}"


def number(text: str, suffixes: Mapping[str, int] = DECIMAL) -> float | None:
    """Return the number that a text states, infinite where it is too large, or None where it states none.

    Args:
        text: Digits with an optional sign, fraction, exponent and suffix: `4k`, `1e2`, `32.0`, `1M`.
        suffixes: Factors by lower-case suffix.
    """
    # A plus sign in a query reads as a space.
    match = _NUMBER.fullmatch(text.strip().replace("e ", "e+")) if len(text) <= _LONGEST else None
    if match is None or match.group(2).lower() not in suffixes:
        return None
    return float(match.group(1)) * suffixes[match.group(2).lower()]


def written(value: float) -> str:
    """Return the shortest text that reads as this very number: plain digits where it is whole and not too long."""
    if isinstance(value, int) or (value.is_integer() and repr(value).endswith(".0")):
        return str(int(value))
    return repr(value).replace("e+", "e")


def _grouped(value: float) -> str:
    """Return a number for a sentence: thousands apart, where it is whole and no power of ten stands for it."""
    text = written(value)
    return f"{int(text):,}" if text.isdecimal() and len(text) <= len(f"{2**32}") else text


def read_number(text: str, limits: Limits, *, key: str, used: str, notices: Notices) -> float | None:
    """Return the allowed number nearest to what a text states, or None where it states none.

    Args:
        text: What was given.
        limits: What is allowed.
        key: Key of the query, for a notice.
        used: What is used where the text states no number, for a notice.
        notices: Takes a notice where the text is not used as given.
    """
    value = number(text, BINARY if limits.whole else DECIMAL)
    if value is None:
        notices.add("not_a_number", key=key, given=text, used=used)
        return None
    if limits.whole and math.isfinite(value) and not value.is_integer():
        notices.add("not_whole", key=key, given=text, used=used)
        return None
    nearest = limits.nearest(value)
    if nearest != value:
        notices.add("outside", key=key, given=text, used=written(nearest), detail=limits.text)
    return int(nearest) if limits.whole else float(nearest) + 0.0
