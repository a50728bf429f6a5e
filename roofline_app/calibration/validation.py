"""Predicted against measured: every measured row under the ideal profile and under the calibrated one of its engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from roofline_app import registry
from roofline_app.calibration.fit.left_out import errors
from roofline_app.calibration.fit.measured_rows import Quantity, Row, measured_rows
from roofline_app.calibration.fit.predictions import IDEAL_READING, as_run, measured
from roofline_app.calibration.fit.solver import Group
from roofline_app.timing.profiles import Calibration, Profile, matching_profile


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One measured figure and two predictions of it.

    Attributes:
        row: The measured row.
        quantity: `step` in seconds per token, `speedup`, or `verify` (verifying over a step).
        measured: As measured.
        ideal: Of the roofline alone, evenly divided.
        calibrated: Of the profile.
        profile: Its id.
    """

    row: Row
    quantity: Quantity
    measured: float
    ideal: float
    calibrated: float
    profile: str

    @property
    def ideal_error(self) -> float:
        """Relative error of the roofline alone."""
        return self.ideal / self.measured - 1.0

    @property
    def calibrated_error(self) -> float:
        """Relative error of the profile."""
        return self.calibrated / self.measured - 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """How large relative errors are: median, nine tenths and all stay below; `bias` is the median with its sign."""

    median: float
    ninth_decile: float
    worst: float
    bias: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Errors of the rows that share something.

    Attributes:
        quantity: What was measured.
        by: What they share: `all`, `source`, `model`, `gpu`, `engine` or `batch`.
        group: Which one.
        rows: How many.
        ideal: Errors of the roofline alone.
        calibrated: Errors of the calibrated profiles.
    """

    quantity: Quantity
    by: str
    group: str
    rows: int
    ideal: Spread
    calibrated: Spread


GROUPINGS: Mapping[str, Callable[[Row], str]] = {
    "all": lambda _: "all",
    "source": lambda row: row.source,
    "model": lambda row: row.model,
    "gpu": lambda row: row.gpu,
    "engine": lambda row: row.engine,
    "batch": lambda row: str(row.batch),
}


def comparisons(rows: Iterable[Row] | None = None) -> tuple[Comparison, ...]:
    """Return every measured figure beside both predictions.

    Args:
        rows: Measured rows; None takes those of the data.

    Returns:
        In the order of engines and families; speedups and verifying passes of rows that state their draft length.
    """
    known = measured_rows() if rows is None else tuple(rows)
    found = []
    for engine, family in dict.fromkeys((row.engine, row.family) for row in known):
        own = [row for row in known if (row.engine, row.family) == (engine, family)]
        profile = matching_profile(registry.profile_ids(), family=family, engine=engine)
        found += list(_compared(own, registry.profile(profile)))
    return tuple(found)


def _compared(rows: Sequence[Row], profile: Profile) -> Iterator[Comparison]:
    ideal = Group(engine="", family="", data=measured(rows, IDEAL_READING))
    real = Group(engine=profile.engine, family=profile.family, data=measured(rows, as_run()))
    constants = profile.constants
    for alone, calibrated in zip(errors(ideal, Calibration()), errors(real, constants), strict=True):
        yield Comparison(
            row=alone.row,
            quantity=alone.quantity,
            measured=alone.measured,
            ideal=alone.predicted,
            calibrated=calibrated.predicted,
            profile=profile.id,
        )


def spread(relative: Iterable[float]) -> Spread:
    """Return a summary of relative errors.

    Args:
        relative: Errors with their sign, at least one.
    """
    signed = np.array(list(relative))
    size = np.abs(signed)
    return Spread(
        median=float(np.median(size)),
        ninth_decile=float(np.quantile(size, 0.9)),
        worst=float(size.max()),
        bias=float(np.median(signed)),
    )


def summaries(compared: Iterable[Comparison]) -> tuple[Summary, ...]:
    """Return errors by quantity, and by model, GPU, engine and batch.

    Args:
        compared: Measured figures beside their predictions.

    Returns:
        One summary for each group, groups sorted.
    """
    known = tuple(compared)
    found = []
    for quantity in dict.fromkeys(one.quantity for one in known):
        for by, name in GROUPINGS.items():
            members: dict[str, list[Comparison]] = {}
            for one in known:
                if one.quantity == quantity:
                    members.setdefault(name(one.row), []).append(one)
            in_order = sorted(members, key=int if by == "batch" else str)
            found += [_summary(quantity, by, group, members[group]) for group in in_order]
    return tuple(found)


def _summary(quantity: Quantity, by: str, group: str, members: Sequence[Comparison]) -> Summary:
    return Summary(
        quantity=quantity,
        by=by,
        group=group,
        rows=len(members),
        ideal=spread(one.ideal_error for one in members),
        calibrated=spread(one.calibrated_error for one in members),
    )
