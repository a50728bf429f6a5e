"""A model's dimensions as numeric terms and as counts: parameters, weight bytes, cache and state bytes."""

from __future__ import annotations

from collections import Counter

from roofline_app.model.dimensions import (
    DeltaNet,
    Dimensions,
    FeedForward,
    LayerGroup,
    Lightning,
    Mamba2,
    ModelSpec,
    Moe,
)
from roofline_app.model.terms import Experts, Layer, Projection, Transformer
from roofline_app.model.to_terms.bytes import (
    buffer_bytes_per_sequence,
    kv_bytes_per_token,
    state_bytes_per_sequence,
    weight_bytes,
    window_bytes_per_sequence,
)
from roofline_app.model.to_terms.caches import Formats, buffer_bytes, memory
from roofline_app.model.to_terms.chosen_formats import with_weights
from roofline_app.model.to_terms.kernels import layer_launches
from roofline_app.model.to_terms.weights import (
    CATEGORIES,
    Part,
    expert_parameters,
    feed_forward_parts,
    layer_parts,
    outer_parts,
)
from roofline_app.specs import Precision

__all__ = [
    "active_parameters",
    "buffer_bytes_per_sequence",
    "kv_bytes_per_token",
    "layer_terms",
    "parameters_by_category",
    "state_bytes_per_sequence",
    "total_parameters",
    "transformer",
    "weight_bytes",
    "window_bytes_per_sequence",
    "with_weights",
]

# Routers, heads and everything small compute in bf16 whatever the weights around them are stored in.
PLAIN = "bf16"
ATTENTION_SIDE = frozenset({"attn/mixer", "attn_lin", "indexer", "compressor"})


def parameters_by_category(spec: ModelSpec) -> dict[str, int]:
    """Return the number of parameters of each category, next-token layers left out.

    Args:
        spec: The model.

    Returns:
        Counts by category, without those that are zero; their sum is the total. A tied head counts as `embed`.

    Source:
        Agrees exactly with models built from their config.json by transformers 5.24.0.
    """
    counts = Counter[str]()
    for layer in spec.dimensions.layers:
        for part in layer_parts(layer, spec.dimensions):
            counts[part.category] += layer.count * part.parameters
    for part in outer_parts(spec.dimensions):
        counts[part.category] += part.parameters
    return {category: counts[category] for category in CATEGORIES if counts[category]}


def total_parameters(spec: ModelSpec) -> int:
    """Return the number of parameters of the language model, next-token layers left out.

    Args:
        spec: The model.

    Returns:
        The sum of `parameters_by_category`.
    """
    return sum(parameters_by_category(spec).values())


def active_parameters(spec: ModelSpec) -> int:
    """Return the parameters that one token uses.

    Args:
        spec: The model.

    Returns:
        All but the routed experts that a token does not use, and but the input embedding unless it is also the head.
    """
    unused = 0
    for layer in spec.dimensions.layers:
        if isinstance(layer.feed_forward, Moe):
            idle = layer.feed_forward.experts - layer.feed_forward.experts_per_token
            unused += layer.count * idle * expert_parameters(layer.feed_forward, spec.dimensions.hidden_size)
    embedding = 0 if spec.dimensions.tied else spec.dimensions.vocab_size * spec.dimensions.hidden_size
    return total_parameters(spec) - unused - embedding


def _projection(parameters: int, stored: str, formats: Formats, computed: str = "") -> Projection:
    return Projection(
        parameters=parameters, bytes_per_parameter=formats[stored].bytes_per_value, format=computed or stored
    )


def _matrices(parts: tuple[Part, ...], category: str) -> int:
    return sum(part.matrices for part in parts if part.category == category)


def _feed_forward(
    block: FeedForward | None, hidden_size: int, precision: Precision, formats: Formats
) -> tuple[Projection | Experts, ...]:
    parts = feed_forward_parts(block, hidden_size)
    dense, shared = _matrices(parts, "mlp"), _matrices(parts, "shared_expert")
    always = tuple(
        _projection(parameters, stored, formats)
        for parameters, stored in ((shared, precision.shared), (dense, precision.mlp))
        if parameters
    )
    if not isinstance(block, Moe):
        return always
    return (
        Experts(
            experts=block.experts,
            experts_per_token=block.experts_per_token,
            parameters_per_expert=expert_parameters(block, hidden_size),
            bytes_per_parameter=formats[precision.experts].bytes_per_value,
            format=precision.experts,
            always=always,
        ),
    )


def layer_terms(layer: LayerGroup, dimensions: Dimensions, precision: Precision, formats: Formats) -> Layer:
    """Return the numeric terms of a group of equal layers.

    Args:
        layer: The group.
        dimensions: The architecture that it belongs to.
        precision: Formats by part.
        formats: Every number format by id.

    Returns:
        Attention-side weights, memory, feed-forward and router; norms, biases, convolutions and the hyper-connection
        of the feed-forward block as bytes.
    """
    parts = layer_parts(layer, dimensions)
    plain_bytes = formats[PLAIN].bytes_per_value
    small = sum(part.vectors for part in parts) + _matrices(parts, "other")
    router = _matrices(parts, "router")
    recurrent = isinstance(layer.mixer, DeltaNet | Mamba2 | Lightning)
    stored = precision.recurrent if recurrent else precision.attention
    return Layer(
        count=layer.count,
        projections=tuple(
            _projection(part.matrices, stored, formats)
            for part in parts
            if part.category in ATTENTION_SIDE and part.matrices
        ),
        memory=memory(layer.mixer, precision, formats),
        feed_forward=_feed_forward(layer.feed_forward, dimensions.hidden_size, precision, formats),
        router=(_projection(router, PLAIN, formats),) if router else (),
        other_bytes=small * plain_bytes,
        width=dimensions.hidden_size,
        launches=layer_launches(layer),
        buffer_bytes=buffer_bytes(layer.mixer),
    )


def transformer(spec: ModelSpec, precision: Precision, formats: Formats) -> Transformer:
    """Return the numeric terms of a model.

    Args:
        spec: The model; next-token layers are left out.
        precision: Formats by part: `spec.precision`, or that with a user's choices.
        formats: Every number format by id.

    Returns:
        Layers, head and embedding. The head computes in bf16 whatever it is stored in.
    """
    dimensions = spec.dimensions
    head_bytes = formats[precision.head].bytes_per_value
    words = dimensions.vocab_size * dimensions.hidden_size
    outer = sum(part.parameters for part in outer_parts(dimensions) if part.category in {"norm", "other"})
    return Transformer(
        layers=tuple(layer_terms(layer, dimensions, precision, formats) for layer in dimensions.layers),
        head=(_projection(words, precision.head, formats, computed=PLAIN),),
        embedding_bytes_per_token=dimensions.hidden_size * head_bytes,
        stored_embedding_bytes=0.0 if dimensions.tied else words * head_bytes,
        other_bytes=outer * formats[PLAIN].bytes_per_value,
    )
