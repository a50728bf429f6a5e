"""A profile from a user's own benchmark files: their runs beside the data's rows, and the error that is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from roofline_app import registry
from roofline_app.calibration.benchmarks import MeasuredPoint, as_id
from roofline_app.calibration.benchmarks.points import ALONE
from roofline_app.calibration.fit.fitted_profiles import groups
from roofline_app.calibration.fit.left_out import errors
from roofline_app.calibration.fit.measured_rows import Row, measured_rows
from roofline_app.calibration.fit.solver import Group, solve
from roofline_app.calibration.own_factor import OwnFactor, own_factor, scaled
from roofline_app.model.to_terms import with_weights
from roofline_app.scenario import Scenario
from roofline_app.timing.profiles import DEFAULT_ENGINE, IDEAL_CONSTANTS, POOLED, Calibration, matching_profile

OWN = "own"
# From so many own rows on, the constants themselves are fitted.
FREEING_ROWS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class UserError:
    """One of a user's points beside two predictions, in seconds per token.

    Attributes:
        label: The file's line, or the run's own name.
        batch: Sequences decoded together.
        measured: As measured.
        before: Of the closest profile of the data.
        after: Of the profile that was fitted with the user's points.
    """

    label: str
    batch: int
    measured: float
    before: float
    after: float


@dataclass(frozen=True, slots=True, kw_only=True)
class UserFit:
    """A profile of a user's own.

    Attributes:
        engine: Engine that the points were measured on.
        family: Family of the GPU; empty where the data know none.
        closest: Profile of the data that comes closest.
        constants: Fitted constants; with few points those of `closest`, with every time multiplied by `factor`.
        factor: How much slower the points are than `closest`, likeliest and nine tenths.
        freed: Whether there were enough points to fit the constants themselves.
        points: What is left, point by point.
    """

    engine: str
    family: str
    closest: str
    constants: Calibration
    factor: OwnFactor
    freed: bool
    points: tuple[UserError, ...]


def _named(text: str, known: Sequence[str], otherwise: str) -> str:
    """Return the id that a file's own word stands for, else the setting's."""
    return as_id(text) if as_id(text) in known else otherwise


def user_row(point: MeasuredPoint, scenario: Scenario) -> Row | None:
    """Return a measured point as a row; None if it lacks data, speculates, or is of an unknown model.

    Args:
        point: A run of plain decoding.
        scenario: Model, GPU, formats and engine where the file does not say them.

    Returns:
        The row; what the file calls by a name of the registry counts, else the scenario's.
    """
    if not (point.seconds_per_token and point.batch and point.context_tokens) or point.draft_tokens:
        return None
    named = _named(point.model, registry.model_ids(), scenario.model)
    if named not in registry.model_ids():
        return None
    model = registry.model(named)
    precision = with_weights(model.precision, weights=scenario.weights, kv=scenario.kv)
    served = point.file_format not in ALONE
    return Row(
        id=point.label or f"line {point.source_line}",
        source=OWN,
        engine=_named(point.engine, registry.engine_ids(), scenario.engine or DEFAULT_ENGINE),
        model=model.id,
        gpu=_named(point.gpu, registry.gpu_ids(), scenario.gpu),
        gpus=point.gpus or scenario.gpus,
        expert_ranks=1,
        # A checkpoint that mixes formats is taken as published, which no single format says.
        linear="" if precision.layers else precision.attention,
        experts=precision.experts,
        kv=precision.kv,
        batch=max(1, round(point.batch)),
        context_tokens=point.context_tokens,
        step_seconds=point.seconds_per_token,
        input_tokens=round(point.input_tokens or 0) if served and point.output_tokens else 0,
        output_tokens=round(point.output_tokens or 0) if served else 0,
    )


def fit_to_points(points: Iterable[MeasuredPoint], scenario: Scenario) -> tuple[UserFit, ...]:
    """Return profiles fitted on a user's points beside the data's rows, one for each engine and family in them.

    Args:
        points: Measured points; those that speculate are left out.
        scenario: Setting for what the files do not say.

    Returns:
        Profiles with the errors that they leave; none where no point can be used.
    """
    own = [row for row in (user_row(point, scenario) for point in points) if row]
    if not own:
        return ()
    counts = Counter((row.engine, row.family) for row in own)
    found = groups((*measured_rows(), *own))
    many = max(counts.values()) >= FREEING_ROWS
    fitted = solve(found).constants if many else [IDEAL_CONSTANTS] * len(found)
    return tuple(
        _own_fit(group, constants if counts[group.engine, group.family] >= FREEING_ROWS else None)
        for group, constants in zip(found, fitted, strict=True)
        if (group.engine, group.family) in counts
    )


def _own_fit(group: Group, freed: Calibration | None) -> UserFit:
    closest = matching_profile(registry.profile_ids(), family=group.family, engine=group.engine)
    known = registry.profile(closest).constants
    own = [error for error in errors(group, known) if error.row.source == OWN]
    widths = [some.ninth_decile for some in registry.profile(POOLED).evidence if some.quantity == "step"]
    factor = own_factor([error.measured / error.predicted for error in own], max(widths))
    constants = freed or scaled(known, factor.factor)
    pairs = zip(errors(group, known), errors(group, constants), strict=True)
    return UserFit(
        engine=group.engine,
        family=group.family,
        closest=closest,
        constants=constants,
        factor=factor,
        freed=freed is not None,
        points=tuple(
            UserError(
                label=before.row.id,
                batch=before.row.batch,
                measured=before.measured,
                before=before.predicted,
                after=after.predicted,
            )
            for before, after in pairs
            if before.row.source == OWN
        ),
    )
