"""One chunk of a sweep: its settings read and computed, a bad one becoming a row with its error."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import roofline_app
from roofline_app import query
from roofline_app.evaluation.sweeps import Column, Settings, as_rows, columns_of, read_settings, sweep
from roofline_app.query.decoding import HARDWARE, NUMBERS
from roofline_app.query.numbers import BINARY, DECIMAL, number
from roofline_app.scenario import Scenario

Rows = dict[str, list[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A whole sweep in pieces; small, since it goes to every worker.

    Attributes:
        text: The query with lists and ranges.
        lines: Most drafter lines of a setting.
        requests: Whether a setting states a prompt and an output.
        chunk: Settings of one chunk.
    """

    text: str
    lines: int
    requests: bool
    chunk: int


@cache
def settings_of(text: str) -> Settings:
    """Return the settings of a query, read once per process."""
    return read_settings(text)


def plan_of(text: str, chunk: int) -> Plan:
    """Return the plan of a sweep, with room for the lines of every preset that it names.

    Args:
        text: The query with lists and ranges.
        chunk: Settings of one chunk.

    Raises:
        SpecError: When the query is no sweep.
    """
    settings = settings_of(text)
    keys = {axis.key for axis in settings.axes}
    presets = next((axis.values for axis in settings.axes if axis.key == "preset"), ("",))
    stated = [axis for axis in settings.axes if axis.key == "drafter"]
    beneath = [query.decode(f"preset={preset}" if preset else "").scenario for preset in presets]
    return Plan(
        text=text,
        lines=len(stated) or max(len(scenario.drafters) for scenario in beneath),
        requests="prompt" in keys or any(scenario.prompt for scenario in beneath),
        chunk=chunk,
    )


def table_of(plan: Plan) -> tuple[Column, ...]:
    """Return the columns of a plan's file: number and query of the setting, what varies besides, results."""
    results = columns_of(plan.lines, requests=plan.requests)
    taken = {column.name for column in results}
    varied = [
        Column(name=name, kind="number" if name in NUMBERS or name in HARDWARE else "text")
        for _, name in settings_of(plan.text).varied
        if name not in taken
    ]
    return (Column(name="setting", kind="whole"), Column(name="query", kind="text"), *varied, *results)


def _read(text: str) -> tuple[Scenario, str]:
    """Return a setting, and why it is none: whatever would have been replaced by something else."""
    decoded = query.decode(text)
    return decoded.scenario, " ".join(notice.refusal for notice in decoded.notices)


def chunk_rows(plan: Plan, chunk: int) -> Rows:
    """Return the rows of one chunk, as columns of Python's own values.

    Args:
        plan: The sweep.
        chunk: Its number, from 0.
    """
    settings = settings_of(plan.text)
    numbers = range(chunk * plan.chunk, min((chunk + 1) * plan.chunk, settings.count))
    queries = [settings.query(place) for place in numbers]
    read = [_read(text) for text in queries]
    good = [place for place, (_, error) in enumerate(read) if not error]
    columns = columns_of(plan.lines, requests=plan.requests)
    found = as_rows(columns, sweep(read[place][0] for place in good))
    rows: Rows = {"setting": list(numbers), "query": queries}
    given = [settings.values(place) for place in numbers]
    for axis, name in settings.varied:
        is_number = name in NUMBERS or name in HARDWARE
        rows[name] = [_number(name, values[axis]) if is_number else values[axis] for values in given]
    for column in columns:
        empty = "" if column.kind == "text" else None
        values = rows.get(column.name, [empty] * len(queries))
        for place, value in zip(good, found.get(column.name, [empty] * len(good)), strict=True):
            values[place] = value
        rows[column.name] = values
    for place, (_, error) in enumerate(read):
        rows["error"][place] = error or rows["error"][place]
    return {column.name: rows[column.name] for column in table_of(plan)}


def _number(key: str, text: str) -> float | int | None:
    """Return a number as a link has it, None where it is none; whole ones as integers where their column has them."""
    limits = NUMBERS.get(key)
    whole = limits is not None and limits.whole
    value = number(text, BINARY if whole else DECIMAL)
    return int(value) if value is not None and whole and value.is_integer() else value


@cache
def version() -> str:
    """Return what names this program and its data: rows of two versions are never put into one file."""
    folder = Path(roofline_app.__file__).parent
    found = hashlib.sha256()
    for file in sorted(folder.rglob("*")):
        if file.suffix in {".py", ".toml", ".csv"}:
            found.update(file.relative_to(folder).as_posix().encode())
            found.update(file.read_bytes())
    return found.hexdigest()[:16]


def worker_version(plan: Plan) -> tuple[str, int]:
    """Return the version of this process, and the number of settings that it reads a plan as."""
    return version(), settings_of(replace(plan).text).count
