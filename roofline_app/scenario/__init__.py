"""Everything a user can choose, as one frozen value.

A `Scenario` holds ids and plain numbers only, so that it can be compared, hashed and written into a link.
`resolved.resolve` is where its ids meet the registry.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from roofline_app.scenario.drafter import (
    AcceptanceChoice as AcceptanceChoice,
    AcceptanceLength as AcceptanceLength,
    ConstantAcceptance as ConstantAcceptance,
    Drafter as Drafter,
    DrafterSizes as DrafterSizes,
    MeasuredAcceptance as MeasuredAcceptance,
    MixedAcceptance as MixedAcceptance,
    MixPart as MixPart,
    Placement as Placement,
    SurvivalRates as SurvivalRates,
)
from roofline_app.scenario.node_search import (
    LARGEST_GPUS as LARGEST_GPUS,
    MOST_NODES as MOST_NODES,
    NodeRange as NodeRange,
    NodeSearch as NodeSearch,
    Target as Target,
)

KvRead = Literal["overlap", "add"]
Experts = Literal["independent", "correlated"]
Kernels = Literal["launched", "fused"]
# USD and tokens per round.
LearningCurve: TypeAlias = tuple[tuple[float, float], ...]
# The model id of a user's own config.json.
CUSTOM = "custom"
LARGEST_CAP = 64
LARGEST_BATCH = 1_048_576
LARGEST_CONTEXT = 16_777_216
LARGEST_RESERVE = 0.9
LARGEST_IMBALANCE = 8.0
LARGEST_COST = 100.0
MOST_DRAFTERS = 5
MOST_PINNED = 3
MOST_LEARNING = 16
LONGEST_NAME = 40
MOST_PASSES = 64
MOST_PARTS = 8
MOST_BRANCHES = 16
MOST_VERIFIED = 256
MOST_LOADS = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Chosen weight formats; `published` leaves what the checkpoint states.

    Attributes:
        experts: Format of routed experts.
        linear: Format of the other linear layers.
        head: Format of the embedding and the output head.
    """

    experts: str = "published"
    linear: str = "published"
    head: str = "published"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hardware:
    """A user's changes of one GPU; None keeps the registry's figure."""

    bandwidth: float | None = None
    memory: float | None = None
    bf16: float | None = None
    fp8: float | None = None
    fp4: float | None = None
    int8: float | None = None
    interconnect: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadPart:
    """A share of the time in which so many sequences are decoded together; at any context where none is stated."""

    batch: int
    share: float
    context: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Presentation:
    """What is shown and how; never changes a number. Empty means the page's default."""

    figures: tuple[str, ...] = ()
    controls: tuple[str, ...] = ()
    theme: str = ""
    lang: str = ""
    poster: str = ""


