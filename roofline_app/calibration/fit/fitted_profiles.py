"""All profiles: fitted on every measured row, with the errors they leave, also on models that a fit never saw."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from roofline_app.calibration.fit.left_out import By, Error, errors, left_out_errors, rows_of, weighs
from roofline_app.calibration.fit.measured_rows import Row, measured_rows, sources
from roofline_app.calibration.fit.predictions import as_run, measured, target_terms
from roofline_app.calibration.fit.settings import settings
from roofline_app.calibration.fit.solver import Group, Solution, solve
from roofline_app.timing.evidence import QUANTITIES, Evidence, kinds_of
from roofline_app.timing.profiles import POOLED, Profile, Remaining, profile_id

_Formats = tuple[str, str, str]
_Kinds = tuple[frozenset[str], frozenset[str]]
_POOLED_FOLDS: tuple[By, ...] = ("source", "family")


def groups(rows: Iterable[Row] | None = None) -> tuple[Group, ...]:
    """Return the groups that get a profile: engines on families, further pairs, those of the rows, and all pooled.

    Args:
        rows: Measured rows; None takes those of the data.
    """
    known = measured_rows() if rows is None else tuple(rows)
    known_pairs = settings()
    pairs = [(engine, family) for engine in known_pairs["engines"] for family in known_pairs["families"]]
    pairs += [(entry["engine"], entry["family"]) for entry in known_pairs["further"].values()]
    pairs += [(row.engine, row.family) for row in known]
    found = []
    for engine, family in dict.fromkeys(pairs):
        own = [row for row in known if (row.engine, row.family) == (engine, family)]
        found.append(Group(engine=engine, family=family, data=measured(own, as_run()) if own else None))
    return (*found, Group(engine="", family="", data=None))


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
                unseen_worst=max(abs(math.log1p(error)) for error in other),
            )
        )
    return tuple(kept)


def _words(group: Group, rows: int) -> tuple[str, str, str]:
    """Return id, name and description."""
    if not group.engine:
        return POOLED, "Calibrated, pooled", "What all measured engines and accelerators have in common."
    known, key = settings(), profile_id(group.engine, group.family)
    if key in known["further"]:
        name = known["further"][key]["name"]
    else:
        name = f"{known['engines'][group.engine]} on {known['families'][group.family]}"
    from_rows = f"fitted on {rows} measured rows, drawn towards what other engines and accelerators do"
    said = from_rows if rows else "no measured rows: drawn from the engine's and the family's others"
    return key, name, f"Real engine: {said}."


def _counted(group: Group) -> int:
    return sum(1 for row in rows_of([group]) if weighs(row))


def _evidence(rows: Sequence[Row], unseen: Sequence[Error], family: Sequence[Error]) -> tuple[Evidence, ...]:
    """Return the kinds of rows of each quantity, with the errors on those whose source, or family, was left out."""
    kinds = {key: kinds_of(target_terms(row)) for key, row in {_format_key(row): row for row in rows}.items()}
    found = []
    for quantity in QUANTITIES:
        for experts in (False, True):

            def counts(row: Row, *, experts: bool = experts) -> bool:
                return ("experts" in kinds[_format_key(row)][0]) == experts

            errors_left, further = (
                [error for error in some if error.quantity == quantity and counts(error.row)]
                for some in (unseen, family)
            )
            if errors_left:
                found.append(_evidence_of(quantity, experts, errors_left, further, kinds))
    return tuple(found)


def _evidence_of(
    quantity: str, experts: bool, unseen: Sequence[Error], family: Sequence[Error], kinds: Mapping[_Formats, _Kinds]
) -> Evidence:
    own = [kinds[key] for key in {_format_key(error.row) for error in unseen}]
    sizes, further = ([abs(math.log1p(error.relative)) for error in some] for some in (unseen, family))
    return Evidence(
        quantity=quantity,
        experts=experts,
        rows=len(unseen),
        layers=tuple(sorted(frozenset().union(*(layers for layers, _ in own)))),
        formats=tuple(sorted(frozenset().union(*(formats for _, formats in own)))),
        median=decile(sizes, 0.5),
        ninth_decile=decile(sizes, 0.9),
        family_ninth_decile=decile(further, 0.9) if further else 0.0,
        worst_family=max((decile(some, 0.9) for some in _by_family(family)), default=0.0),
    )


def _by_family(family: Sequence[Error]) -> Iterable[list[float]]:
    found: dict[str, list[float]] = {}
    for error in family:
        found.setdefault(error.row.family, []).append(abs(math.log1p(error.relative)))
    return found.values()


def _format_key(row: Row) -> _Formats:
    return row.model, row.linear, row.experts


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A fit of all profiles, with its errors.

    Attributes:
        groups: Engines on families, the pooled one last.
        solution: Their constants.
        seen: Errors of each group on its own rows.
        unseen: Errors of each group where the rows' source, model or family was left out.
    """

    groups: tuple[Group, ...]
    solution: Solution
    seen: tuple[tuple[Error, ...], ...]
    unseen: Mapping[By, tuple[tuple[Error, ...], ...]]


@cache
def whole_fit() -> Fit:
    """Return the fit of all measured rows of the data."""
    found = groups()
    solution = solve(found)
    constants = solution.constants
    return Fit(
        groups=found,
        solution=solution,
        seen=tuple(tuple(errors(group, own)) for group, own in zip(found, constants, strict=True)),
        unseen={by: left_out_errors(found, constants, by) for by in ("source", "model", "family")},
    )


def fit() -> tuple[Profile, ...]:
    """Return the calibrated profiles, fitted on the measured rows of the data.

    Returns:
        One profile for each group, with the errors that it leaves and those on models left out.
    """
    known = whole_fit()
    everything, families = (tuple(error for by_group in known.unseen[by] for error in by_group) for by in _POOLED_FOLDS)
    profiles = []
    for place, (group, constants) in enumerate(zip(known.groups, known.solution.constants, strict=True)):
        rows = _counted(group)
        key, name, description = _words(group, rows)
        own, unseen, family = rows_of([group]), known.unseen["source"][place], tuple[Error, ...]()
        if not group.engine:
            own, unseen, family = rows_of(known.groups), everything, families
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
                errors=_remaining(known.seen[place], known.unseen["model"][place]),
                evidence=_evidence(own, unseen, family),
            )
        )
    return tuple(profiles)
