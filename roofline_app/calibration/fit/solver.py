"""The fit: constants of all profiles together, each drawn towards what the others say.

Damped Gauss-Newton steps on the logarithms of times and speedups, with a loss that grows linearly beyond the robust
error, so that a few odd runs do not decide. A constant of an engine and a family is the pooled profile's plus what the
engine, the family and the pair deviate by, each Gaussian with a width of `data/fit.toml`: an engine with many rows
decides for itself, one with few follows the others, one with none is drawn from them. Deterministic; numpy alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from types import SimpleNamespace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from roofline_app.calibration.fit.measured_rows import Row, sources
from roofline_app.calibration.fit.predictions import Measured
from roofline_app.calibration.fit.settings import priors, robust_error
from roofline_app.timing.profiles import SHARES, Calibration

Floats = NDArray[np.float64]
Kind = tuple[str, str, bool]
NAMES = tuple(field.name for field in fields(Calibration))
_STEP = 1e-4
_ITERATIONS = 60
_TRIES = 12
_DONE = 1e-12
# Of a fit that begins near its end.
_NEAR = 1e-6
_FIRST_DAMPING, _WORSE, _BETTER = 1e-2, 4.0, 0.2
_POOLED_WIDTH = 1e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """One engine on one family of accelerators.

    Attributes:
        engine: The engine; empty for the pooled profile.
        family: The family; empty for the pooled profile.
        data: Its rows; None where it has none.
    """

    engine: str
    family: str
    data: Measured | None


def _constants(deviation: Floats) -> Calibration:
    """Return constants that deviate from their expected values by so much, in order of `NAMES`."""
    return Calibration(**{name: float(_value(name, amount)) for name, amount in zip(NAMES, deviation, strict=True)})


def _value(name: str, deviation: Floats) -> Floats:
    expected = priors()[name].value
    if name in SHARES:
        return np.asarray(1.0 / (1.0 + (1.0 / expected - 1.0) * np.exp(-deviation)))
    return np.asarray(expected * np.exp(deviation))


def _many(deviations: Floats) -> Calibration:
    """Return sets of constants, shape (sets, constants), as one whose fields are arrays of shape (sets, 1)."""
    sets = {name: _value(name, deviations[:, [place]]) for place, name in enumerate(NAMES)}
    return cast("Calibration", SimpleNamespace(**sets))


def _deviation(constants: Calibration) -> Floats:
    """Return by how much constants deviate from their expected values, the inverse of `_constants`."""
    found = []
    for name in NAMES:
        expected, value = priors()[name].value, getattr(constants, name)
        share = name in SHARES
        found.append(np.log(value / expected) - (np.log((1.0 - value) / (1.0 - expected)) if share else 0.0))
    return np.array(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """What a fit finds.

    Attributes:
        constants: Of every group, in order.
        curvature: Half of the loss's second derivatives by all groups' deviations, square.
    """

    constants: tuple[Calibration, ...]
    curvature: Floats

    @property
    def condition(self) -> float:
        """Condition number of the curvature with each deviation in units of its own.

        How much better the best determined combination of constants is than the worst determined one.
        """
        scale = np.sqrt(np.diag(self.curvature))
        own = np.linalg.eigvalsh(self.curvature / np.outer(scale, scale))
        return float(own[-1] / own[0])


def _precisions(groups: Sequence[Group]) -> Floats:
    """Return the inverse covariance of each constant over the groups, shape (constants, groups, groups)."""
    engines, families = ([getattr(group, name) for group in groups] for name in ("engine", "family"))
    same_engine = np.array([[bool(one) and one == other for other in engines] for one in engines], dtype=np.float64)
    same_family = np.array([[bool(one) and one == other for other in families] for one in families], dtype=np.float64)
    own = np.array([1.0 if group.engine else 0.0 for group in groups])
    inverse = []
    for name in NAMES:
        prior = priors()[name]
        covariance = prior.pooled**2 + prior.engine**2 * same_engine + prior.family**2 * same_family
        inverse.append(np.linalg.inv(covariance + np.diag(prior.pair**2 * own + _POOLED_WIDTH**2)))
    return np.array(inverse)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Target:
    """What one group's predictions are compared with.

    Attributes:
        data: The rows' work.
        logarithms: Of measured steps, then of measured ratios.
        weights: Of the same; 0 for what is not measured or left out.
    """

    data: Measured
    logarithms: Floats
    weights: Floats

    def errors(self, constants: Calibration) -> Floats:
        """Return predicted over measured, logarithms in units of the robust error."""
        predicted = np.where(self.weights > 0.0, np.concatenate(self.data.predict(constants), axis=-1), 1.0)
        return np.where(self.weights > 0.0, np.log(predicted) - self.logarithms, 0.0) / robust_error()


def _kind(row: Row) -> Kind:
    """Return what rows that repeat each other have in common."""
    return row.source, row.model, row.topk > 1


def _target(data: Measured, alike: Mapping[Kind, int], left_out: Collection[str]) -> _Target:
    steps, ratios = np.array([(row.step_seconds, row.ratio or 1.0) for row in data.rows]).T
    weights = []
    for row in data.rows:
        source = sources()[row.source]
        kept = float(row.id not in left_out) / np.sqrt(alike[_kind(row)])
        weights.append((kept * source.step_weight, kept * source.ratio_weight * row.states_round))
    return _Target(
        data=data,
        logarithms=np.log(np.concatenate((steps, ratios))),
        weights=np.concatenate(np.array(weights).T),
    )


def solve(
    groups: Sequence[Group], *, without: Collection[str] = (), start: Sequence[Calibration] | None = None
) -> Solution:
    """Return the constants of every group.

    Args:
        groups: Engines on families, the pooled one among them.
        without: Ids of rows that are left out.
        start: Constants to begin at, in the groups' order; None begins at the expected ones.

    Returns:
        Constants in the groups' order, and how well they are determined.
    """
    rows = [row for group in groups if group.data for row in group.data.rows]
    alike = Counter(_kind(row) for row in rows)
    targets = [_target(group.data, alike, without) if group.data else None for group in groups]
    precisions = _precisions(groups)
    deviation = np.array([_deviation(known) for known in start]) if start else np.zeros((len(groups), len(NAMES)))
    loss, errors = _loss(deviation, targets, precisions)
    damping, done = _FIRST_DAMPING, _NEAR if start else _DONE
    for _ in range(_ITERATIONS):
        curvature, slope = _expansion(deviation, errors, targets, precisions)
        for _ in range(_TRIES):
            damped = curvature + damping * np.diag(np.diag(curvature))
            tried = deviation - np.linalg.solve(damped, slope).reshape(deviation.shape)
            tried_loss, tried_errors = _loss(tried, targets, precisions)
            if tried_loss < loss:
                break
            damping *= _WORSE
        else:
            break
        gained = loss - tried_loss
        deviation, loss, errors = tried, tried_loss, tried_errors
        damping *= _BETTER
        if gained < done * loss:
            break
    return Solution(constants=tuple(_constants(row) for row in deviation), curvature=curvature)


def _loss(
    deviation: Floats, targets: Sequence[_Target | None], precisions: Floats
) -> tuple[float, list[Floats | None]]:
    loss = float(np.einsum("gn,ngh,hn->", deviation, precisions, deviation))
    errors: list[Floats | None] = []
    for row, target in zip(deviation, targets, strict=True):
        found = target.errors(_constants(row)) if target else None
        errors.append(found)
        if target is not None and found is not None:
            loss += float(np.sum(target.weights * 2.0 * (np.sqrt(1.0 + found**2) - 1.0)))
    return loss, errors


def _expansion(
    deviation: Floats, errors: Sequence[Floats | None], targets: Sequence[_Target | None], precisions: Floats
) -> tuple[Floats, Floats]:
    """Return half of the loss's curvature and slope around a deviation, groups outermost."""
    count, names = deviation.shape
    curvature = np.zeros((count, names, count, names))
    slope = np.einsum("ngh,hn->gn", precisions, deviation)
    diagonal = np.arange(names)
    curvature[:, diagonal, :, diagonal] = precisions
    for group, (target, found) in enumerate(zip(targets, errors, strict=True)):
        if target is None or found is None:
            continue
        slopes = (target.errors(_many(deviation[group] + np.eye(names) * _STEP)) - found) / _STEP
        weights = target.weights / np.sqrt(1.0 + found**2)
        curvature[group, :, group, :] += (slopes * (weights / (1.0 + found**2))) @ slopes.T
        slope[group] += slopes @ (weights * found)
    return curvature.reshape(count * names, count * names), slope.ravel()