DEFAULT_DRAFTERS = (
    Drafter(kind="ideal", acceptance=ConstantAcceptance(acceptance=0.99), cost=0.0),
    Drafter(kind="mtp", acceptance=ConstantAcceptance(acceptance=0.75), cost=0.1),
    Drafter(kind="block", acceptance=ConstantAcceptance(acceptance=0.89), cost=0.1, block=16),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A complete setting.

    Attributes:
        model: Registry id, or `custom` where `config` holds a config.json.
        config: Minified config.json text of a custom model, else empty.
        gpu: Registry id.
        gpus: Accelerators in the node.
        hardware: Changes of the GPU's figures.
        price: USD per GPU and hour; None means the registry's.
        reserve: Share of memory kept free.
        batch: Sequences decoded together.
        context: Tokens already in each sequence's cache.
        cap: Longest draft considered.
        weights: Weight formats.
        kv: Cache format, or `published`.
        drafters: One to five lines.
        profile: Profile id, or `calibrated` for the one that comes closest to GPU and engine.
        engine: Serving engine whose calibrated profile is meant; empty for the article's.
        layout: How the GPUs share the model; empty for the profile's own: even if ideal, tensor parallel if calibrated.
        kv_read: Whether cache reads overlap with attention's arithmetic (`overlap`) or add to it (`add`).
        kernels: Whether a calibrated profile counts a time per kernel and per pass, or none, as of one kernel for all.
        experts: Whether tokens choose experts independently of each other, or as counted (`correlated`).
        imbalance: Tokens that the busiest group of experts gets, over the mean, where experts are spread over the GPUs.
        compare: Query of a pinned setting, or empty.
        compare_further: Queries of further pinned settings, at most two.
        seed: Of sampled timelines.
        traffic: Output tokens per day, for the payoff of a better drafter; None where none is stated.
        after: Tokens per round after training; None where none is stated.
        training: Training bill in USD; None where none is stated.
        learning: USD spent on training and the tokens per round that they reach, costs rising; empty for none.
        horizon: Days that a trained drafter serves; None for a year.
        prompt: Tokens of a request's prompt; None where only decoding is asked for.
        output: Tokens of a request's output; None beside no prompt.
        requests: Requests of a benchmark; None for a steady state.
        budget: Most tokens of a verifying pass, shared by the batch; None for the best number.
        target: What a node is looked for to reach; None for what this one reaches without speculation.
        nodes: What the search for nodes is limited to.
        prices: Own USD per accelerator and hour by registry id, in place of the registry's.
        electricity: USD per kWh; None where none is stated.
        load: How long each batch is decoded, on which schedules of draft lengths are judged; empty for all batches
            alike.
        presentation: What is shown.
    """

    model: str = "deepseek-v4-pro"
    config: str = ""
    gpu: str = "b200"
    gpus: int = 8
    hardware: Hardware = field(default_factory=Hardware)
    price: float | None = None
    reserve: float = 0.1
    batch: int = 32
    context: int = 4096
    cap: int = 16
    weights: Weights = field(default_factory=Weights)
    kv: str = "published"
    drafters: tuple[Drafter, ...] = DEFAULT_DRAFTERS
    profile: str = "ideal"
    engine: str = ""
    layout: str = ""
    kv_read: KvRead = "overlap"
    kernels: Kernels = "launched"
    experts: Experts = "independent"
    imbalance: float = 1.0
    compare: str = ""
    compare_further: tuple[str, ...] = ()
    seed: int = 0
    traffic: float | None = None
    after: float | None = None
    training: float | None = None
    learning: LearningCurve = ()
    horizon: float | None = None
    prompt: int | None = None
    output: int | None = None
    requests: int | None = None
    budget: int | None = None
    target: Target | None = None
    nodes: NodeSearch = field(default_factory=NodeSearch)
    prices: tuple[tuple[str, float], ...] = ()
    electricity: float | None = None
    load: tuple[LoadPart, ...] = ()
    presentation: Presentation = field(default_factory=Presentation)

    @property
    def pinned(self) -> tuple[str, ...]:
        """Queries of all pinned settings, in order."""
        return (self.compare, *self.compare_further) if self.compare else self.compare_further


def with_pinned(scenario: Scenario, pinned: Sequence[str] = ()) -> Scenario:
    """Return a scenario with other settings pinned to it, none by default.

    Args:
        scenario: The choices.
        pinned: Queries, at most `MOST_PINNED`.
    """
    return replace(scenario, compare=pinned[0] if pinned else "", compare_further=tuple(pinned[1:]))


def compared_line(scenario: Scenario) -> int:
    """Return the line that one comparison of its own is shown of: the first whose requests differ, else the last."""
    lines = enumerate(scenario.drafters)
    differ = (index for index, line in lines if line.spread > 0.0 or isinstance(line.acceptance, MixedAcceptance))
    return next(differ, len(scenario.drafters) - 1)


def middle_context(prompt: int, output: int) -> int:
    """Return the tokens in a sequence's cache on average over its output, no more than a setting may have."""
    return min(prompt + output // 2, LARGEST_CONTEXT)


def decoding_alone(scenario: Scenario) -> Scenario:
    """Return a scenario without what changes no time of decoding: what is pinned, sampled, paid, asked for or shown."""
    return replace(
        with_pinned(scenario),
        seed=0,
        traffic=None,
        after=None,
        training=None,
        learning=(),
        horizon=None,
        prompt=None,
        output=None,
        requests=None,
        budget=None,
        target=None,
        nodes=NodeSearch(),
        prices=(),
        electricity=None,
        load=(),
        presentation=Presentation(),
    )
