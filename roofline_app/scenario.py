"""Everything a user can choose, as one frozen value.

A `Scenario` holds ids and plain numbers only, so that it can be compared, hashed and written into a link.
`resolved.resolve` is where its ids meet the registry.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

KvRead = Literal["overlap", "add"]
Placement = Literal["same", "separate"]
Experts = Literal["independent", "correlated"]
Kernels = Literal["launched", "fused"]
# The model id of a user's own config.json.
CUSTOM = "custom"
LARGEST_CAP = 64
LARGEST_BATCH = 1_048_576
LARGEST_CONTEXT = 16_777_216
LARGEST_GPUS = 72
LARGEST_RESERVE = 0.9
LARGEST_IMBALANCE = 8.0
LARGEST_COST = 100.0
MOST_DRAFTERS = 5
LONGEST_NAME = 40
MOST_PASSES = 64
MOST_PARTS = 8
MOST_BRANCHES = 16
MOST_VERIFIED = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstantAcceptance:
    """Every draft token is accepted with the same chance, given that those before it were."""

    acceptance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptanceLength:
    """Tokens per round (bonus token included) known at one draft length."""

    tokens_per_round: float
    draft_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SurvivalRates:
    """Chance that the draft token at each position commits, unconditional and never rising."""

    survival: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredAcceptance:
    """An acceptance that was measured, by the id of its entry in `data/acceptance.toml`."""

    preset: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MixPart:
    """A part of the sequences, and how drafts are accepted in it.

    Attributes:
        share: Share of the sequences, above 0; the shares of a mix add up to 1.
        acceptance: Of this part.
    """

    share: float
    acceptance: ConstantAcceptance | MeasuredAcceptance


@dataclass(frozen=True, slots=True, kw_only=True)
class MixedAcceptance:
    """Workloads or regions that one drafter serves together."""

    parts: tuple[MixPart, ...]


AcceptanceChoice: TypeAlias = (
    ConstantAcceptance | AcceptanceLength | SurvivalRates | MeasuredAcceptance | MixedAcceptance
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrafterSizes:
    """Sizes of a drafter that a user draws; None, or empty, is what the drafter has that would stand there otherwise.

    Attributes:
        layers: Dense layers.
        width: Width of its layers.
        heads: Query heads.
        kv_heads: Key-value heads.
        head_dim: Size of a head.
        ffn: Inner width of a feed-forward block.
        vocabulary: Words of a head of its own.
        states: Hidden states of the target that it reads.
        window: Tokens that its layers with a window reach back; 0 for none.
        full_layers: Last layers that reach the whole context all the same.
        precision: Format of its linear layers, one of those that a user can choose for weights.
        head: Whether its output head is the target's (`shared`) or its own (`own`).
    """

    layers: int | None = None
    width: int | None = None
    heads: int | None = None
    kv_heads: int | None = None
    head_dim: int | None = None
    ffn: int | None = None
    vocabulary: int | None = None
    states: int | None = None
    window: int | None = None
    full_layers: int | None = None
    precision: str = ""
    head: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafter:
    """One drafter line.

    Attributes:
        kind: Registry id of its kind.
        acceptance: How its acceptance is stated.
        cost: Share of a step per draft token (autoregressive) or per started block, at least 0; None for the cost of
            the drafter's own work on the node.
        block: Draft tokens per pass.
        relax: Share of rejections that are accepted all the same, which changes the output's distribution.
        passes: Draft passes over each block.
        gain: Share of the remaining rejections that each further pass removes.
        topk: Draft tokens for each position, of a kind that drafts trees; 1 for a chain.
        verified: Nodes of the tree that are verified, the verified token not counted; 0 for `topk` per level.
        ranks: Share of a likeliest token's rejections that the next likeliest ones catch; empty for the kind's.
        spread: How acceptance differs between requests, 0..1: its variance as a share of the largest possible one.
        confidence: Correlation of the acceptance that the drafter reports of a request with the true one, 0..1.
        model: Registry id of a draft model, or of the drafter among those with weights; empty for the target's own.
        placement: Whether the drafter runs on the target's GPUs or on its own.
        link_latency: Seconds of one message to GPUs of its own; None for the registry's network.
        link_bandwidth: Bytes per second of that link; None for the registry's network.
        name: User's own name for the line, at most 40 characters; empty means the kind's name.
        colour: Six lower-case hex digits, or empty for the palette's.
        sizes: Sizes that the user draws it with; None for a drafter as it is.
        config: Minified config.json text of the drafter; empty for none.
    """

    kind: str
    acceptance: AcceptanceChoice
    cost: float | None
    block: int = 1
    relax: float = 0.0
    passes: int = 1
    gain: float = 0.0
    topk: int = 1
    verified: int = 0
    ranks: tuple[float, ...] = ()
    spread: float = 0.0
    confidence: float = 1.0
    model: str = ""
    placement: Placement = "same"
    link_latency: float | None = None
    link_bandwidth: float | None = None
    name: str = ""
    colour: str = ""
    sizes: DrafterSizes | None = None
    config: str = ""

    @property
    def is_drawn(self) -> bool:
        """Whether the user states what it is made of."""
        return self.sizes is not None or bool(self.config)


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
        seed: Of sampled timelines.
        traffic: Output tokens per day, for the payoff of a better drafter; None where none is stated.
        after: Tokens per round after training; None where none is stated.
        training: Training bill in USD; None where none is stated.
        prompt: Tokens of a request's prompt; None where only decoding is asked for.
        output: Tokens of a request's output; None beside no prompt.
        requests: Requests of a benchmark; None for a steady state.
        budget: Most tokens of a verifying pass, shared by the batch; None for the best number.
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
    seed: int = 0
    traffic: float | None = None
    after: float | None = None
    training: float | None = None
    prompt: int | None = None
    output: int | None = None
    requests: int | None = None
    budget: int | None = None
    presentation: Presentation = field(default_factory=Presentation)


def compared_line(scenario: Scenario) -> int:
    """Return the line that one comparison of its own is shown of: the first whose requests differ, else the last."""
    lines = enumerate(scenario.drafters)
    differ = (index for index, line in lines if line.spread > 0.0 or isinstance(line.acceptance, MixedAcceptance))
    return next(differ, len(scenario.drafters) - 1)


def middle_context(prompt: int, output: int) -> int:
    """Return the tokens in a sequence's cache on average over its output, no more than a setting may have."""
    return min(prompt + output // 2, LARGEST_CONTEXT)


def decoding_alone(scenario: Scenario) -> Scenario:
    """Return a scenario without what changes no time of decoding: what is pinned, sampled, paid, requested or shown."""
    return replace(
        scenario,
        compare="",
        seed=0,
        traffic=None,
        after=None,
        training=None,
        prompt=None,
        output=None,
        requests=None,
        budget=None,
        presentation=Presentation(),
    )
