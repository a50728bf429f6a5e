"""What an evaluation holds: one frozen value per block of the published JSON, field for field.

`report.as_json` writes these as they are; the page's views read them. Units are in the names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from roofline_app.hardware.parallelism import LayoutFacts

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Bound = Literal["memory", "compute", "overhead", "communication"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFacts:
    """The model as evaluated, at the chosen precision."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeFacts:
    """The node as evaluated; figures of the whole node but for two.

    Attributes:
        id: Id of the GPU.
        name: Name of the GPU.
        gpus: How many share the model.
        usual_gpus: How many one node, or the domain that its fast links join, usually holds.
        interconnect_bytes_per_second: One-way bandwidth of one GPU to the others; 0 where there is none.
        memory_bytes: Memory.
        memory_bytes_per_second: Memory bandwidth.
        flops_per_second: Dense peaks by format.
    """

    id: str
    name: str
    gpus: int
    usual_gpus: int
    interconnect_bytes_per_second: float
    memory_bytes: float
    memory_bytes_per_second: float
    flops_per_second: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileFacts:
    """The profile that the times were computed under, and how the GPUs share the model."""

    id: str
    name: str
    description: str
    layout: str


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Best:
    """The shortest draft length that reaches the largest speedup.

    `drafting_steps` is the drafting time of a round in plain decoding steps.
    """

    draft_tokens: int
    speedup: float
    at_cap: bool
    seconds_per_round: float
    tokens_per_round: float
    drafting_steps: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PhysicalDrafter:
    """A drafter's own weights, and what drafting with them costs on the node.

    Attributes:
        id: Id of the drafter.
        name: Name for readers.
        generic: Whether it stands in for one that no entry describes.
        source: Who states its sizes.
        assumed: What no source states; empty where everything is stated.
        parameters: Its own; a shared head and embedding left out.
        weight_bytes: Their bytes.
        kv_bytes_per_token: Bytes by which its cache grows with each token.
        draft_tokens_per_pass: 1, or those of a block.
        seconds: All draft passes of a round at draft lengths 0..cap.
        cost: The same as a share of a step per pass, at the best draft length (at 1 where none pays): what a relative
            cost would have to be.
    """

    id: str
    name: str
    generic: bool
    source: str
    assumed: str
    parameters: int
    weight_bytes: float
    kv_bytes_per_token: float
    draft_tokens_per_pass: int
    seconds: Floats
    cost: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SeparatePlacement:
    """A drafter on GPUs of its own, against the same one on the target's.

    Attributes:
        gpus: How many of the same GPU hold its weights and cache.
        link_seconds: Of a round at draft lengths 0..cap.
        same_seconds: Drafting seconds on the target's GPUs at draft lengths 0..cap.
        speedup_same: Best speedup on the target's GPUs.
        pays: Whether the best speedup is larger on its own.
        pays_at_batch: Batches of `BestByBatch` at which it is.
    """

    gpus: int
    link_seconds: Floats
    same_seconds: Floats
    speedup_same: float
    pays: bool
    pays_at_batch: Integers


