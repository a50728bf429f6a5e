"""Typed access to the fields of a config.json: every refusal is one line that names the field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from roofline_app.model.config_json.refusals import (
    LARGEST,
    LARGEST_BY_FIELD,
    ConfigError,
    shown,
)

_LONGEST_NUMBER = 5


class Fields:
    """The fields of one table of a config, which remember what was read.

    A null counts as absent, as transformers treats it.
    """

    __slots__ = ("_path", "_seen", "_values")

    def __init__(self, values: Mapping[str, object], path: str = "") -> None:
        """Wrap a table; `path` is its place in the config, with a dot at its end."""
        self._values = values
        self._path = path
        self._seen: set[str] = set()

    def refuse(self, name: str, why: str) -> NoReturn:
        """Refuse the config because of one field.

        Args:
            name: The field.
            why: What is wrong, without the name.

        Raises:
            ConfigError: Always.
        """
        msg = f"{self._path}{name}: {why}"
        raise ConfigError(msg)

    def names(self) -> list[str]:
        """Return the names of all fields, those with a null left out."""
        return [name for name, value in self._values.items() if value is not None]

    def with_defaults(self, defaults: Mapping[str, object]) -> Fields:
        """Return the table with values for fields that it leaves out; what is read of either counts for both."""
        stated = {name: value for name, value in self._values.items() if value is not None or name not in defaults}
        completed = Fields({**defaults, **stated}, self._path)
        completed._seen = self._seen
        return completed

    def with_values(self, values: Mapping[str, object]) -> Fields:
        """Return the table with other values in place of its own; what is read of either counts for both."""
        changed = Fields({**self._values, **values}, self._path)
        changed._seen = self._seen
        return changed

    def renamed(self, **others: str) -> Fields:
        """Return the table with the values of other fields where these are there: `head_dim="swa_head_dim"`."""
        return self.with_values(
            {name: self.raw(other) for name, other in others.items() if self.raw(other) is not None}
        )

    def unread(self) -> list[str]:
        """Return the names of fields that hold something and that nothing has looked at."""
        return [name for name in self.names() if name not in self._seen]

    def raw(self, name: str) -> object:
        """Return a field's value as it stands, None where absent."""
        self._seen.add(name)
        return self._values.get(name)

    def values(self, *names: str) -> dict[str, object]:
        """Return fields as they stand, those with a null left out."""
        return {name: value for name in names if (value := self.raw(name)) is not None}

    def states_null(self, name: str) -> bool:
        """Return whether a field is there and null, where that says more than its absence."""
        return name in self._values and self.raw(name) is None

    def has(self, *names: str) -> bool:
        """Return whether any of the named fields holds something."""
        return any(self.raw(name) is not None for name in names)

    def require_stated(self, *names: str) -> None:
        """Refuse a config that leaves out fields in which null has a meaning.

        Args:
            *names: Fields that must be there, null or not.

        Raises:
            ConfigError: When one is not.
        """
        for name in names:
            self._seen.add(name)
            if name not in self._values:
                self.refuse(name, "missing")

    def count(self, name: str, *, default: int | None = None, least: int = 1) -> int:
        """Return a whole number.

        Args:
            name: The field.
            default: What absence means; None refuses it.
            least: Smallest allowed value.

        Returns:
            A value from `least` to the largest that the field may have.

        Raises:
            ConfigError: When the field is missing, no whole number, too small or too large.
        """
        value = self.raw(name)
        if value is None:
            if default is None:
                self.refuse(name, "missing")
            return default
        if isinstance(value, bool) or not isinstance(value, int):
            self.refuse(name, f"{shown(value)} is not a whole number")
        largest = LARGEST_BY_FIELD.get(name, LARGEST)
        if value < least:
            self.refuse(name, f"{shown(value)} is less than {least}")
        if value > largest:
            self.refuse(name, f"{shown(value)} is more than {largest}")
        return value

    def number(self, name: str, *, most: float) -> float:
        """Return a number above zero.

        Args:
            name: The field.
            most: Largest allowed value.

        Raises:
            ConfigError: When the field is missing, no number, or out of bounds.
        """
        value = self.raw(name)
        if value is None:
            self.refuse(name, "missing")
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= most:
            self.refuse(name, f"{shown(value)} is not a number above 0 and up to {most:g}")
        return float(value)

    def tables(self, name: str) -> list[Fields]:
        """Return a list of tables; an absent one is empty."""
        found = []
        for number, item in enumerate(self.items(name)):
            if not isinstance(item, Mapping):
                self.refuse(name, f"{shown(item)} in it is not a table")
            found.append(Fields(item, f"{self._path}{name}.{number}."))
        return found

    def one_of(self, *names: str) -> str:
        """Return the name that a config uses among several dialects' names for one field.

        Args:
            *names: Names, the preferred one first.

        Returns:
            The name that is there, or the first where none is (so that a refusal names it).

        Raises:
            ConfigError: When two are there and differ.
        """
        present = [name for name in names if self.has(name)]
        if not present:
            return next((name for name in names if name in self._values), names[0])
        for other in present[1:]:
            if self._values[other] != self._values[present[0]]:
                self.refuse(other, f"differs from {present[0]}")
        return present[0]

    def flag(self, name: str, *, default: bool) -> bool:
        """Return a truth value.

        Args:
            name: The field.
            default: What absence means.

        Returns:
            The value.

        Raises:
            ConfigError: When it is neither true nor false.
        """
        value = self.raw(name)
        if value is None:
            return default
        if not isinstance(value, bool):
            self.refuse(name, f"{shown(value)} is neither true nor false")
        return value

    def text(self, name: str, *, default: str | None = None) -> str:
        """Return a text.

        Args:
            name: The field.
            default: What absence means; None refuses it.

        Returns:
            The text.

        Raises:
            ConfigError: When the field is missing or no text.
        """
        value = self.raw(name)
        if value is None:
            if default is None:
                self.refuse(name, "missing")
            return default
        if not isinstance(value, str):
            self.refuse(name, f"{shown(value)} is not a text")
        return value

    def items(self, name: str) -> list[object]:
        """Return a list; an absent one is empty.

        Args:
            name: The field.

        Returns:
            Its items, unchecked.

        Raises:
            ConfigError: When it is no list.
        """
        value = self.raw(name)
        if value is None:
            return []
        if not isinstance(value, list | tuple):
            self.refuse(name, f"{shown(value)} is not a list")
        return list(value)

    def texts(self, name: str) -> list[str]:
        """Return a list of texts; an absent one is empty.

        Args:
            name: The field.

        Returns:
            The texts.

        Raises:
            ConfigError: When it is no list, or an item is no text.
        """
        found: list[str] = []
        for item in self.items(name):
            if not isinstance(item, str):
                self.refuse(name, f"{shown(item)} in it is not a text")
            found.append(item)
        return found

    def texts_or_commas(self, name: str) -> list[str]:
        """Return a list of texts that may also be written as one text with commas; an absent one is empty."""
        value = self.raw(name)
        listed = value.split(",") if isinstance(value, str) else self.texts(name)
        return [text.strip() for text in listed if text.strip()]

    def numbers_or_commas(self, name: str) -> list[int]:
        """Return a list of whole numbers that may also be written as one text with commas; an absent one is empty."""
        value = self.raw(name)
        if not isinstance(value, str):
            return self.counts(name)
        texts = [text.strip() for text in value.split(",") if text.strip()]
        if not all(text.isascii() and text.isdigit() and len(text) < _LONGEST_NUMBER for text in texts):
            self.refuse(name, f"{shown(value)} is not a list of layers")
        return [int(text) for text in texts]

    def nested_texts(self, name: str) -> list[list[str]]:
        """Return a list of texts, or of lists of texts, as lists; an absent one is empty."""
        found: list[list[str]] = []
        for item in self.items(name):
            inner = item if isinstance(item, list | tuple) else [item]
            texts = [text for text in inner if isinstance(text, str)]
            if len(texts) != len(inner):
                self.refuse(name, "holds something other than names")
            found.append(texts)
        return found

    def counts(self, name: str) -> list[int]:
        """Return a list of whole numbers, none negative; an absent one is empty.

        Args:
            name: The field.

        Returns:
            The numbers.

        Raises:
            ConfigError: When it is no list, or an item is no whole number from 0 up.
        """
        found: list[int] = []
        for item in self.items(name):
            if isinstance(item, bool) or not isinstance(item, int) or not 0 <= item <= LARGEST:
                self.refuse(name, f"{shown(item)} in it is not a whole number from 0 to {LARGEST}")
            found.append(item)
        return found

    def table(self, name: str) -> Fields:
        """Return a table inside this one; an absent one is empty.

        Args:
            name: The field.

        Returns:
            Its fields.

        Raises:
            ConfigError: When it is no table.
        """
        value = self.raw(name)
        if value is None:
            return Fields({}, f"{self._path}{name}.")
        if not isinstance(value, Mapping):
            self.refuse(name, f"{shown(value)} is not a table")
        return Fields(value, f"{self._path}{name}.")

    def divides(self, divisor: str, dividend: str) -> None:
        """Refuse a field that does not divide another.

        Args:
            divisor: Field that must divide.
            dividend: Field that must be a multiple.

        Raises:
            ConfigError: When it does not.
        """
        small, large = self.count(divisor), self.count(dividend)
        if large % small:
            self.refuse(divisor, f"{small} does not divide {dividend} {large}")
