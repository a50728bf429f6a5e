"""Typed access to the fields of one run: what is missing is None, what is wrong names its field."""

from __future__ import annotations

import math
from collections.abc import Mapping

from roofline_app.calibration.benchmarks.remarks import UnusableError
from roofline_app.query.notices import shortened

MILLISECONDS = 1000.0
# No quantity of a benchmark lies outside, whatever its unit.
LEAST, MOST = 2.0**-40, 2.0**40
_LONGEST_LIST = 1024


def shown(value: object) -> str:
    """Return a value as a refusal quotes it: short and on one line."""
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    return shortened(" ".join(str(value).split()))


class Row:
    """The fields of one run, or of one table within it."""

    __slots__ = ("_path", "_values", "line")

    def __init__(self, values: Mapping[str, object], line: int, path: str = "") -> None:
        """Wrap a table that starts at a line; `path` is its place in the run, with a dot at its end."""
        self._values = values
        self._path = path
        self.line = line

    def has(self, *names: str) -> bool:
        """Whether any of the fields is there, even as null."""
        return any(name in self._values for name in names)

    def named(self, name: str) -> str:
        """Return a field's name with its place."""
        return shortened(self._path + name)

    def is_table(self, name: str) -> bool:
        """Whether a field holds a table."""
        return isinstance(self._values.get(name), Mapping)

    def table(self, name: str) -> Row:
        """Return a table within, empty where the field holds none."""
        value = self._values.get(name)
        return Row(value if isinstance(value, Mapping) else {}, self.line, f"{self._path}{name}.")

    def tables(self, name: str) -> list[Row]:
        """Return the tables within a table of tables, such as one per GPU; empty where the field holds none."""
        within = self.table(name)
        return [within.table(key) for key in within._values if within.is_table(key)]

    def text(self, *names: str) -> str:
        """Return the first of several fields that holds a text, shortened; empty where none does."""
        for name in names:
            value = self._values.get(name)
            if isinstance(value, str) and value.strip():
                return shortened(value.strip())
        return ""

    def whole_text(self, name: str) -> str:
        """Return a text in full, to be taken apart before it is shown; empty where the field holds none."""
        value = self._values.get(name)
        return value if isinstance(value, str) else ""

    def finite(self, name: str) -> float | None:
        """Return a number; None where it is missing, null, infinite or not a number.

        Raises:
            UnusableError: When the field holds something else than a number.
        """
        value = self._values.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise UnusableError("not_a_number", field=self.named(name), given=shown(value))
        return float(value) if math.isfinite(value) else None

    def positive(self, *names: str) -> float | None:
        """Return the first of several fields that is above 0; engines write 0 or -1 where they do not know.

        Raises:
            UnusableError: When a field is no number or of an impossible size.
        """
        for name in names:
            value = self.finite(name)
            if value is None or value <= 0:
                continue
            if not LEAST <= value <= MOST:
                raise UnusableError("impossible_size", field=self.named(name), given=value)
            return value
        return None

    def seconds(self, *names: str) -> float | None:
        """Return the first positive of several fields that hold milliseconds, in seconds."""
        value = self.positive(*names)
        return None if value is None else value / MILLISECONDS

    def count(self, name: str, largest: int, least: int = 0) -> int | None:
        """Return a whole number.

        Raises:
            UnusableError: When it is not whole or outside of `least` to `largest`.
        """
        value = self.finite(name)
        if value is None:
            return None
        if value != int(value) or not least <= value <= largest:
            raise UnusableError("not_a_count", field=self.named(name), given=value, largest=largest)
        return int(value)

    def entries(self, name: str) -> list[object]:
        """Return a list as it stands; empty where the field is missing or holds null.

        Raises:
            UnusableError: When it is no list.
        """
        value = self._values.get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            raise UnusableError("not_a_list", field=self.named(name), given=shown(value))
        return value

    def numbers(self, name: str) -> tuple[float, ...]:
        """Return a list of finite numbers; empty where the field is missing or holds null.

        Raises:
            UnusableError: When it is no list of numbers.
        """
        value = self._values.get(name)
        if value is None:
            return ()
        if not isinstance(value, list) or len(value) > _LONGEST_LIST:
            raise UnusableError("not_a_list", field=self.named(name), given=shown(value))
        items = Row({str(index): item for index, item in enumerate(value)}, self.line, f"{self._path}{name}.")
        numbers = tuple(items.finite(str(index)) for index in range(len(value)))
        kept = tuple(number for number in numbers if number is not None)
        if len(kept) < len(numbers):
            raise UnusableError("not_a_list", field=self.named(name), given="NaN")
        return kept
