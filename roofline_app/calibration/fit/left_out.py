"""Errors on rows that a fit never saw: the fit is made anew without each source, each model and each family."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from roofline_app import registry
from roofline_app.calibration.fit.measured_rows import Quantity, Row, sources
from roofline_app.calibration.fit.solver import Group, solve
from roofline_app.timing.profiles import Calibration

By = Literal["source", "model", "family"]
# From this many models of one source on, its runs of each engine and model count as a source of their own.
_MANY_MODELS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Error:
    """One predicted figure beside the measured one.

    Attributes:
        row: The measured row.
        quantity: What was measured.
        predicted: In seconds for a step, else a ratio.
        measured: Likewise.
    """

    row: Row
    quantity: Quantity
    predicted: float
    measured: float

    @property
    def relative(self) -> float:
        """Predicted over measured, less 1."""
        return self.predicted / self.measured - 1.0


def errors(group: Group, constants: Calibration) -> list[Error]:
    """Return every figure of a group's rows that was measured, beside what constants predict.

    Args:
        group: Rows of one engine on one family.
        constants: A profile's constants.

    Returns:
        Steps of rows whose source states the node, then speedups and verifying passes of rows that state their round.
    """
    if group.data is None:
        return []
    steps, ratios = group.data.predict(constants)
    found = [
        Error(row=row, quantity="step", predicted=float(step), measured=row.step_seconds)
        for row, step in zip(group.data.rows, steps, strict=True)
        if sources()[row.source].states_node
    ]
    return found + [
        Error(row=row, quantity=row.ratio_quantity, predicted=float(ratio), measured=row.ratio)
        for row, ratio in zip(group.data.rows, ratios, strict=True)
        if row.states_round
    ]


def rows_of(found: Iterable[Group]) -> list[Row]:
    """Return the rows of all groups."""
    return [row for group in found if group.data for row in group.data.rows]


@cache
def _shape(model: str) -> str:
    return repr(registry.model(model).dimensions)


def _sources_left_out(rows: Sequence[Row]) -> Callable[[Row], str]:
    models: dict[str, set[str]] = {}
    for row in rows:
        models.setdefault(row.source, set()).add(row.model)
    many = {source for source, known in models.items() if len(known) >= _MANY_MODELS}
    return lambda row: f"{row.source}, {row.engine}, {_shape(row.model)}" if row.source in many else row.source


def folds(rows: Sequence[Row], by: By) -> Mapping[str, list[Row]]:
    """Return rows by what is left out together.

    Args:
        rows: All rows.
        by: `source` (of a source with many models, the runs of each engine and model), `model` (with those of the very
            same dimensions, which are no test of each other) or `family` of accelerators.
    """
    keys: Mapping[By, Callable[[Row], str]] = {
        "source": _sources_left_out(rows),
        "model": lambda row: _shape(row.model),
        "family": lambda row: row.family,
    }
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(keys[by](row), []).append(row)
    return found


def left_out_errors(found: Sequence[Group], constants: Sequence[Calibration], by: By) -> tuple[tuple[Error, ...], ...]:
    """Return the errors on each source (or model, or family) of constants that were fitted without its rows.

    Args:
        found: Engines on families, the pooled one among them.
        constants: Those of the fit with all rows, in the groups' order.
        by: What is left out at a time.

    Returns:
        Errors of each group, in the groups' order.
    """
    collected: tuple[list[Error], ...] = tuple([] for _ in found)
    for rows in folds(rows_of(found), by).values():
        without = frozenset(row.id for row in rows)
        weighed = any(weighs(row) for row in rows)
        fitted = solve(found, without=without, start=constants).constants if weighed else constants
        for group, own, kept in zip(found, fitted, collected, strict=True):
            kept += [error for error in errors(group, own) if error.row.id in without]
    return tuple(tuple(kept) for kept in collected)


def weighs(row: Row) -> bool:
    """Return whether a row counts in a fit."""
    source = sources()[row.source]
    return source.step_weight > 0.0 or (source.ratio_weight > 0.0 and row.states_round)
