"""A scenario with its ids resolved: specs, terms and roof, ready for the maths."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from roofline_app import registry
from roofline_app.hardware.parallelism import DEFAULT_LAYOUT, Layout, LayoutSpec
from roofline_app.hardware.sharding import sharded
from roofline_app.model.config_json import read_config
from roofline_app.model.dimensions import ModelSpec
from roofline_app.model.terms import Transformer
from roofline_app.model.to_terms import transformer, with_weights
from roofline_app.scenario import CUSTOM, Hardware, Scenario, Weights
from roofline_app.specs import GpuSpec, Node
from roofline_app.timing.profiles import CALIBRATED, DEFAULT_ENGINE, Profile, matching_profile
from roofline_app.timing.roofline import Roof, node_roof
from roofline_app.timing.workload import INDEPENDENT, Routing

_MODELS_KEPT = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedScenario:
    """What a scenario stands for.

    Attributes:
        model: The model's dimensions and facts.
        terms: The model at the chosen precision.
        layout: How the node's GPUs share it.
        recipe: The engine's recipe for the model; None for the ideal profile, and where no entry tells of one.
        sharded: The terms as the busiest GPU has them, times the GPUs.
        node: The accelerators, a reader's changes included.
        roof: What the node can do.
        profile: The profile that times are computed under.
        routing: How tokens choose experts.
        usd_per_gpu_hour: Chosen price, else the registry's, else None.
        price_date: Date of the registry's price; empty where the reader chose one or none is known.
    """

    model: ModelSpec
    terms: Transformer
    layout: Layout
    recipe: LayoutSpec | None
    sharded: Transformer
    node: Node
    roof: Roof
    profile: Profile
    routing: Routing
    usd_per_gpu_hour: float | None
    price_date: str


@lru_cache(maxsize=_MODELS_KEPT)
def model_spec(model: str, config: str) -> ModelSpec:
    """Return a registry's model, or the one that a config.json describes.

    Raises:
        SpecError: When the id is unknown or the config cannot be read.
    """
    return read_config(config) if model == CUSTOM else registry.model(model)


@lru_cache(maxsize=_MODELS_KEPT)
def terms_of(spec: ModelSpec, weights: Weights, kv: str) -> Transformer:
    """Return a model's terms at the chosen precision."""
    precision = with_weights(spec.precision, weights=weights, kv=kv)
    return transformer(spec, precision, registry.formats())


def _changed_gpu(gpu: GpuSpec, hardware: Hardware) -> GpuSpec:
    """Return the GPU with a reader's changes."""
    peaks: Mapping[str, float] = dict(gpu.dense_flops_per_second)
    chosen = {name: getattr(hardware, name) for name in ("bf16", "fp8", "fp4", "int8")}
    changed = {name: value for name, value in chosen.items() if value is not None}
    return replace(
        gpu,
        dense_flops_per_second={**peaks, **changed},
        memory_bytes=gpu.memory_bytes if hardware.memory is None else hardware.memory,
        memory_bytes_per_second=gpu.memory_bytes_per_second if hardware.bandwidth is None else hardware.bandwidth,
        interconnect_bytes_per_second=(
            gpu.interconnect_bytes_per_second if hardware.interconnect is None else hardware.interconnect
        ),
    )


@lru_cache(maxsize=_MODELS_KEPT)
def sharded_terms(terms: Transformer, layout: Layout, gpus: int) -> Transformer:
    """Return terms laid out over a node's GPUs."""
    return sharded(terms, layout, gpus=gpus)


def _profile(scenario: Scenario) -> Profile:
    """Return the profile that a scenario names: by its id, or the calibrated one that comes closest."""
    name = scenario.profile
    if name == CALIBRATED:
        family = registry.gpu(scenario.gpu).family
        name = matching_profile(registry.profile_ids(), family=family, engine=scenario.engine)
    profile = registry.profile(name)
    if scenario.kernels == "launched" or profile.constants is None:
        return profile
    return replace(profile, constants=replace(profile.constants, seconds_per_kernel=0.0, seconds_per_pass=0.0))


def engine_of(scenario: Scenario, profile: Profile) -> str:
    """Return the engine that a calibrated profile stands for: its own, else the reader's, else the article's."""
    return profile.engine or scenario.engine or DEFAULT_ENGINE


def _recipe(scenario: Scenario, spec: ModelSpec, profile: Profile) -> LayoutSpec | None:
    """Return the engine's recipe for a model; a reader's own file of a known model has that model's."""
    return _recipe_of(scenario, spec, engine_of(scenario, profile)) if profile.constants else None


def _recipe_of(scenario: Scenario, spec: ModelSpec, engine: str) -> LayoutSpec | None:
    twin = registry.twin_of(spec.dimensions) if scenario.model == CUSTOM else None
    return registry.layout_for(engine, twin.id if twin else scenario.model, scenario.gpus)


def _usual_layout(profile: Profile, recipe: LayoutSpec | None) -> Layout:
    if not profile.constants:
        return Layout.EVEN
    return Layout(recipe.latency) if recipe else DEFAULT_LAYOUT


def usual_layout(scenario: Scenario) -> Layout:
    """Return the layout that a scenario has where its reader chooses none."""
    profile, spec = _profile(scenario), model_spec(scenario.model, scenario.config)
    return _usual_layout(profile, _recipe(scenario, spec, profile))


def _routing(scenario: Scenario, profile: Profile) -> Routing:
    """Return how tokens choose experts; calibrated constants were fitted with experts as counted."""
    if scenario.experts == "independent" and not profile.constants:
        return INDEPENDENT
    spec = registry.routings()["correlated"]
    return Routing(sequence_exponent=spec.sequence_exponent, batch_exponent=spec.batch_exponent)


def recipe_layout(scenario: Scenario, engine: str) -> Layout:
    """Return the layout of an engine's recipe for a scenario's model, whatever its profile.

    Args:
        scenario: Names the model and the GPUs.
        engine: Key of the engine.
    """
    recipe = _recipe_of(scenario, model_spec(scenario.model, scenario.config), engine)
    return Layout(recipe.latency) if recipe else DEFAULT_LAYOUT


def resolve(scenario: Scenario) -> ResolvedScenario:
    """Return the setting that a scenario's ids and changes stand for.

    Raises:
        SpecError: When an id is unknown, or a custom config cannot be read.
    """
    gpu = registry.gpu(scenario.gpu)
    node = Node(
        gpu=gpu if scenario.hardware == Hardware() else _changed_gpu(gpu, scenario.hardware), gpus=scenario.gpus
    )
    spec = model_spec(scenario.model, scenario.config)
    chosen = scenario.price
    profile = _profile(scenario)
    recipe = _recipe(scenario, spec, profile)
    layout = Layout(scenario.layout) if scenario.layout else _usual_layout(profile, recipe)
    terms = terms_of(spec, scenario.weights, scenario.kv)
    return ResolvedScenario(
        model=spec,
        terms=terms,
        layout=layout,
        recipe=recipe,
        sharded=sharded_terms(terms, layout, scenario.gpus),
        node=node,
        roof=node_roof(node, registry.formats()),
        profile=profile,
        routing=_routing(scenario, profile),
        usd_per_gpu_hour=gpu.price_usd_per_hour if chosen is None else chosen,
        price_date=gpu.price_date if chosen is None else "",
    )
