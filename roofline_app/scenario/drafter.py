"""A drafter line: what is chosen of a drafter, and how its acceptance is stated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Placement = Literal["same", "separate"]


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
