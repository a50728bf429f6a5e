"""A transformer as numbers: the terms that a forward pass reads and computes.

A `Transformer` is a list of `Layer` groups and an output head. Every kind of attention and feed-forward block is
expressed with four terms, `Projection`, `Cache`, `Recurrence` and `Experts`, so that one formula per term serves
every model, every phase and every drafter. `architecture.py` builds these from a model's dimensions; they can also
be built by hand from published parameter counts.

Conventions: a multiply-add is 2 FLOPs; sizes are bytes; a format is a key of `data/formats.toml`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Reach(StrEnum):
    """Which of a sequence's cache entries one query token attends to."""

    ALL = "all"
    WINDOW = "window"
    CHUNK = "chunk"
    SELECTED = "selected"


@dataclass(frozen=True, slots=True, kw_only=True)
class Projection:
    """Weights that every token passes through: 2 FLOPs per weight and token, read once per pass.

    Attributes:
        parameters: Number of weights.
        bytes_per_parameter: Stored bytes per weight, block scales included.
        format: Number format that decides the peak FLOP/s.
    """

    parameters: float
    bytes_per_parameter: float
    format: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Experts:
    """Routed experts of which each token uses a few, chosen as if uniformly and independently.

    Attributes:
        experts: Number of routed experts.
        experts_per_token: Routed experts that one token uses.
        parameters_per_expert: Weights of one routed expert.
        bytes_per_parameter: Stored bytes per weight of a routed expert.
        format: Number format of the routed experts.
        always: Weights of the same block that every token uses (shared experts, latent projections).
        ranks: Groups of GPUs that the experts are spread over, of which the busiest decides; 1 where each GPU holds a
            slice of every expert.
    """

    experts: int
    experts_per_token: int
    parameters_per_expert: float
    bytes_per_parameter: float
    format: str
    always: tuple[Projection, ...] = ()
    ranks: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Cache:
    """Entries that a layer keeps for a sequence and that later tokens attend to.

    Attributes:
        bytes_per_entry: Stored and read bytes of one entry.
        flops_per_entry: FLOPs per query token and attended entry.
        format: Number format that this arithmetic runs in.
        reach: Which entries a query token attends to.
        limit: Window, chunk or selection size in entries; unused where `reach` is `ALL`.
        tokens_per_entry: Context tokens per entry (1, or the compression ratio).
        bytes_written_per_token: Bytes appended per new token.
        bytes_kept_per_token: Bytes by which the cache grows per context token (0 for a window).
        shards: GPUs over which tensor parallelism can spread an entry, its key-value heads (1 for a latent, which
            every GPU keeps); 0 where nothing hinders an even split.
    """

    bytes_per_entry: float
    flops_per_entry: float
    format: str
    reach: Reach = Reach.ALL
    limit: int = 0
    tokens_per_entry: int = 1
    bytes_written_per_token: float = 0.0
    bytes_kept_per_token: float = 0.0
    shards: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Recurrence:
    """A state of fixed size per sequence, read once and written once per query token.

    Attributes:
        state_bytes: Bytes of the state of one sequence, convolution state included.
        flops_per_token: FLOPs of one state update and read-out.
        format: Number format that this arithmetic runs in.
    """

    state_bytes: float
    flops_per_token: float
    format: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Launches:
    """Kernels that one layer starts in one pass; only a calibrated profile gives them a time.

    Attributes:
        mixer: Of the attention layer or recurrence, its norm included.
        feed_forward: Of the feed-forward block, its norm and router included.
        verifying: Further ones of a recurrence where a pass has several query tokens of a sequence.
        per_token: Dependent steps of a recurrence for each query token of a sequence after the first.
        latent: Whether attention is latent, whose chain of small kernels engines fuse to different degrees: 1 or 0.
        fused: Of the feed-forward block's, those that one chain takes in where experts are computed in four bits.
        mixer_matmuls: Matmuls of the mixer, whose inputs are quantised first where their weights' format asks for it.
        feed_forward_matmuls: Matmuls of the feed-forward block.
    """

    mixer: int = 0
    feed_forward: int = 0
    verifying: int = 0
    per_token: int = 0
    latent: int = 0
    fused: float = 0.0
    mixer_matmuls: int = 0
    feed_forward_matmuls: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """Messages between the GPUs of a node after one block of one layer.

    Attributes:
        messages: Collective operations, each with its latency.
        bytes_per_token: Bytes that one GPU sends for each token of the pass.
    """

    messages: int = 0
    bytes_per_token: float = 0.0


NO_LAUNCHES = Launches()
NO_EXCHANGE = Exchange()


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """A group of equal layers.

    Attributes:
        count: How many such layers the model has.
        projections: Attention-side weights (recurrent mixers, indexers and compressors included).
        memory: Caches and recurrent states that the layer reads and writes.
        feed_forward: Dense weights, or one `Experts` block; empty where the layer has none.
        router: Weights that choose the experts.
        other_bytes: Bytes of norms and other small weights, read once per pass.
        width: Values that stand for one token between blocks; 0 where messages between GPUs do not matter.
        launches: Kernels that the layer starts.
        mixer_exchange: Messages after the mixer; `communication.py` fills them in.
        feed_forward_exchange: Messages after the feed-forward block.
        sequence_groups: GPUs that each run the mixer for sequences of their own; the busiest has its share rounded up.
        buffer_bytes: Bytes of each sequence that passes hardly touch: blocks that a compressor has not filled yet.
    """

    count: int
    projections: tuple[Projection, ...] = ()
    memory: tuple[Cache | Recurrence, ...] = ()
    feed_forward: tuple[Projection | Experts, ...] = ()
    router: tuple[Projection, ...] = ()
    other_bytes: float = 0.0
    width: int = 0
    launches: Launches = NO_LAUNCHES
    mixer_exchange: Exchange = NO_EXCHANGE
    feed_forward_exchange: Exchange = NO_EXCHANGE
    sequence_groups: int = 1
    buffer_bytes: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Transformer:
    """A whole model: its layers, the output head, and the embedding look-up.

    Attributes:
        layers: Groups of equal layers, in any order.
        head: Output projection onto the vocabulary.
        embedding_bytes_per_token: Bytes of one row of the input embedding.
        stored_embedding_bytes: Bytes of the input embedding in memory (0 where it is tied to the head).
        other_bytes: Bytes of the final norm and other small weights outside the layers.
    """

    layers: tuple[Layer, ...]
    head: tuple[Projection, ...] = ()
    embedding_bytes_per_token: float = 0.0
    stored_embedding_bytes: float = 0.0
    other_bytes: float = 0.0
