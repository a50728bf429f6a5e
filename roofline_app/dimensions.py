"""A model's dimensions: which layers it has, and the sizes that decide what they read and compute.

A layer is one mixer (attention or a recurrence) and one feed-forward block, either of which may be absent. The three
sources of a model (registry, config.json, a caller's own values) all give a `ModelSpec`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from roofline_app.blocks import Reach
from roofline_app.specs import Precision, SpecError


def _require(holds: bool, field_name: str, why: str) -> None:
    if not holds:
        msg = f"{field_name}: {why}"
        raise SpecError(msg)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attention:
    """Grouped-query attention; as many key-value heads as heads makes it multi-head attention.

    Attributes:
        heads: Query heads.
        kv_heads: Key-value heads.
        head_dim: Size of a head.
        gated: Whether the query projection also gives an output gate of its own size.
        keys_are_values: Whether values re-use the key projection (both are still stored).
        projection_biases: Whether the query, key and value projections have biases.
        output_bias: Whether the output projection has one.
        sinks: Whether every head has a learned sink.
        norm_parameters: Weights of query and key norms.
        reach: Which entries a query attends to.
        limit: Window or chunk in tokens; 0 where `reach` is `ALL`.
    """

    heads: int
    kv_heads: int
    head_dim: int
    gated: bool = False
    keys_are_values: bool = False
    projection_biases: bool = False
    output_bias: bool = False
    sinks: bool = False
    norm_parameters: int = 0
    reach: Reach = Reach.ALL
    limit: int = 0

    def __post_init__(self) -> None:
        """Refuse heads that cannot be grouped and windows without a size."""
        _require(min(self.heads, self.kv_heads, self.head_dim) > 0, "heads", "must be positive")
        _require(self.heads % self.kv_heads == 0, "kv_heads", f"{self.kv_heads} does not divide heads {self.heads}")
        _require((self.limit > 0) == (self.reach is not Reach.ALL), "limit", "goes with a window or a chunk")


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexer:
    """A small scorer that selects which cache entries attention reads.

    Attributes:
        heads: Query heads of the scorer.
        head_dim: Size of its heads and of its one key per entry.
        selected: Entries that each query attends to.
        shared: Whether the layer re-uses an earlier layer's selection, with neither weights nor keys of its own.
    """

    heads: int
    head_dim: int
    selected: int
    shared: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LatentAttention:
    """Multi-head latent attention (DeepSeek-V2 and later), with or without a sparse indexer.

    Attributes:
        heads: Query heads.
        query_rank: Rank of the query's low-rank projection; 0 where the query has a full projection.
        kv_rank: Size of the cached latent.
        nope_dim: Part of a query or key head without rotary embedding.
        rope_dim: Part with it, cached beside the latent.
        value_dim: Size of a value head.
        biases: Whether the two down-projections and the output projection have biases.
        indexer: Selects the attended entries; None attends to all.
    """

    heads: int
    query_rank: int
    kv_rank: int
    nope_dim: int
    rope_dim: int
    value_dim: int
    biases: bool = False
    indexer: Indexer | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompressedAttention:
    """DeepSeek-V4 attention: a window of raw entries and, beyond it, entries that each stand for several tokens.

    Attributes:
        heads: Query heads; keys and values are one shared head.
        head_dim: Size of a head and of an entry.
        rope_dim: Rotary part of it.
        query_rank: Rank of the query's projection.
        output_groups: Groups of the output's down-projection.
        output_rank: Rank of each group.
        window: Raw entries that every layer keeps.
        ratio: Context tokens per compressed entry; 0 keeps the window only.
        indexer: Selects compressed entries (the compressed sparse kind); None attends to all of them.
    """

    heads: int
    head_dim: int
    rope_dim: int
    query_rank: int
    output_groups: int
    output_rank: int
    window: int
    ratio: int = 0
    indexer: Indexer | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeltaNet:
    """Gated DeltaNet: a linear recurrence behind a short convolution.

    Attributes:
        key_heads: Query and key heads.
        value_heads: Value heads, each with a state of `key_dim` × `value_dim`.
        key_dim: Size of a key head.
        value_dim: Size of a value head.
        kernel: Taps of the convolution.
    """

    key_heads: int
    value_heads: int
    key_dim: int
    value_dim: int
    kernel: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Mamba2:
    """A Mamba-2 mixer.

    Attributes:
        heads: Heads of the recurrence.
        head_dim: Size of a head.
        state_dim: State per head channel.
        groups: Groups that share input and output projections of the state.
        kernel: Taps of the convolution.
        convolution_bias: Whether the convolution has a bias.
        projection_biases: Whether the input and output projections have biases.
    """

    heads: int
    head_dim: int
    state_dim: int
    groups: int
    kernel: int
    convolution_bias: bool = True
    projection_biases: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Lightning:
    """Lightning (linear) attention of MiniMax-Text-01: a decaying sum of outer products, gated.

    Attributes:
        heads: Heads, each with a state of `head_dim` × `head_dim`.
        head_dim: Size of a head.
    """

    heads: int
    head_dim: int


Mixer: TypeAlias = Attention | LatentAttention | CompressedAttention | DeltaNet | Mamba2 | Lightning


@dataclass(frozen=True, slots=True, kw_only=True)
class Dense:
    """A dense feed-forward block: three matrices where gated, else two.

    Attributes:
        intermediate_size: Inner width.
        gated: Whether a gate multiplies the inner activation.
        biases: Whether every matrix has a bias.
    """

    intermediate_size: int
    gated: bool = True
    biases: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Moe:
    """Routed experts, with what every token uses beside them.

    Attributes:
        experts: Routed experts.
        experts_per_token: How many of them a token uses.
        intermediate_size: Inner width of one.
        gated: Whether experts, shared ones included, are gated.
        expert_biases: Whether every matrix of an expert has a bias.
        router_bias: Whether the router has a bias that counts as a weight.
        router_scales: Further weights of the router (Gemma-4 scales its input and each expert).
        shared_size: Inner width of all shared experts together; 0 for none.
        shared_gate: Whether a gate of width one scales the shared expert.
        latent_size: Width that the routed experts work in; 0 for the model's own.
        dense: A dense block that runs beside the experts, if any.
    """

    experts: int
    experts_per_token: int
    intermediate_size: int
    gated: bool = True
    expert_biases: bool = False
    router_bias: bool = False
    router_scales: int = 0
    shared_size: int = 0
    shared_gate: bool = False
    latent_size: int = 0
    dense: Dense | None = None

    def __post_init__(self) -> None:
        """Refuse more active experts than there are."""
        _require(
            0 < self.experts_per_token <= self.experts,
            "experts_per_token",
            f"{self.experts_per_token} is not between 1 and the {self.experts} experts",
        )


FeedForward: TypeAlias = Dense | Moe


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerGroup:
    """Equal layers.

    Attributes:
        mixer: Attention or recurrence; None for a layer that is feed-forward only.
        feed_forward: Feed-forward block; None for a layer that is a mixer only.
        norms: Norm vectors of the model's width in one layer.
        count: How many such layers.
    """

    mixer: Mixer | None
    feed_forward: FeedForward | None
    norms: int = 2
    count: int = 1


def grouped(layers: Iterable[LayerGroup]) -> tuple[LayerGroup, ...]:
    """Return layers with equal ones counted together, in order of first appearance.

    Args:
        layers: Single layers, in the model's order.

    Returns:
        Groups whose counts add up to the number of layers.
    """
    counts = Counter(layers)
    return tuple(
        LayerGroup(mixer=layer.mixer, feed_forward=layer.feed_forward, norms=layer.norms, count=count)
        for layer, count in counts.items()
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NextToken:
    """Layers trained to predict further tokens, kept out of every parameter count.

    Attributes:
        count: How many the checkpoint has.
        layer: One of them; its projection of twice the width onto the width comes on top.
        own_embeddings: Whether it stores an embedding and head of its own.
    """

    count: int
    layer: LayerGroup
    own_embeddings: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimensions:
    """The architecture of a model.

    Attributes:
        hidden_size: Width.
        vocab_size: Words of the output head.
        tied: Whether input embedding and output head are one matrix.
        layers: Groups of equal layers.
        streams: Residual streams of hyper-connections; 0 for a plain residual.
        next_token: Layers that predict further tokens, where the config states them.
    """

    hidden_size: int
    vocab_size: int
    tied: bool
    layers: tuple[LayerGroup, ...]
    streams: int = 0
    next_token: NextToken | None = None

    def __post_init__(self) -> None:
        """Refuse a model without width, words or layers."""
        _require(self.hidden_size > 0, "hidden_size", "must be positive")
        _require(self.vocab_size > 0, "vocab_size", "must be positive")
        _require(bool(self.layers), "layers", "must not be empty")

    @property
    def layer_count(self) -> int:
        """Number of layers, next-token layers left out."""
        return sum(group.count for group in self.layers)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSpec:
    """One model.

    Attributes:
        id: Key of the entry, used in links; `custom` for a reader's config.json.
        name: Name for readers.
        family: For grouping.
        dimensions: The architecture.
        precision: Number formats as published.
        max_context_tokens: Longest context that the config states.
        parameters: Published number of parameters; 0 where none is stated.
        active_parameters: Published active ones; 0 where none are stated.
        source: Who states the figures.
        checked: ISO date of the last check.
        aliases: Other names of models of this very shape.
        variants: Figures on which sources disagree, each a sentence.
        reason: Why the chosen figures were chosen.
    """

    id: str
    name: str
    family: str
    dimensions: Dimensions
    precision: Precision = field(default_factory=Precision)
    max_context_tokens: int
    parameters: float = 0.0
    active_parameters: float = 0.0
    source: str = ""
    checked: str = ""
    aliases: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    reason: str = ""
