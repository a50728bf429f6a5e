"""All profiles: fitted on every measured row, with the errors they leave, also on models that a fit never saw."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from roofline_app import registry
from roofline_app.calibration.fit.measured_rows import Quantity, Row, measured_rows, sources
from roofline_app.calibration.fit.predictions import as_run, measured
from roofline_app.calibration.fit.settings import settings
from roofline_app.calibration.fit.solver import Group, solve
from roofline_app.timing.profiles import POOLED, Calibration, Profile, Remaining, profile_id

Floats = NDArray[np.float64]


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


def groups(rows: Iterable[Row] | None = None) -> tuple[Group, ...]:
    """Return the groups that get a profile: engines on families, further pairs, those of the rows, and all pooled.

    Args:
        rows: Measured rows; None takes those of the data.
    """
    known = measured_rows() if rows is None else tuple(rows)
    known_pairs = settings()
    pairs = [(engine, family) for engine in known_pairs["engines"] for family in known_pairs["families"]]
    pairs += [(engine, entry["family"]) for engine, entry in known_pairs["further"].items()]
    pairs += [(row.engine, row.family) for row in known]
    found = []
    for engine, family in dict.fromkeys(pairs):
        own = [row for row in known if (row.engine, row.family) == (engine, family)]
        found.append(Group(engine=engine, family=family, data=measured(own, as_run()) if own else None))
    return (*found, Group(engine="", family="", data=None))


def errors(group: Group, constants: Calibration) -> Iterator[Error]:
    """Return every figure of a group's rows that was measured, beside what constants predict.

    Args:
        group: Rows of one engine on one family.
        constants: A profile's constants.

    Returns:
        Steps, then speedups and verifying passes of rows that state their draft length.
    """
    if group.data is None:
        return
    steps, ratios = group.data.predict(constants)
    for row, step in zip(group.data.rows, steps, strict=True):
        yield Error(row=row, quantity="step", predicted=float(step), measured=row.step_seconds)
    for row, ratio in zip(group.data.rows, ratios, strict=True):
        if row.draft_tokens:
            yield Error(row=row, quantity=row.ratio_quantity, predicted=float(ratio), measured=row.ratio)


def _kin(model: str, models: Iterable[str]) -> frozenset[str]:
    """Return a model and those of the very same dimensions, which are no test of each other."""
    dimensions = registry.model(model).dimensions
    return frozenset(other for other in models if registry.model(other).dimensions == dimensions)


def fitted_models(found: Sequence[Group]) -> tuple[str, ...]:
    """Return the models whose rows count in a fit, sorted."""
    rows = [row for group in found if group.data for row in group.data.rows]
    return tuple(sorted({row.model for row in rows if sources()[row.source].step_weight}))


def unseen_errors(found: Sequence[Group]) -> tuple[list[Error], ...]:
    """Return the errors on each model of constants that were fitted without it and without models of its shape.

    Args:
        found: Engines on families, the pooled one among them.

    Returns:
        Errors of each group, in the groups' order.
    """
    models = fitted_models(found)
    collected: tuple[list[Error], ...] = tuple([] for _ in found)
    for kin in sorted({_kin(model, models) for model in models}, key=sorted):
        for group, constants, kept in zip(found, solve(found, without=kin), collected, strict=True):
            kept += [error for error in errors(group, constants) if error.row.model in kin]
    return collected


def decile(relative: Sequence[float], share: float) -> float:
    """Return the absolute error that a share of the rows stay below."""
    return float(np.quantile(np.abs(np.asarray(relative)), share))


def _remaining(seen: Sequence[Error], unseen: Sequence[Error]) -> tuple[Remaining, ...]:
    kept = []
    for model, quantity in sorted({(error.row.model, error.quantity) for error in seen}):
        own, other = (
            [error.relative for error in some if (error.row.model, error.quantity) == (model, quantity)]
            for some in (seen, unseen)
        )
        if not other:
            continue
        kept.append(
            Remaining(
                model=model,
                quantity=quantity,
                rows=len(own),
                median=decile(own, 0.5),
                ninth_decile=decile(own, 0.9),
                unseen_median=decile(other, 0.5),
                unseen_ninth_decile=decile(other, 0.9),
            )
        )
    return tuple(kept)


def _words(group: Group, rows: int) -> tuple[str, str, str]:
    """Return id, name and description."""
    if not group.engine:
        return POOLED, "Calibrated, pooled", "What all measured engines and accelerators have in common."
    known_names = settings()
    engines = known_names["engines"] | {key: entry["name"] for key, entry in known_names["further"].items()}
    name = f"{engines[group.engine]} on {known_names['families'][group.family]}"
    from_rows = f"fitted on {rows} measured rows, drawn towards what other engines and accelerators do"
    said = from_rows if rows else "no measured rows: drawn from the engine's and the family's others"
    return profile_id(group.engine, group.family), name, f"Real engine: {said}."


def _counted(group: Group) -> int:
    return sum(1 for row in group.data.rows if sources()[row.source].step_weight) if group.data else 0


def fit() -> tuple[Profile, ...]:
    """Return the calibrated profiles, fitted on the measured rows of the data.

    Returns:
        One profile for each group, with the errors that it leaves and those on models left out.
    """
    found = groups()
    profiles = []
    for group, constants, unseen in zip(found, solve(found), unseen_errors(found), strict=True):
        rows = _counted(group)
        key, name, description = _words(group, rows)
        profiles.append(
            Profile(
                id=key,
                name=name,
                description=description,
                source=sources()["inferencex"].url,
                engine=group.engine,
                family=group.family,
                constants=constants,
                rows=rows,
                fitted=settings()["fitted"],
                errors=_remaining(list(errors(group, constants)), unseen),
            )
        )
    return tuple(profiles)
