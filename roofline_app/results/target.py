"""The target and the node: what the model is, what it fits on, and what its passes take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from roofline_app.timing.evidence import Band, Evidence

Bound = Literal["memory", "compute", "overhead", "communication"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFacts:
    """The model as evaluated, at the chosen precision; `assumptions` are keys of `verdict.assumed_…`."""

    id: str
    name: str
    parameters: int
    active_parameters: int
    parameters_by_category: Mapping[str, int]
    weight_bytes: float
    kv_bytes_per_token: float
    window_bytes_per_sequence: float
    state_bytes_per_sequence: float
    max_context_tokens: int
    experts: int
    experts_per_token: int
    assumptions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeFacts:
    """The node as evaluated; figures of the whole node but for those of links.

    Attributes:
        id: Id of the GPU.
        name: Name of the GPU.
        gpus: How many share the model.
        usual_gpus: How many one node, or the domain that its fast links join, usually holds.
        host_gpus: How many one host holds.
        interconnect_bytes_per_second: One-way bandwidth of one GPU to the others; 0 where there is none.
        network: What messages to those beyond that domain cross; empty where there are none, or nothing is known.
        network_bytes_per_second: One-way bandwidth of one GPU there; 0 where there is none.
        network_latency_seconds: What it adds to one collective operation.
        memory_bytes: Memory.
        memory_bytes_per_second: Memory bandwidth.
        flops_per_second: Dense peaks by format.
        second_hand: Figures of the GPU that neither its maker nor the device states, as in `GpuSpec`.
    """

    id: str
    name: str
    gpus: int
    usual_gpus: int
    host_gpus: int
    interconnect_bytes_per_second: float
    network: str
    network_bytes_per_second: float
    network_latency_seconds: float
    memory_bytes: float
    memory_bytes_per_second: float
    flops_per_second: Mapping[str, float]
    second_hand: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileFacts:
    """The profile that the times were computed under, and how the GPUs share the model.

    Attributes:
        id: Its key.
        name: As shown.
        description: What is assumed.
        layout: How the GPUs share the model.
        evidence: Kinds of measured rows of this very engine and family; empty for the ideal profile, and where there
            are none.
    """

    id: str
    name: str
    description: str
    layout: str
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncertainty:
    """Where nine tenths of measurements lie beside calibrated predictions, as on rows that the fit never saw."""

    step: Band
    speedup: Band


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryParts:
    """Bytes of the node's memory by use."""

    weights: float
    kv: float
    state: float
    drafter: float
    reserve: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """Whether the setting fits; `largest_batch`: 0 where not even one sequence does; `drafter`: name of the largest."""

    needed_bytes: float
    capacity_bytes: float
    fits: bool
    largest_batch: int
    parts: MemoryParts
    drafter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """One component of one pass, summed over layers.

    `seconds` is the sum over layers of the larger of each layer's memory and compute seconds, so it can exceed both
    totals where some layers are bound by one and some by the other. `bound` names what most of it waits for.
    """

    name: str
    bytes: float
    flops: float
    seconds: float
    bound: Bound
    memory_seconds: float
    compute_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """One forward pass of the target.

    Attributes:
        query_tokens: Tokens of one sequence in the pass.
        seconds: Of the whole pass.
        steps: The same, in plain decoding steps.
        experts_touched: Expected distinct routed experts of one MoE layer; 0 for a dense model.
        experts_touched_independent: The same if tokens chose their experts independently of each other.
        components: What it is made of.
    """

    query_tokens: int
    seconds: float
    steps: float
    experts_touched: float
    experts_touched_independent: float
    components: tuple[Component, ...]
