"""The nodes that a search goes through: accelerators, their numbers, weight formats and layouts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from roofline_app import registry
from roofline_app.hardware.parallelism import Layout
from roofline_app.model.dimensions import Moe
from roofline_app.model.to_terms import weight_bytes
from roofline_app.model.to_terms.chosen_formats import WEIGHT_FORMATS
from roofline_app.resolved import model_spec, resolved_profile, terms_of
from roofline_app.results.nodes import LeftOut, Reason
from roofline_app.scenario import LARGEST_GPUS, Hardware, NodeRange, Presentation, Scenario, Weights
from roofline_app.specs import GpuSpec

PUBLISHED = "published"
# What a published checkpoint is quantised to; the wider ones come first.
_NARROWER = ("fp8", "int8", "fp4", "int4")
_MORE_EXPERTS = (Layout.TENSOR, Layout.TENSOR_EXPERT, Layout.DATA_TENSOR, Layout.DATA_EXPERT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A node to evaluate.

    Attributes:
        scenario: The setting on it, at a batch of 1.
        weights: Weight formats in one word.
        layout: How the GPUs share the model; empty on a single one.
        usd_per_gpu_hour: Price.
        price_date: Of the registry's price; empty for a user's own.
    """

    scenario: Scenario
    weights: str
    layout: str
    usd_per_gpu_hour: float
    price_date: str

    @property
    def gpu(self) -> GpuSpec:
        """The accelerator as the registry has it."""
        return registry.gpu(self.scenario.gpu)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """What to evaluate, and what need not be."""

    nodes: tuple[Candidate, ...]
    left_out: tuple[LeftOut, ...]


def candidates(scenario: Scenario) -> Candidates:
    """Return the nodes that may hold a scenario's model, within what its search is limited to.

    Numbers are powers of two up to what fast links join, and both ends of a stated range. Beyond these links they are
    counted only where a network is known and the profile counts messages. Formats are the published one, and those of
    fewer bytes that the accelerator computes with; a format that the setting itself states is the only one. Layouts are
    the profile's: an even split if ideal, else those of engines, unless the setting states one.

    Args:
        scenario: The setting; its accelerator keeps the user's changes and price.
    """
    found: list[Candidate] = []
    out: list[LeftOut] = []
    weights = _weights(scenario)
    for gpu in _gpus(scenario):
        if price_of(scenario, gpu)[0] is None:
            out.append(LeftOut(gpu=gpu.id, name=gpu.name, reason="price"))
            continue
        counts = _counts(scenario, gpu, out)
        for word, chosen in weights.items():
            if word != PUBLISHED and not _runs(gpu, word, scenario):
                out.append(LeftOut(gpu=gpu.id, name=gpu.name, reason="format", weights=(word,)))
                continue
            found += _of_format(scenario, gpu, counts, (word, chosen), out)
    return Candidates(nodes=tuple(found), left_out=tuple(out))


def price_of(scenario: Scenario, gpu: GpuSpec) -> tuple[float | None, str]:
    """Return USD per hour of an accelerator and the date of the registry's price."""
    own = dict(scenario.prices).get(gpu.id)
    if scenario.price is not None and gpu.id == scenario.gpu:
        own = scenario.price
    return (gpu.price_usd_per_hour, gpu.price_date) if own is None else (own, "")


def _gpus(scenario: Scenario) -> Iterator[GpuSpec]:
    named = {limit.gpu for limit in scenario.nodes.ranges}
    for gpu in registry.gpus().values():
        if not named or "" in named or gpu.id in named:
            yield gpu


def _ranges(scenario: Scenario, gpu: GpuSpec) -> list[NodeRange]:
    """Return the ranges that a user states for an accelerator: its own before those of all."""
    own = [limit for limit in scenario.nodes.ranges if limit.gpu == gpu.id]
    return own or [limit for limit in scenario.nodes.ranges if not limit.gpu]


def _counts(scenario: Scenario, gpu: GpuSpec, out: list[LeftOut]) -> tuple[int, ...]:
    ranges = _ranges(scenario, gpu)
    domain = min(gpu.gpus_per_node, LARGEST_GPUS)
    powers = {1 << power for power in range(LARGEST_GPUS.bit_length())} | {domain}
    if gpu.id == scenario.gpu:
        powers.add(scenario.gpus)
    ends = {end for limit in ranges for end in (limit.least, limit.most)}
    wanted = {count for count in powers | ends if count <= LARGEST_GPUS}
    if ranges:
        wanted = {count for count in wanted if any(limit.least <= count <= limit.most for limit in ranges)}
    profile = resolved_profile(replace(scenario, gpu=gpu.id))
    joined = gpu.interconnect_bytes_per_second > 0 or not profile.is_calibrated
    linked = gpu.network is not None and profile.is_calibrated
    possible = {count for count in wanted if count == 1 or (joined and count <= domain) or (linked and joined)}
    if gpu.id == scenario.gpu:
        possible |= wanted & {scenario.gpus}
    if beyond := tuple(sorted(wanted - possible)):
        out.append(LeftOut(gpu=gpu.id, name=gpu.name, reason="domain", gpus=beyond))
    return tuple(sorted(possible))


