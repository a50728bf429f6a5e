"""Where a measured point is of another model, accelerator, engine or format than a setting, and the point's setting."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from roofline_app import registry
from roofline_app.calibration.benchmarks import MeasuredPoint, Remark
from roofline_app.calibration.benchmarks.remarks import remark
from roofline_app.calibration.registry_names import engine_id_of, format_class_of, gpu_id_of, model_id_of
from roofline_app.model.dimensions import ModelSpec, Moe
from roofline_app.model.to_terms import with_weights
from roofline_app.resolved import ResolvedScenario, resolve
from roofline_app.resolved.profile import engine_of
from roofline_app.scenario import (
    CUSTOM,
    LARGEST_BATCH,
    LARGEST_CONTEXT,
    LARGEST_GPUS,
    Scenario,
    Weights,
)

PUBLISHED = "published"


def counted(value: float | None, otherwise: int, most: int) -> int:
    """Return a point's figure as a setting takes it: whole, from 1 to the most; the setting's where it states none."""
    return otherwise if value is None else min(max(round(value), 1), most)


def has_experts(model: ModelSpec) -> bool:
    """Return whether a model has routed experts."""
    return any(isinstance(layer.feed_forward, Moe) for layer in model.dimensions.layers)


def weights_word(point: MeasuredPoint) -> str:
    """Return the file's word for its weights' format: stated, else the end of the checkpoint's name."""
    return point.weights if format_class_of(point.weights) else point.model.rsplit("/", 1)[-1]


def _model_difference(point: MeasuredPoint, resolved: ResolvedScenario) -> Iterator[Remark]:
    used = resolved.scenario.model
    known = model_id_of(point.model)
    if known and known != used:
        yield remark("other_model", given=point.model, used=used)
    elif point.model and not known and used != CUSTOM:
        yield remark("unknown_model", given=point.model, used=used)


def _node_differences(point: MeasuredPoint, resolved: ResolvedScenario) -> Iterator[Remark]:
    scenario = resolved.scenario
    known = gpu_id_of(point.gpu)
    if known and known != scenario.gpu:
        yield remark("other_gpu", given=point.gpu, used=scenario.gpu)
    elif point.gpu and not known:
        yield remark("unknown_gpu", given=point.gpu, used=scenario.gpu)
    if point.gpus is not None and point.gpus != scenario.gpus:
        yield remark("other_gpus", given=point.gpus, used=scenario.gpus)


def _engine_difference(point: MeasuredPoint, resolved: ResolvedScenario) -> Iterator[Remark]:
    scenario, profile = resolved.scenario, resolved.profile
    used = engine_of(scenario, profile) if profile.is_calibrated else scenario.engine
    if point.engine and used and engine_id_of(point.engine) != used:
        yield remark("other_engine", given=point.engine, used=registry.engine(used).name)


def _format_differences(point: MeasuredPoint, resolved: ResolvedScenario) -> Iterator[Remark]:
    scenario = resolved.scenario
    precision = with_weights(resolved.model.precision, scenario.weights, scenario.kv)
    linear, experts = format_class_of(precision.attention), format_class_of(precision.experts)
    routed = has_experts(resolved.model)
    word = weights_word(point)
    stated = format_class_of(word)
    if stated and stated not in ({linear, experts} if routed else {linear}):
        yield remark("other_weights", given=word, used=precision.experts if routed else precision.attention)
    cache = format_class_of(point.kv)
    if cache and cache != format_class_of(precision.kv):
        yield remark("other_kv", given=point.kv, used=precision.kv)


def differences(points: Iterable[MeasuredPoint], scenario: Scenario) -> tuple[Remark, ...]:
    """Return where points are of another model, accelerator, number of them, engine or format than a setting.

    Args:
        points: Of one file.
        scenario: The setting that predicts them.

    Returns:
        Each difference once, by name, in the order of the points; none where the files do not say.

    Raises:
        SpecError: When the setting names an entry that the registry does not know.
    """
    resolved = resolve(scenario)
    checks = (_model_difference, _node_differences, _engine_difference, _format_differences)
    return tuple(dict.fromkeys(found for point in points for check in checks for found in check(point, resolved)))


def setting_of(point: MeasuredPoint, scenario: Scenario) -> Scenario:
    """Return a setting with what a point states in place of its own: "Take this setting".

    Args:
        point: A run; what it does not state, or names by no word of the registry's, stays as it is.
        scenario: The setting to start from.

    Returns:
        The setting with the point's model, accelerators, formats, engine, batch and context.
    """
    model = model_id_of(point.model) or scenario.model
    kind, cache = format_class_of(weights_word(point)), format_class_of(point.kv)
    chosen = Weights(experts=kind, linear=kind) if kind else Weights() if model != scenario.model else scenario.weights
    taken = replace(
        scenario,
        model=model,
        config="" if model != CUSTOM else scenario.config,
        gpu=gpu_id_of(point.gpu) or scenario.gpu,
        gpus=counted(point.gpus, scenario.gpus, LARGEST_GPUS),
        engine=engine_id_of(point.engine) or scenario.engine,
        batch=counted(point.batch, scenario.batch, LARGEST_BATCH),
        context=counted(point.context_tokens, scenario.context, LARGEST_CONTEXT),
        weights=chosen,
        kv=cache or (PUBLISHED if model != scenario.model else scenario.kv),
    )
    published = registry.model(model).precision if model != CUSTOM else None
    if published is None:
        return taken
    # A checkpoint that states what its model publishes anyway is left at `published`, whose formats differ by part.
    if kind in {format_class_of(published.experts), format_class_of(published.attention)}:
        taken = replace(taken, weights=Weights())
    return replace(taken, kv=PUBLISHED) if cache == format_class_of(published.kv) else taken
