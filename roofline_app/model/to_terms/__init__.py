"""A model's dimensions as numeric terms and as counts: parameters, weight bytes, cache and state bytes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from roofline_app.model.dimensions import (
    Dimensions,
    FeedForward,
    LayerGroup,
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
    layer_parts,
    outer_parts,
)
from roofline_app.specs import Precision, stored_as

__all__ = [
    "active_parameters",
    "buffer_bytes_per_sequence",
    "kv_bytes_per_token",
    "layer_terms",
    "parameters_by_category",
    "parameters_by_format",
    "state_bytes_per_sequence",
    "total_parameters",
    "transformer",
    "weight_bytes",
    "window_bytes_per_sequence",
    "with_weights",
]

# Routers, heads and everything small compute in bf16 whatever the weights around them are stored in.
PLAIN = "bf16"
ATTENTION_SIDE = ("attn/mixer", "attn_lin", "indexer", "compressor")
# Every token passes through these beside the routed experts.
ALWAYS = ("shared_expert", "latent_proj", "mlp")
AS_THEIR_PART: Mapping[str, str] = MappingProxyType({})


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


def parameters_by_format(spec: ModelSpec) -> dict[str, dict[str, int]]:
    """Return how many parameters of each category are stored in which format, as the checkpoint has them.

    Args:
        spec: The model; next-token layers are left out.

    Returns:
        Counts by category and id of the format; vectors and what no scheme quantises in bf16.
    """
    counts: dict[str, Counter[str]] = {}
    precision = spec.precision
    for layer, overrides in _stored_alike(spec.dimensions.layers, precision):
        for part in layer_parts(layer, spec.dimensions):
            stored = overrides.get(part.name) or getattr(precision, part.part) if part.part else PLAIN
            of_category = counts.setdefault(part.category, Counter())
            of_category[stored] += layer.count * part.matrices
            of_category[PLAIN] += layer.count * part.vectors
    outer = {"embed": precision.embedding or precision.head, "lm_head": precision.head}
    for part in outer_parts(spec.dimensions):
        counts.setdefault(part.category, Counter())[outer.get(part.category, PLAIN)] += part.parameters
    found = {name: {form: count for form, count in forms.items() if count} for name, forms in counts.items()}
    return {category: forms for category, forms in found.items() if forms}


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
    form, value_bytes = stored_as(stored, formats)
    return Projection(parameters=parameters, bytes_per_parameter=value_bytes, format=computed or form)


def _by_format(
    parts: Iterable[Part], precision: Precision, overrides: Mapping[str, str]
) -> Iterator[tuple[str, str, int]]:
    """Yield category, format and weights of matrices: one for all of a category that share a format."""
    sizes: dict[tuple[str, str], int] = {}
    for part in parts:
        if part.matrices and part.part:
            stored = overrides.get(part.name) or getattr(precision, part.part)
            key = (part.category, stored)
            sizes[key] = sizes.get(key, 0) + part.matrices
    for (category, stored), size in sizes.items():
        yield category, stored, size


def _matrices(parts: tuple[Part, ...], category: str) -> int:
    return sum(part.matrices for part in parts if part.category == category)


def _feed_forward(
    block: FeedForward | None, sizes: list[tuple[str, str, int]], formats: Formats
) -> tuple[Projection | Experts, ...]:
    always = tuple(
        _projection(size, stored, formats)
        for wanted in ALWAYS
        for category, stored, size in sizes
        if category == wanted
    )
    if not isinstance(block, Moe):
        return always
    experts: list[Experts] = []
    for category, stored, size in sizes:
        if category == "routed_experts":
            form, value_bytes = stored_as(stored, formats)
            term = Experts(
                experts=block.experts,
                experts_per_token=block.experts_per_token,
                parameters_per_expert=size // block.experts,
                bytes_per_parameter=value_bytes,
                format=form,
                always=() if experts else always,
            )
            experts.append(term)
    return tuple(experts)


def layer_terms(
    layer: LayerGroup,
    dimensions: Dimensions,
    precision: Precision,
    formats: Formats,
    overrides: Mapping[str, str] = AS_THEIR_PART,
) -> Layer:
    """Return the numeric terms of a group of equal layers.

    Args:
        layer: The group.
        dimensions: The architecture that it belongs to.
        precision: Formats by part.
        formats: Every number format by id.
        overrides: Formats of single matrices by name, where they are not their part's.

    Returns:
        Attention-side weights, memory, feed-forward and router; norms, biases, convolutions and the hyper-connection
        of the feed-forward block as bytes.
    """
    parts = layer_parts(layer, dimensions)
    sizes = list(_by_format(parts, precision, overrides))
    small = sum(part.vectors for part in parts) + _matrices(parts, "other")
    router = _matrices(parts, "router")
    return Layer(
        count=layer.count,
        projections=tuple(
            _projection(size, stored, formats) for category, stored, size in sizes if category in ATTENTION_SIDE
        ),
        memory=memory(layer.mixer, precision, formats),
        feed_forward=_feed_forward(layer.feed_forward, sizes, formats),
        router=(_projection(router, PLAIN, formats),) if router else (),
        other_bytes=small * formats[PLAIN].bytes_per_value,
        width=dimensions.hidden_size,
        launches=layer_launches(layer),
        buffer_bytes=buffer_bytes(layer.mixer),
    )


def _stored_alike(layers: tuple[LayerGroup, ...], precision: Precision) -> Iterator[tuple[LayerGroup, dict[str, str]]]:
    """Yield groups of layers that are equal in their formats too, with the formats of single matrices."""
    for index, layer in enumerate(layers):
        plain = layer.count
        for mixed in precision.layers:
            if mixed.group == index:
                plain -= mixed.count
                yield replace(layer, count=mixed.count), {name: form for _, name, form in mixed.formats}
        if plain:
            yield replace(layer, count=plain), {}


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
    _, embedding_bytes = stored_as(precision.embedding or precision.head, formats)
    words = dimensions.vocab_size * dimensions.hidden_size
    outer = sum(part.parameters for part in outer_parts(dimensions) if part.category in {"norm", "other"})
    return Transformer(
        layers=tuple(
            layer_terms(layer, dimensions, precision, formats, overrides)
            for layer, overrides in _stored_alike(dimensions.layers, precision)
        ),
        head=(_projection(words, precision.head, formats, computed=PLAIN),),
        embedding_bytes_per_token=dimensions.hidden_size * embedding_bytes,
        stored_embedding_bytes=0.0 if dimensions.tied else words * embedding_bytes,
        other_bytes=outer * formats[PLAIN].bytes_per_value,
    )
