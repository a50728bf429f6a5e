"""How many weights each matrix of a model has: feed-forward blocks, whole layers, and what is around them."""

from __future__ import annotations

from typing import assert_never

from roofline_app.model.dimensions import Dense, Dimensions, FeedForward, LayerGroup, Moe
from roofline_app.model.to_terms.mixer_weights import CATEGORIES, Part, mixer_parts, named_matrices

__all__ = ["CATEGORIES", "Part", "expert_parameters", "feed_forward_parts", "layer_parts", "outer_parts"]


def _dense(category: str, part: str, prefix: str, block: Dense, hidden_size: int, copies: int = 1) -> tuple[Part, ...]:
    """Return the matrices of so many equal dense blocks, biases included."""
    width = block.intermediate_size
    inner, outer = (hidden_size + block.biases) * width * copies, (width + block.biases) * hidden_size * copies
    sizes = {"gate_proj": inner if block.gated else 0, "up_proj": inner, "down_proj": outer}
    return named_matrices(category, part, **{f"{prefix}.{name}": size for name, size in sizes.items()})


def expert_parameters(block: Moe, hidden_size: int) -> int:
    """Return the weights of one routed expert.

    Args:
        block: The experts.
        hidden_size: Width of the model.

    Returns:
        Weights, biases included.
    """
    return sum(part.matrices for part in _experts(block, hidden_size, 1))


def _experts(block: Moe, hidden_size: int, copies: int) -> tuple[Part, ...]:
    one = Dense(intermediate_size=block.intermediate_size, gated=block.gated, biases=block.expert_biases)
    # Gemma 4 keeps its experts beside the dense block, not inside it.
    place = "experts" if block.dense else "mlp.experts"
    return _dense("routed_experts", "experts", place, one, block.latent_size or hidden_size, copies)


def feed_forward_parts(block: FeedForward | None, hidden_size: int) -> tuple[Part, ...]:
    """Return the weights of a feed-forward block.

    Args:
        block: The block; None has no weights.
        hidden_size: Width of the model.

    Returns:
        Parts of the categories `mlp`, `routed_experts`, `shared_expert` (its gate included), `latent_proj` and
        `router`.
    """
    match block:
        case None:
            return ()
        case Dense():
            return _dense("mlp", "mlp", "mlp", block, hidden_size)
        case Moe():
            shared = Dense(intermediate_size=block.shared_size, gated=block.gated) if block.shared_size else None
            latent = hidden_size * block.latent_size
            return (
                *_experts(block, hidden_size, block.experts),
                *(_dense("shared_expert", "shared", "mlp.shared_experts", shared, hidden_size) if shared else ()),
                *named_matrices("shared_expert", "shared", mlp__shared_expert_gate=hidden_size * block.shared_gate),
                *named_matrices("latent_proj", "shared", mlp__fc1_latent_proj=latent, mlp__fc2_latent_proj=latent),
                Part("norm", 0, block.latent_size * block.latent_norm),
                Part("router", block.experts * hidden_size, block.experts * block.router_bias + block.router_scales),
                *feed_forward_parts(block.dense, hidden_size),
            )
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
    hyper = (
        Part("attn/mixer", streams - vectors, vectors, name="attn_hc", part="attention"),
        Part("other", streams - vectors, vectors),
    )
    # Each of the two blocks has a norm and a projection onto one weight per earlier group of layers.
    weighed = 4 * dimensions.hidden_size * dimensions.weighs_layers
    return (
        *mixer_parts(layer.mixer, dimensions.hidden_size),
        *feed_forward_parts(layer.feed_forward, dimensions.hidden_size),
        Part("norm", 0, layer.norms * dimensions.hidden_size),
        *(hyper if streams else ()),
        Part("other", 0, weighed),
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
        Part("other", 0, 2 * dimensions.hidden_size * dimensions.weighs_layers),
    )