@dataclass(frozen=True, slots=True, kw_only=True)
class MixPartResult:
    """One part of a mix, alone: `best_draft_tokens` and `speedup` with a draft length of its own."""

    name: str
    share: float
    tokens_per_round: Floats
    best_draft_tokens: int
    speedup: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MixResult:
    """One drafter for all parts at one draft length, against one per part, each at its own."""

    parts: tuple[MixPartResult, ...]
    speedup_together: float
    speedup_apart: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredFrom:
    """Where a measured acceptance comes from; `contexts`: the first and the last, where it was measured by context."""

    id: str
    name: str
    conditions: str
    source: str
    contexts: tuple[int, int] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DrafterResult:
    """One drafter's curves over draft lengths 0..cap, and its best point.

    Attributes:
        name: Name of the line, unique within the evaluation.
        kind: Drafter kind.
        colour: Six hex digits where the reader chose a colour, else empty.
        measured_draft_tokens: Last draft length that a measured acceptance covers; None where it is not measured.
        draft_tokens: 0..cap, shape (cap + 1,), as are the arrays below.
        tokens_per_round: Committed tokens per round, bonus token included.
        verifying_seconds: One target pass over draft_tokens + 1 query tokens per sequence.
        drafting_seconds: All draft passes of a round.
        speedup: Against plain decoding; 1 at 0.
        tokens_per_second_per_user: Of one sequence.
        best: The best point.
        verify: The target's pass at the best draft length.
        survival: Chance that the draft token at positions 1..cap commits, falling; its sum is tokens_per_round - 1
            except where tokens per round were measured one by one and do not grow evenly.
        measured: Where a measured acceptance comes from; None for a stated one.
        lossy: Whether rejections are accepted all the same, so that the output's distribution changes.
        cost: Share of a step per draft pass; None where drafting has the cost of the drafter's own work.
        block: Chosen draft tokens per pass.
        physical: The drafter's own work; None where it has no weights.
        separate: A drafter on GPUs of its own; None on the target's.
        mix: The parts of a mix; None where all sequences are alike.
    """

    name: str
    kind: str
    colour: str
    measured_draft_tokens: int | None
    draft_tokens: Integers
    tokens_per_round: Floats
    verifying_seconds: Floats
    drafting_seconds: Floats
    speedup: Floats
    tokens_per_second_per_user: Floats
    best: Best
    verify: Pass
    survival: Floats
    measured: MeasuredFrom | None
    lossy: bool
    cost: float | None
    block: int
    physical: PhysicalDrafter | None
    separate: SeparatePlacement | None
    mix: MixResult | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RatesByBatch:
    """Rates over the batches; arrays of shape (batches,). `usd_per_million_tokens` is None without a price."""

    tokens_per_second_per_user: Floats
    tokens_per_second_per_gpu: Floats
    usd_per_million_tokens: Floats | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DrafterByBatch:
    """One drafter over the batches; arrays of shape (batches,), `rates` at each batch's best draft length."""

    name: str
    draft_tokens: Integers
    speedup: Floats
    speedup_at_this_draft_length: Floats
    rates: RatesByBatch


@dataclass(frozen=True, slots=True, kw_only=True)
class BestByBatch:
    """Best draft length, speedup and rates at batch 1, 2, 4 ... 4096; `without` is plain decoding."""

    batch: Integers
    without: RatesByBatch
    drafters: tuple[DrafterByBatch, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """Tokens per second and cost; `usd_per_million_tokens` is None without a price."""

    name: str
    tokens_per_second_per_user: float
    tokens_per_second_per_gpu: float
    tokens_per_second_per_node: float
    usd_per_million_tokens: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Economics:
    """Rates without speculation and with each drafter at its best draft length."""

    usd_per_gpu_hour: float | None
    price_date: str
    without: Rates
    drafters: tuple[Rates, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Payoff:
    """What the best drafter would earn if training raised its tokens per round, its draft length and costs as now.

    Attributes:
        name: Name of the drafter.
        draft_tokens: Its best draft length, or 1 where it does not pay yet.
        tokens_per_round: Now, and after training.
        speedup: Against plain decoding, which serves where a drafter does not pay.
        tokens_per_second_per_gpu: Of output.
        gpus: Accelerators that the traffic keeps busy; None without traffic.
        usd_per_day: Their price; None without traffic or price.
        usd_saved_per_day: Now less after; None without both.
        break_even_days: After which the training bill is saved; None without a bill, or where nothing is saved.
    """

    name: str
    draft_tokens: int
    tokens_per_round: tuple[float, float]
    speedup: tuple[float, float]
    tokens_per_second_per_gpu: tuple[float, float]
    gpus: tuple[float, float] | None
    usd_per_day: tuple[float, float] | None
    usd_saved_per_day: float | None
    break_even_days: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """Everything that follows from one scenario.

    `step` is the target's pass with one query token, `verify_one` its pass over a single draft token. `payoff` is
    None where no tokens per round after training are stated.
    """

    query: str
    notices: tuple[str, ...]
    batch: int
    context: int
    cap: int
    model: ModelFacts
    node: NodeFacts
    profile: ProfileFacts
    layout: LayoutFacts
    memory: Memory
    step: Pass
    verify_one: Pass
    drafters: tuple[DrafterResult, ...]
    best_by_batch: BestByBatch
    economics: Economics
    payoff: Payoff | None
    headline: str
    verdict: str
