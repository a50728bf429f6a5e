"""A query with lists and ranges: the settings that it stands for, each a query of its own.

Values are separated by commas or bars; where commas join the parts of one value (a drafter line, weights by part), by
bars alone. `a..b` doubles from a up to at most b, `a..b*f` multiplies by f, `a..b+s` adds s. `*` is every id.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import product
from math import floor, log, prod
from urllib.parse import unquote_plus

from roofline_app import registry
from roofline_app.query import vocabulary
from roofline_app.query.decoding import HARDWARE, KEYS, NUMBERS
from roofline_app.query.notices import Notices
from roofline_app.query.numbers import BINARY, DECIMAL, written
from roofline_app.specs import SpecError

DRAFTER = "drafter"
# More settings than this are computed only where the user says so.
LARGEST_UNASKED = 10**7
_MOST_VALUES = 10**6
# Commas join the parts of one value.
_JOINED = frozenset({DRAFTER, "weights", "target", "nodes"})
# What changes no column: one value is passed on, several would be the same rows again.
_SINGLE = frozenset({"v", "compare", "seed", "traffic", "after", "training", "learning", "horizon"}) | frozenset(
    {"budget", "figure", "figures", "controls", "theme", "lang", "poster"}
)
# Settings that differ in these alone are computed together, so they vary fastest.
_INNERMOST = ("batch",)
_NUMBER = r"(?:\d+(?:\.\d+)?|\.\d+)(?:e-?\d+)?[kmgbt]?"
_RANGE = re.compile(rf"(?P<first>{_NUMBER})\.\.(?P<last>{_NUMBER})(?:(?P<sign>[*+])(?P<by>{_NUMBER}))?", re.IGNORECASE)
_EVERY = "*"


class SweepError(SpecError):
    """A sweep's query says something impossible; the message names the key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """One key of the query and the values that it takes, as they stand in a query."""

    key: str
    values: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All combinations of the values of a query's keys.

    Attributes:
        axes: The keys in the order given, but for the batch, which varies fastest.
    """

    axes: tuple[Axis, ...]

    @cached_property
    def count(self) -> int:
        """Number of settings."""
        return prod(len(axis.values) for axis in self.axes)

    def values(self, number: int) -> tuple[str, ...]:
        """Return the values of a setting, one per axis.

        Args:
            number: 0 .. count - 1; the last axis varies fastest.
        """
        found = []
        for axis in reversed(self.axes):
            number, place = divmod(number, len(axis.values))
            found.append(axis.values[place])
        return tuple(reversed(found))

    def query(self, number: int) -> str:
        """Return the query of a setting.

        Args:
            number: 0 .. count - 1.
        """
        return "&".join(f"{axis.key}={value}" for axis, value in zip(self.axes, self.values(number), strict=True))

    @cached_property
    def varied(self) -> tuple[tuple[int, str], ...]:
        """Axes with several values by place, each under its key, drafter lines under their number too."""
        lines = [place for place, axis in enumerate(self.axes) if axis.key == DRAFTER]
        names = {place: f"{DRAFTER}{count}" for count, place in enumerate(lines, start=1)}
        several = (place for place, axis in enumerate(self.axes) if len(axis.values) > 1)
        return tuple((place, names.get(place, self.axes[place].key)) for place in several)


def read_settings(text: str) -> Settings:
    """Return the settings of a query with lists and ranges.

    Args:
        text: A query string whose keys may have several values.

    Raises:
        SweepError: When a key is unknown or stated twice, a range cannot be counted out, or a key has several values
            that changes no number.

    Examples:
        >>> settings = read_settings("model=qwen3-8b,gpt-oss-20b&batch=1..8&drafter=mtp|ngram")
        >>> settings.count, settings.query(5)
        (16, 'model=qwen3-8b&drafter=ngram&batch=2')
    """
    axes: list[Axis] = []
    for pair in filter(None, text.strip().lstrip("?").split("&")):
        name, _, value = pair.partition("=")
        key = unquote_plus(name).strip()
        if key not in KEYS:
            message = f"{key}: not a key of a query{Notices().hint(key, KEYS)}"
            raise SweepError(message)
        if key != DRAFTER and any(axis.key == key for axis in axes):
            message = f"{key}: stated twice; several values stand behind one {key}=, separated by commas"
            raise SweepError(message)
        axes.append(Axis(key=key, values=_values(key, value)))
    axes.sort(key=lambda axis: axis.key in _INNERMOST)
    return Settings(axes=tuple(axes))


def _values(key: str, text: str) -> tuple[str, ...]:
    if key in _SINGLE:
        if "|" in text or _RANGE.fullmatch(text):
            message = f"{key}: changes no number of a sweep, so it has one value, not {text!r}"
            raise SweepError(message)
        return (text,)
    joined = key in _JOINED and (key != "weights" or ":" in text)
    pieces = text.split("|") if joined else re.split(r"[,|]", text)
    found = dict.fromkeys(value for piece in pieces for value in _expanded(key, piece.strip()))
    if len(found) > 1 and "" in found:
        message = f"{key}: an empty value in {text!r}"
        raise SweepError(message)
    return tuple(found)


def _expanded(key: str, piece: str) -> Iterator[str]:
    """Yield the values that one piece of a list stands for."""
    if key == DRAFTER:
        parts = [_part(part) for part in piece.split(",")]
        yield from (",".join(chosen) for chosen in product(*parts))
    elif piece == _EVERY and key in (known := _ids()):
        yield from known[key]
    elif key in NUMBERS or key in HARDWARE:
        yield from _counted_out(key, piece)
    else:
        yield piece


def _part(part: str) -> list[str]:
    """Return the values of one part of a drafter line, each with its name."""
    name, equals, value = part.partition("=")
    if not equals:
        return [part]
    return [f"{name}={one}" for one in _counted_out(f"{DRAFTER}.{name.strip()}", value)]


def _ids() -> dict[str, tuple[str, ...]]:
    named = {"model": registry.model_ids(), "gpu": registry.gpu_ids(), "preset": tuple(registry.presets())}
    return {**vocabulary.choices(), **named}


def _counted_out(key: str, text: str) -> Iterator[str]:
    match = _RANGE.fullmatch(text.strip())
    if match is None:
        yield text
        return
    whole = key in NUMBERS and NUMBERS[key].whole
    first, last = (_decimal(match[name], whole=whole) for name in ("first", "last"))
    sign, by = match["sign"] or "*", _decimal(match["by"] or "2", whole=whole)
    _check(key, text, first, last, sign=sign, by=by)
    for place in range(_length(key, text, first, last, sign=sign, by=by)):
        value = first + place * by if sign == "+" else first * by**place
        if value <= last:
            yield written(int(value) if value == value.to_integral_value() else float(value))


def _decimal(text: str, *, whole: bool) -> Decimal:
    factors = BINARY if whole else DECIMAL
    suffix = text[-1].lower() if text[-1].isalpha() else ""
    # A suffix that the key does not know is left for the message of the number itself.
    return Decimal(text.removesuffix(text[-1]) if suffix else text) * factors.get(suffix, 1)


def _check(key: str, text: str, first: Decimal, last: Decimal, *, sign: str, by: Decimal) -> None:
    why = ""
    if first > last:
        why = "runs backwards"
    elif sign == "+" and by <= 0:
        why = "needs a step above 0"
    elif sign == "*" and by <= 1:
        why = "needs a factor above 1"
    elif sign == "*" and first <= 0:
        why = f"cannot grow from 0 by a factor; a step is written {text.partition('*')[0]}+1"
    if why:
        message = f"{key}: the range {text} {why}"
        raise SweepError(message)


def _length(key: str, text: str, first: Decimal, last: Decimal, *, sign: str, by: Decimal) -> int:
    """Return the number of values of a range, at most one too many."""
    steps = float((last - first) / by) if sign == "+" else log(float(last / first)) / log(float(by)) + 1e-9
    if steps > _MOST_VALUES:
        message = f"{key}: the range {text} has more than {_MOST_VALUES} values"
        raise SweepError(message)
    return floor(steps) + 1