def _weights(scenario: Scenario) -> dict[str, Weights]:
    """Return the formats to try by their words; wider ones than the published are nobody's choice."""
    if scenario.weights != Weights():
        return {_word(scenario.weights): scenario.weights}
    every = {word: Weights(experts=word, linear=word, head="bf16") for word in _NARROWER}
    if scenario.nodes.weights:
        every["bf16"] = Weights(experts="bf16", linear="bf16", head="bf16")
        return {word: {PUBLISHED: Weights(), **every}[word] for word in scenario.nodes.weights}
    spec = model_spec(scenario.model, scenario.config)
    size = weight_bytes(terms_of(spec, Weights(), scenario.kv))
    narrower = {
        word: chosen for word, chosen in every.items() if weight_bytes(terms_of(spec, chosen, scenario.kv)) < size
    }
    return {PUBLISHED: Weights(), **narrower}


def _word(weights: Weights) -> str:
    parts = {weights.experts, weights.linear}
    return parts.pop() if len(parts) == 1 else f"experts:{weights.experts},linear:{weights.linear},head:{weights.head}"


def _runs(gpu: GpuSpec, word: str, scenario: Scenario) -> bool:
    """Return whether an accelerator computes with a format as it is stored, a user's peaks included."""
    if word not in WEIGHT_FORMATS:
        return True
    spec, peaks = registry.formats()[WEIGHT_FORMATS[word]], dict(gpu.dense_flops_per_second)
    if gpu.id == scenario.gpu:
        peaks |= {name: 1.0 for name in ("fp8", "fp4", "int8") if getattr(scenario.hardware, name) is not None}
    return spec.computed_at(peaks) == spec.peaks[0]


def _layouts(scenario: Scenario, gpu: GpuSpec, gpus: int) -> tuple[str, ...]:
    if gpus == 1 or scenario.layout:
        return (scenario.layout,)
    if not resolved_profile(replace(scenario, gpu=gpu.id)).is_calibrated:
        known: tuple[Layout, ...] = (Layout.EVEN,)
    else:
        spec = model_spec(scenario.model, scenario.config)
        sparse = any(isinstance(layer.feed_forward, Moe) for layer in spec.dimensions.layers)
        known = _MORE_EXPERTS if sparse else (Layout.TENSOR,)
    stated = scenario.nodes.layouts
    return stated or tuple(layout.value for layout in known)


def _of_format(
    scenario: Scenario, gpu: GpuSpec, counts: tuple[int, ...], formats: tuple[str, Weights], out: list[LeftOut]
) -> Iterator[Candidate]:
    """Yield the nodes of one accelerator and format whose weights fit."""
    word, weights = formats
    own = gpu.id == scenario.gpu
    price, date = price_of(scenario, gpu)
    memory = scenario.hardware.memory if own and scenario.hardware.memory is not None else gpu.memory_bytes
    size = weight_bytes(terms_of(model_spec(scenario.model, scenario.config), weights, scenario.kv))
    small = tuple(count for count in counts if size > count * memory * (1.0 - scenario.reserve))
    if small:
        out.append(left_out(gpu, "memory", gpus=small, weights=(word,)))
    for count in counts:
        if count in small or price is None:
            continue
        for layout in _layouts(scenario, gpu, count):
            setting = replace(
                scenario,
                gpu=gpu.id,
                gpus=count,
                weights=weights,
                layout=layout,
                hardware=scenario.hardware if own else Hardware(),
                price=scenario.price if own else None,
                batch=1,
                compare="",
                presentation=Presentation(),
            )
            yield Candidate(scenario=setting, weights=word, layout=layout, usd_per_gpu_hour=price, price_date=date)


def left_out(gpu: GpuSpec, reason: Reason, *, gpus: tuple[int, ...], weights: tuple[str, ...]) -> LeftOut:
    """Return that some nodes of an accelerator are not listed."""
    return LeftOut(gpu=gpu.id, name=gpu.name, reason=reason, gpus=gpus, weights=weights)
