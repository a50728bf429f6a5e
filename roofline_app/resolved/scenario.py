"""A scenario with its ids resolved: specs, terms, roof and drafters, ready for the maths."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from roofline_app import registry
from roofline_app.hardware.parallelism import Layout, LayoutFacts
from roofline_app.model.dimensions import ModelSpec
from roofline_app.model.terms import Transformer
from roofline_app.resolved.drafters import ResolvedDrafter, resolved_drafters
from roofline_app.resolved.layout import default_layout, layout_facts, profile_recipe
from roofline_app.resolved.models import model_spec, sharded_terms, terms_of
from roofline_app.resolved.profile import resolved_profile, resolved_routing
from roofline_app.scenario import Hardware, Scenario
from roofline_app.specs import FormatSpec, GpuSpec, Node
from roofline_app.timing.evidence import Evidence
from roofline_app.timing.profiles import POOLED, Profile
from roofline_app.timing.roofline import Roof, node_roof
from roofline_app.timing.workload import Routing


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedScenario:
    """What a scenario stands for; nothing below it asks the registry.

    Attributes:
        scenario: The choices themselves: batch, context, cap and the like are plain numbers already.
        model: The model's dimensions and facts.
        terms: The model at the chosen number formats.
        layout: How the node's GPUs share it.
        layout_facts: The same, and why.
        sharded: The terms as the busiest GPU has them, times the GPUs.
        node: The accelerators, a user's changes included.
        roof: What the node can do; under the ideal profile messages between its GPUs are free.
        formats: Every number format by id.
        profile: The profile that times are computed under.
        evidence: Measured rows behind the profile, of the accelerator's family; empty where there are none.
        pooled_evidence: Those of all measured rows.
        routing: Routing: how tokens choose experts.
        drafters: The drafter lines, in order.
        usd_per_gpu_hour: Chosen price, else the registry's, else None.
        price_date: Date of the registry's price; empty where the user chose one or none is known.
    """

    scenario: Scenario
    model: ModelSpec
    terms: Transformer
    layout: Layout
    layout_facts: LayoutFacts
    sharded: Transformer
    node: Node
    roof: Roof
    formats: Mapping[str, FormatSpec]
    profile: Profile
    evidence: tuple[Evidence, ...]
    pooled_evidence: tuple[Evidence, ...]
    routing: Routing
    drafters: tuple[ResolvedDrafter, ...]
    usd_per_gpu_hour: float | None
    price_date: str

    def roof_of(self, gpus: int) -> Roof:
        """Return the roof of a number of the node's GPUs; messages between them are free under the ideal profile."""
        return node_roof(replace(self.node, gpus=gpus), self.formats, linked=self.profile.is_calibrated)


def _changed_gpu(gpu: GpuSpec, hardware: Hardware) -> GpuSpec:
    """Return the GPU with a user's changes."""
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
        # A link that a user states joins all of them, however many.
        network=gpu.network if hardware.interconnect is None else None,
    )


def resolve(scenario: Scenario) -> ResolvedScenario:
    """Return a scenario with its ids resolved and its changes applied.

    Raises:
        SpecError: When an id is unknown, or a custom config cannot be read.
    """
    gpu = registry.gpu(scenario.gpu)
    changed = gpu if scenario.hardware == Hardware() else _changed_gpu(gpu, scenario.hardware)
    node = Node(gpu=changed, gpus=scenario.gpus)
    spec, profile = model_spec(scenario.model, scenario.config), resolved_profile(scenario)
    recipe = profile_recipe(scenario, spec, profile)
    layout = Layout(scenario.layout) if scenario.layout else default_layout(profile, recipe)
    terms = terms_of(spec, scenario.weights, scenario.kv)
    chosen = dict(scenario.prices).get(scenario.gpu) if scenario.price is None else scenario.price
    return ResolvedScenario(
        scenario=scenario,
        model=spec,
        terms=terms,
        layout=layout,
        layout_facts=layout_facts(scenario, spec, layout, profile, recipe),
        sharded=sharded_terms(terms, layout, scenario.gpus),
        node=node,
        roof=node_roof(node, registry.formats(), linked=profile.is_calibrated),
        formats=registry.formats(),
        profile=profile,
        evidence=profile.evidence if profile.family and profile.family == gpu.family else (),
        pooled_evidence=registry.profile(POOLED).evidence if profile.is_calibrated else (),
        routing=resolved_routing(scenario, profile),
        drafters=resolved_drafters(scenario),
        usd_per_gpu_hour=gpu.price_usd_per_hour if chosen is None else chosen,
        price_date=gpu.price_date if chosen is None else "",
    )
