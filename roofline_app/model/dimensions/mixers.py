"""Attention and recurrent layers: the sizes that decide what they read and compute."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from roofline_app.model.terms import Reach
from roofline_app.specs.checks import require, require_positive


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

    def __post_init__(self) -> None:
        """Refuse sizes that are not positive."""
        require_positive(self, "heads", "head_dim", "selected")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attention:
    """Grouped-query attention; as many key-value heads as heads makes it multi-head attention.

    Attributes:
        heads: Query heads.
        kv_heads: Key-value heads.
        head_dim: Size of a query or key head.
        value_dim: Size of a value head; 0 where it is that of a key.
        gated: Whether the query projection also gives an output gate of its own size.
        head_gated: Whether a projection of its own gives every head one output gate.
        keys_are_values: Whether values re-use the key projection (both are still stored).
        projection_biases: Whether the query, key and value projections have biases.
        output_bias: Whether the output projection has one.
        sinks: Whether every head has a learned sink.
        norm_parameters: Weights of query and key norms.
        reach: Which entries a query attends to.
        limit: Window or chunk in tokens; 0 where `reach` is `ALL`.
        indexer: Selects the attended entries, block by block (MiniMax-M3); None attends to all in reach.
    """

    heads: int
    kv_heads: int
    head_dim: int
    value_dim: int = 0
    gated: bool = False
    head_gated: bool = False
    keys_are_values: bool = False
    projection_biases: bool = False
    output_bias: bool = False
    sinks: bool = False
    norm_parameters: int = 0
    reach: Reach = Reach.ALL
    limit: int = 0
    indexer: Indexer | None = None

    def __post_init__(self) -> None:
        """Refuse heads that cannot be grouped and windows without a size."""
        require_positive(self, "heads", "kv_heads", "head_dim")
        require(self.heads % self.kv_heads == 0, "kv_heads", f"{self.kv_heads} does not divide heads {self.heads}")
        require((self.limit > 0) == (self.reach is not Reach.ALL), "limit", "goes with a window or a chunk")

    @property
    def value_head_dim(self) -> int:
        """Size of a value head."""
        return self.value_dim or self.head_dim


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
        gated: Whether a projection of its own gates the heads' values (Kimi-K3).
        indexer: Selects the attended entries; None attends to all.
    """

    heads: int
    query_rank: int
    kv_rank: int
    nope_dim: int
    rope_dim: int
    value_dim: int
    biases: bool = False
    gated: bool = False
    indexer: Indexer | None = None

    def __post_init__(self) -> None:
        """Refuse sizes that are not positive, and an indexer without the low-rank query that it reads."""
        require_positive(self, "heads", "kv_rank", "nope_dim", "rope_dim", "value_dim")
        require(self.query_rank > 0 or not self.indexer, "query_rank", "an indexer reads the low-rank query")


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

    def __post_init__(self) -> None:
        """Refuse sizes that are not positive, groups that do not divide and an indexer with nothing to select."""
        require_positive(self, "heads", "head_dim", "query_rank", "output_groups", "output_rank", "window")
        require(0 < self.rope_dim <= self.head_dim, "rope_dim", f"{self.rope_dim} is not between 1 and head_dim")
        require(self.heads % self.output_groups == 0, "output_groups", "does not divide heads")
        require(self.ratio > 0 or not self.indexer, "ratio", "an indexer selects compressed entries")


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

    def __post_init__(self) -> None:
        """Refuse sizes that are not positive and value heads that do not share keys evenly."""
        require_positive(self, "key_heads", "value_heads", "key_dim", "value_dim", "kernel")
        require(self.value_heads % self.key_heads == 0, "key_heads", "does not divide value_heads")


@dataclass(frozen=True, slots=True, kw_only=True)
class KimiDelta:
    """Kimi delta attention: a gated delta rule with one decay for every key channel, behind short convolutions.

    Attributes:
        heads: Heads, each with a state of `head_dim` × `head_dim`.
        head_dim: Size of a head's query, key and value.
        kernel: Taps of the convolutions.
        full_gate: Whether the output gate is one full projection; else it goes through a head's width.
    """

    heads: int
    head_dim: int
    kernel: int
    full_gate: bool = False

    def __post_init__(self) -> None:
        """Refuse sizes that are not positive."""
        require_positive(self, "heads", "head_dim", "kernel")


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

    def __post_init__(self) -> None:
        """Refuse sizes that are not positive and groups that do not divide."""
        require_positive(self, "heads", "head_dim", "state_dim", "groups", "kernel")
        require(self.heads % self.groups == 0, "groups", "does not divide heads")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lightning:
    """Lightning (linear) attention of MiniMax-Text-01: a decaying sum of outer products, gated.

    Attributes:
        heads: Heads, each with a state of `head_dim` × `head_dim`.
        head_dim: Size of a head.
    """

    heads: int
    head_dim: int

    def __post_init__(self) -> None:
        """Refuse sizes that are not positive."""
        require_positive(self, "heads", "head_dim")


# Mixers that keep a state of fixed size instead of a cache.
Recurrent: TypeAlias = DeltaNet | KimiDelta | Mamba2 | Lightning
Mixer: TypeAlias = Attention | LatentAttention | CompressedAttention | Recurrent
