"""The layout of a scenario: the user's choice, else an engine's recipe for the model, else the engine's own way."""

from __future__ import annotations

from typing import Literal

from roofline_app import registry
from roofline_app.hardware.parallelism import DEFAULT_LAYOUT, Layout, LayoutFacts, LayoutSpec
from roofline_app.model.dimensions import ModelSpec
from roofline_app.resolved.models import model_spec, twin_of
from roofline_app.resolved.profile import engine_of, resolved_profile
from roofline_app.scenario import Scenario
from roofline_app.timing.profiles import Profile


def _recipe_of(scenario: Scenario, spec: ModelSpec, engine: str) -> LayoutSpec | None:
    twin = twin_of(scenario, spec)
    return registry.layout_for(engine, twin.id if twin else scenario.model, scenario.gpus)


def profile_recipe(scenario: Scenario, spec: ModelSpec, profile: Profile) -> LayoutSpec | None:
    """Return the recipe of a calibrated profile's engine for a model.

    A user's own file of a known model has that model's recipe.

    Args:
        scenario: Names the model and the GPUs.
        spec: The model.
        profile: The profile; the ideal one has no recipe.
    """
    return _recipe_of(scenario, spec, engine_of(scenario, profile)) if profile.is_calibrated else None


def default_layout(profile: Profile, recipe: LayoutSpec | None) -> Layout:
    """Return the layout where the user chooses none: even if ideal, else the recipe's, else tensor parallel."""
    if not profile.is_calibrated:
        return Layout.EVEN
    return Layout(recipe.latency) if recipe else DEFAULT_LAYOUT


def usual_layout(scenario: Scenario) -> Layout:
    """Return the layout that a scenario has where its user chooses none."""
    profile, spec = resolved_profile(scenario), model_spec(scenario.model, scenario.config)
    return default_layout(profile, profile_recipe(scenario, spec, profile))


def recipe_layout(scenario: Scenario, engine: str) -> Layout:
    """Return the layout of an engine's recipe for a scenario's model, whatever its profile.

    Args:
        scenario: Names the model and the GPUs.
        engine: Key of the engine.
    """
    recipe = _recipe_of(scenario, model_spec(scenario.model, scenario.config), engine)
    return Layout(recipe.latency) if recipe else DEFAULT_LAYOUT


def _why(
    scenario: Scenario, profile: Profile, recipe: LayoutSpec | None
) -> Literal["chosen", "recipe", "engine", "ideal", "single"]:
    if scenario.gpus == 1:
        return "single"
    if scenario.layout:
        return "chosen"
    if not profile.is_calibrated:
        return "ideal"
    return "recipe" if recipe else "engine"


def undivided_heads(spec: ModelSpec, layout: Layout, gpus: int) -> int:
    """Return heads of a layer that no engine divides over a number of GPUs; 0 where they can be divided.

    Engines refuse heads that are no multiple of the GPUs. Key-value heads are copied, so that either number must divide
    the other. Where each GPU attends for sequences of its own, heads stay together.

    Args:
        spec: The model.
        layout: How the GPUs share it.
        gpus: GPUs of the node.

    Source:
        vLLM, `ModelConfig.verify_with_parallel_config`.
    """
    if gpus == 1 or layout.splits_sequences:
        return 0
    for layer in spec.dimensions.layers:
        for name in ("heads", "key_heads", "value_heads", "kv_heads"):
            heads = getattr(layer.mixer, name, 0)
            copied = name == "kv_heads" and gpus > heads
            if heads and (gpus % heads if copied else heads % gpus):
                return heads
    return 0


def layout_facts(
    scenario: Scenario, spec: ModelSpec, layout: Layout, profile: Profile, recipe: LayoutSpec | None
) -> LayoutFacts:
    """Return the layout of a scenario, and the reason for it.

    Args:
        scenario: The user's choices.
        spec: The model.
        layout: The layout that they lead to.
        profile: The profile.
        recipe: The recipe of the profile's engine for the model.
    """
    why = _why(scenario, profile, recipe)
    stated = recipe if recipe and why in {"recipe", "chosen"} else None
    engine = engine_of(scenario, profile) if stated or why == "engine" else ""
    return LayoutFacts(
        id=layout.value,
        why=why,
        engine=engine,
        engine_name=registry.engine(engine).name if engine in registry.engine_ids() else profile.name,
        latency=stated.latency if stated else "",
        throughput=stated.throughput if stated else "",
        source=stated.source if stated else "",
        undivided_heads=undivided_heads(spec, layout, scenario.gpus),
    )
