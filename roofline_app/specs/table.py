"""A data file as a table of entries: by id, made when asked for, refused by file, entry and field."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import date
from difflib import get_close_matches
from functools import cached_property
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from roofline_app.data import DataError, read_toml
from roofline_app.specs.checks import SpecError, require
from roofline_app.specs.value_types import field_types, mismatch

Entry = TypeVar("Entry")
Types = Mapping[str, Any]
_NONE: Types = MappingProxyType({})


class RegistryError(SpecError):
    """An entry of a data file is wrong; the message names the file, the entry and the field."""


class UnknownIdError(SpecError):
    """No entry has this id; the message names it and the nearest id, where one is near."""

    def __init__(self, kind: str, given: str, known: tuple[str, ...]) -> None:
        """Name the id that nobody knows.

        Args:
            kind: What was asked for, such as `model`.
            given: The unknown id.
            known: Every id of that kind.
        """
        super().__init__(given)
        self.kind = kind
        self.given = given
        self.suggestion = _nearest(given.lower(), known)

    def __str__(self) -> str:
        """Return one sentence."""
        return f"unknown {self.kind} {self.given!r}{_hint(self.suggestion)}"


class Table(Generic[Entry]):
    """The entries of one data file, each made when it is first asked for.

    Attributes:
        file: Path below `roofline_app/data`.
        kind: What an entry is, such as `model`, for refusals.
    """

    def __init__(
        self,
        file: str,
        make: Callable[..., Entry],
        kind: str,
        more: Types = _NONE,
        check: Callable[[Mapping[str, Entry]], None] = lambda _: None,
    ) -> None:
        """Name the file, without reading it.

        Args:
            file: Path below `roofline_app/data`.
            make: Builds an entry from its `id` and its fields.
            kind: What an entry is, for refusals.
            more: Types of the fields that `make` takes besides its own parameters, by name.
            check: Refuses entries that contradict each other.
        """
        self.file = file
        self.kind = kind
        self._make = make
        self._more = more
        self._check = check
        self._made: dict[str, Entry] = {}

    @cached_property
    def _tables(self) -> Mapping[str, Any]:
        try:
            return read_toml(self.file)
        except DataError as error:
            raise RegistryError(str(error)) from error

    def ids(self) -> tuple[str, ...]:
        """Return the ids in the order of the file, without making an entry."""
        return tuple(self._tables)

    def one(self, entry_id: str) -> Entry:
        """Return one entry.

        Args:
            entry_id: Its key.

        Raises:
            UnknownIdError: When no entry has this id.
            RegistryError: When the entry is wrong.
        """
        if entry_id not in self._made:
            if entry_id not in self._tables:
                raise UnknownIdError(self.kind, entry_id, self.ids())
            self._made[entry_id] = read_entry(self.file, entry_id, self._tables[entry_id], self._make, self._more)
        return self._made[entry_id]

    def all(self) -> Mapping[str, Entry]:
        """Return every entry, by id, in the order of the file.

        Raises:
            RegistryError: When one of them is wrong.
        """
        return self._all

    @cached_property
    def _all(self) -> Mapping[str, Entry]:
        entries = MappingProxyType({key: self.one(key) for key in self.ids()})
        self._check(entries)
        return entries

    def field(self, name: str) -> Mapping[str, Any]:
        """Return one field of every entry as the file states it, by id, without making an entry.

        Args:
            name: The field.

        Raises:
            RegistryError: When an entry lacks it.
        """
        lacking = next((key for key, table in self._tables.items() if name not in table), None)
        if lacking is not None:
            message = f"{self.file} [{lacking}]: {name!r} is missing"
            raise RegistryError(message)
        return {key: table[name] for key, table in self._tables.items()}

    def stated(self, name: str) -> Mapping[str, Any]:
        """Return one field of the entries that state it, by id, without making an entry."""
        return {key: table[name] for key, table in self._tables.items() if name in table}


def read_entry(file: str, key: str, table: object, make: Callable[..., Entry], more: Types = _NONE) -> Entry:
    """Return the spec that a table of a data file describes.

    Args:
        file: Name of the data file, for the refusal.
        key: The entry's id.
        table: The entry's fields.
        make: Builds the spec from `id` and the fields.
        more: Types of the fields that `make` takes besides its own parameters, by name.

    Returns:
        The spec, its lists as tuples and its dates as ISO text.

    Raises:
        RegistryError: When a field is missing, unknown or impossible; names the file, the entry and the field.
    """
    try:
        if not isinstance(table, Mapping):
            message = f"{table!r} is not a table"
            raise SpecError(message)
        return build(make, table, more, id=key)
    except SpecError as error:
        message = f"{file} [{key}]: {error}"
        raise RegistryError(message) from error


def build(
    make: Callable[..., Entry],
    table: Mapping[str, object],
    more: Types = _NONE,
    **given: object,
) -> Entry:
    """Return the spec that fields of a data file describe.

    Args:
        make: Builds the spec from the fields.
        table: The fields; lists become tuples, and dates ISO text.
        more: Types of the fields that `make` takes besides its own parameters, by name.
        **given: What `make` takes besides the fields.

    Raises:
        SpecError: When a field is missing, unknown or impossible; names it, and the nearest name of a field.
    """
    types = {name: kind for name, kind in {**more, **field_types(make)}.items() if name not in given}
    values = {name: _plain(value) for name, value in table.items()}
    for name, value in values.items():
        if name not in types:
            message = f"{name!r} is not a field{_hint(_nearest(name, types.keys() - table.keys()))}"
            raise SpecError(message)
        wrong = mismatch(value, types[name])
        require(not wrong, name, f"{value!r} is not {wrong}")
    try:
        return make(**values, **given)
    except TypeError as error:
        raise SpecError(str(error).rpartition("() ")[2]) from error


def _plain(value: object) -> object:
    if isinstance(value, date):
        return value.isoformat()
    return tuple(value) if isinstance(value, list) else value


def _nearest(given: str, known: Collection[str]) -> str:
    return next(iter(get_close_matches(given, sorted(known), n=1)), "")


def _hint(suggestion: str) -> str:
    return f"; did you mean {suggestion}?" if suggestion else ""
