"""Numbers of weights of each part of a layer, by category.

Categories are those of the published counts: attention projections with their biases and sinks, convolutions and
decay vectors are `attn/mixer` or `attn_lin`; norms and tied heads are apart. `matrices` do arithmetic with every
token; `vectors` (biases, norms, convolutions, small tables) are only read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from roofline_app.model.dimensions import (
    Attention,
    CompressedAttention,
    DeltaNet,
    Dense,
    Dimensions,
    FeedForward,
    LatentAttention,
    LayerGroup,
    Lightning,
    Mamba2,
    Mixer,
    Moe,
)

CATEGORIES = (
    "attn/mixer",
    "attn_lin",
    "indexer",
    "compressor",
    "mlp",
    "shared_expert",
    "routed_experts",
    "router",
    "norm",
    "embed",
    "lm_head",
    "other",
)


@dataclass(frozen=True, slots=True)
class Part:
    """Weights of one category.

    Attributes:
        category: One of `CATEGORIES`.
        matrices: Weights that multiply activations.
        vectors: Weights that are only read.
    """

    category: str
    matrices: int
    vectors: int = 0

    @property
    def parameters(self) -> int:
        """All weights of the part."""
        return self.matrices + self.vectors


def _attention(mixer: Attention, hidden_size: int) -> tuple[Part, ...]:
    queries = mixer.heads * mixer.head_dim
    keys = mixer.kv_heads * mixer.head_dim
    keys_and_values = keys if mixer.keys_are_values else 2 * keys
    queries_and_gate = 2 * queries if mixer.gated else queries
    vectors = (queries_and_gate + keys_and_values) * mixer.projection_biases
    vectors += hidden_size * mixer.output_bias + mixer.heads * mixer.sinks
    matrices = hidden_size * (queries_and_gate + keys_and_values + queries)
    return Part("attn/mixer", matrices, vectors), Part("norm", 0, mixer.norm_parameters)


def _latent(mixer: LatentAttention, hidden_size: int) -> tuple[Part, ...]:
    rank = mixer.query_rank
    queries = mixer.heads * (mixer.nope_dim + mixer.rope_dim)
    latent = mixer.kv_rank + mixer.rope_dim
    values = mixer.heads * mixer.value_dim
    matrices = hidden_size * rank + rank * queries if rank else hidden_size * queries
    matrices += hidden_size * latent + mixer.kv_rank * (mixer.heads * mixer.nope_dim + values) + values * hidden_size
    biases = (rank + latent + hidden_size) * mixer.biases
    parts = [Part("attn/mixer", matrices, biases), Part("norm", 0, rank + mixer.kv_rank)]
    indexer = mixer.indexer
    if indexer and not indexer.shared:
        scorer = rank * indexer.heads * indexer.head_dim + hidden_size * (indexer.head_dim + indexer.heads)
        # The key's norm has a weight and a bias.
        parts.append(Part("indexer", scorer, 2 * indexer.head_dim))
    return tuple(parts)


def _compressed(mixer: CompressedAttention, hidden_size: int) -> tuple[Part, ...]:
    width = mixer.heads * mixer.head_dim
    rank = mixer.query_rank
    outputs = mixer.output_groups * mixer.output_rank
    matrices = hidden_size * (rank + mixer.head_dim) + rank * width + width * mixer.output_rank + outputs * hidden_size
    parts = [Part("attn/mixer", matrices, mixer.heads), Part("norm", 0, rank + mixer.head_dim)]
    if mixer.ratio:
        # Windows of the sparse kind overlap: keys and gates are twice as wide.
        entry = mixer.head_dim * (2 if mixer.indexer else 1)
        parts.append(Part("compressor", 2 * hidden_size * entry, mixer.ratio * entry + mixer.head_dim))
    if mixer.indexer:
        key = 2 * mixer.indexer.head_dim
        scorer = rank * mixer.indexer.heads * mixer.indexer.head_dim
        scorer += hidden_size * (2 * key + mixer.indexer.heads)
        parts.append(Part("indexer", scorer, mixer.ratio * key + mixer.indexer.head_dim))
    return tuple(parts)


def _delta_net(mixer: DeltaNet, hidden_size: int) -> tuple[Part, ...]:
    values = mixer.value_heads * mixer.value_dim
    channels = 2 * mixer.key_heads * mixer.key_dim + values
    matrices = hidden_size * (channels + 2 * values + 2 * mixer.value_heads)
    vectors = channels * mixer.kernel + 2 * mixer.value_heads
    return Part("attn_lin", matrices, vectors), Part("norm", 0, mixer.value_dim)


def _mamba2(mixer: Mamba2, hidden_size: int) -> tuple[Part, ...]:
    inner = mixer.heads * mixer.head_dim
    channels = inner + 2 * mixer.groups * mixer.state_dim
    projected = inner + channels + mixer.heads
    vectors = channels * (mixer.kernel + mixer.convolution_bias) + 3 * mixer.heads
    vectors += (projected + hidden_size) * mixer.projection_biases
    return Part("attn/mixer", hidden_size * (projected + inner), vectors), Part("norm", 0, inner)


def _lightning(mixer: Lightning, hidden_size: int) -> tuple[Part, ...]:
    inner = mixer.heads * mixer.head_dim
    return Part("attn_lin", 5 * hidden_size * inner), Part("norm", 0, inner)


def mixer_parts(mixer: Mixer | None, hidden_size: int) -> tuple[Part, ...]:
    """Return the weights of an attention layer or a recurrence.

    Args:
        mixer: The mixer; None has no weights.
        hidden_size: Width of the model.

    Returns:
        Parts of the categories `attn/mixer`, `attn_lin`, `indexer`, `compressor` and `norm`.
    """
    parts: tuple[Part, ...]
    match mixer:
        case None:
            parts = ()
        case Attention():
            parts = _attention(mixer, hidden_size)
        case LatentAttention():
            parts = _latent(mixer, hidden_size)
        case CompressedAttention():
            parts = _compressed(mixer, hidden_size)
        case DeltaNet():
            parts = _delta_net(mixer, hidden_size)
        case Mamba2():
            parts = _mamba2(mixer, hidden_size)
        case Lightning():
            parts = _lightning(mixer, hidden_size)
        case _:
            assert_never(mixer)
    return parts


def dense_parameters(block: Dense, hidden_size: int) -> int:
    """Return the weights of a dense block.

    Args:
        block: The block.
        hidden_size: Width of the model.

    Returns:
        Weights, biases included.
    """
    inputs = 2 if block.gated else 1
    biases = (inputs * block.intermediate_size + hidden_size) * block.biases
    return (inputs + 1) * hidden_size * block.intermediate_size + biases


def expert_parameters(block: Moe, hidden_size: int) -> int:
    """Return the weights of one routed expert.

    Args:
        block: The experts.
        hidden_size: Width of the model.

    Returns:
        Weights, biases included.
    """
    one = Dense(intermediate_size=block.intermediate_size, gated=block.gated, biases=block.expert_biases)
    return dense_parameters(one, block.latent_size or hidden_size)


def feed_forward_parts(block: FeedForward | None, hidden_size: int) -> tuple[Part, ...]:
    """Return the weights of a feed-forward block.

    Args:
        block: The block; None has no weights.
        hidden_size: Width of the model.

    Returns:
        Parts of the categories `mlp`, `routed_experts`, `shared_expert` (latent projections and the gate included)
        and `router`.
    """
    match block:
        case None:
            return ()
        case Dense():
            return (Part("mlp", dense_parameters(block, hidden_size)),)
        case Moe():
            shared = (3 if block.gated else 2) * hidden_size * block.shared_size + hidden_size * block.shared_gate
            shared += 2 * hidden_size * block.latent_size
            router_vectors = block.experts * block.router_bias + block.router_scales
            parts = (
                Part("routed_experts", block.experts * expert_parameters(block, hidden_size)),
                Part("shared_expert", shared),
                Part("router", block.experts * hidden_size, router_vectors),
            )
            return parts + feed_forward_parts(block.dense, hidden_size)
        case _:
            assert_never(block)


def stream_parameters(dimensions: Dimensions) -> int:
    """Return the hyper-connection weights of one sub-block; 0 for a plain residual.

    Args:
        dimensions: The architecture.

    Returns:
        Weights that mix the residual streams before and after one sub-block.

    Source:
        Xie et al., mHC: Manifold-Constrained Hyper-Connections, 2025; DeepSeek-V4 model code.
    """
    streams = dimensions.streams
    mixed = (2 + streams) * streams
    return mixed * streams * dimensions.hidden_size + mixed + 3 if streams else 0


def layer_parts(layer: LayerGroup, dimensions: Dimensions) -> tuple[Part, ...]:
    """Return the weights of one layer.

    Args:
        layer: The layer; its count is left out.
        dimensions: The architecture that it belongs to.

    Returns:
        Parts, several of which may share a category.
    """
    streams = stream_parameters(dimensions)
    vectors = dimensions.streams * (2 + dimensions.streams) + 3
    hyper = (Part("attn/mixer", streams - vectors, vectors), Part("other", streams - vectors, vectors))
    return (
        *mixer_parts(layer.mixer, dimensions.hidden_size),
        *feed_forward_parts(layer.feed_forward, dimensions.hidden_size),
        Part("norm", 0, layer.norms * dimensions.hidden_size),
        *(hyper if streams else ()),
    )


def outer_parts(dimensions: Dimensions) -> tuple[Part, ...]:
    """Return the weights outside the layers.

    Args:
        dimensions: The architecture.

    Returns:
        Embedding, head (absent where tied), the final norm and the final hyper-connection.
    """
    words = dimensions.vocab_size * dimensions.hidden_size
    streams = dimensions.streams
    return (
        Part("embed", words),
        Part("lm_head", 0 if dimensions.tied else words),
        Part("norm", 0, dimensions.hidden_size),
        Part("other", streams * streams * dimensions.hidden_size, streams + 1 if streams else 0),
    )
