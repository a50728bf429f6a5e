"""A drafter as numeric terms: what its passes read and compute, in the terms of the target's own passes.

Facts: which matrices a drafter has. Derived: the target's head is read once per draft pass, the fusion of the target's
hidden states once per round. Assumed: a drafter's layers attend to the whole context; positions drafted before, within
the round, are left out of its context, as drafts are in verifying.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never

from roofline_app.model.dimensions import Attention, Dimensions, DrafterSpec, LayerGroup, ModelSpec
from roofline_app.model.terms import Cache, Layer, Projection, Transformer
from roofline_app.model.to_terms import kv_bytes_per_token, layer_terms, transformer, weight_bytes
from roofline_app.model.to_terms.caches import Formats
from roofline_app.model.to_terms.weights import layer_parts
from roofline_app.specs import Precision, stored_as
from roofline_app.specs.drafter_kinds import States

# What a drafter's own format of hidden states is, on links too.
PLAIN = "bf16"
_MTP_NORMS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftTerms:
    """A drafter's terms.

    Attributes:
        body: Its layers, run over the positions of every draft pass.
        head: The output head that every draft pass reads, its own or the target's, without layers.
        intake: What committed tokens need once per round besides the body: the fusion of the target's hidden states
            and, where these become keys and values, those of every layer. Without layers where there is neither.
        block: Draft tokens of one pass, at most.
        intake_alone: Whether the intake takes committed tokens in alone, so that a pass runs over the verified token
            and its draft tokens; else the body's first pass of a round takes them in, the verified token among them.
        parameters: Its own weights; a shared head and embedding left out.
        weight_bytes: Their bytes.
        kv_bytes_per_token: Bytes by which its cache grows with each token.
        state_bytes_per_token: Bytes of the target's hidden states that it reads for one committed token.
    """

    body: Transformer
    head: Transformer
    intake: Transformer
    block: int
    intake_alone: bool
    parameters: int
    weight_bytes: float
    kv_bytes_per_token: float
    state_bytes_per_token: float


_NONE = Transformer(layers=())


def _heads(attention: Attention) -> tuple[int, int]:
    return attention.heads * attention.head_dim, attention.kv_heads * attention.head_dim


def _projection(parameters: int, stored: str, formats: Formats, *, read: bool = True) -> Projection:
    """Return a matrix; one that another term reads already has no bytes of its own."""
    form, size = stored_as(stored, formats)
    return Projection(parameters=parameters, bytes_per_parameter=size if read else 0.0, format=form)


def _widened(layer: Layer, parameters: int, stored: str, formats: Formats) -> Layer:
    """Return a layer with a further projection: one that joins two inputs, or q, k and v that read twice the width."""
    if not parameters:
        return layer
    return replace(layer, projections=(*layer.projections, _projection(parameters, stored, formats)))


def _own_parameters(layers: tuple[LayerGroup, ...], dimensions: Dimensions) -> int:
    return sum(group.count * part.parameters for group in layers for part in layer_parts(group, dimensions))


def _written(body: Transformer) -> Cache:
    """Return the bytes that one committed token adds to the caches of all layers."""
    caches = [(layer.count, term) for layer in body.layers for term in layer.memory if isinstance(term, Cache)]
    size = sum(count * cache.bytes_written_per_token for count, cache in caches)
    return Cache(bytes_per_entry=0.0, flops_per_entry=0.0, format=PLAIN, bytes_written_per_token=size)


def next_token_terms(
    target: ModelSpec, target_terms: Transformer, precision: Precision, formats: Formats
) -> DraftTerms:
    """Return the terms of a model's own next-token layer, run once per draft token with the target's head.

    Args:
        target: The model; where its config states no next-token layer, the last of its layers stands in for one.
        target_terms: The target at its precision, for the head.
        precision: The target's formats by part, which its next-token layer shares unless they say otherwise.
        formats: Every number format by id.

    Returns:
        One layer behind a projection of twice the width onto the width.

    Source:
        DeepSeek-AI, DeepSeek-V3, 2024, section 2.2; Qwen3.5 model code.
    """
    dimensions = target.dimensions
    precision = precision.next_token or precision
    group = replace(dimensions.next_token.layer if dimensions.next_token else dimensions.layers[-1], count=1)
    joined = 2 * dimensions.hidden_size**2
    norms = _MTP_NORMS * dimensions.hidden_size
    layer = layer_terms(group, dimensions, precision, formats)
    body = Transformer(
        layers=(_widened(layer, joined, precision.attention, formats),),
        embedding_bytes_per_token=target_terms.embedding_bytes_per_token,
        other_bytes=norms * formats[PLAIN].bytes_per_value,
    )
    return _terms(
        body,
        head=target_terms.head,
        parameters=_own_parameters((group,), dimensions) + joined + norms,
        state_bytes=dimensions.hidden_size * formats[PLAIN].bytes_per_value,
    )


def trained_terms(
    drafter: DrafterSpec,
    states: States,
    target: ModelSpec,
    target_terms: Transformer,
    precision: Precision,
    formats: Formats,
) -> DraftTerms:
    """Return the terms of layers trained on the target's hidden states.

    Args:
        drafter: Its dimensions.
        states: How its layers take the hidden states in.
        target: The model that it drafts for.
        target_terms: The target at its precision, for head and embedding.
        precision: Formats of the drafter's own weights and cache.
        formats: Every number format by id.

    Returns:
        Its layers, its head or the target's, and the fusion of the target's hidden states.

    Source:
        Li et al., EAGLE-3, 2025, and SpecForge's model code (q, k and v read embedding and hidden state side by side);
        Chen et al., DFlash, 2026, and its model code (keys and values of every layer from the fused hidden states).
    """
    width, stored = drafter.hidden_size, precision.attention
    vocabulary = target.dimensions.vocab_size
    dimensions = Dimensions(hidden_size=width, vocab_size=vocabulary, tied=False, layers=drafter.layers)
    beside = [_more_read(states, group, width) for group in drafter.layers]
    layers = tuple(
        _widened(layer_terms(group, dimensions, precision, formats), more, stored, formats)
        for group, more in zip(drafter.layers, beside, strict=True)
    )
    embedding, norm = target_terms.embedding_bytes_per_token, width * formats[PLAIN].bytes_per_value
    body = Transformer(layers=layers, embedding_bytes_per_token=embedding, other_bytes=norm)
    fused = drafter.fused_states * target.dimensions.hidden_size
    doubled = sum(group.count * more for group, more in zip(drafter.layers, beside, strict=True))
    own_words = drafter.vocab_size * width
    terms = _terms(
        body,
        head=(_projection(own_words, PLAIN, formats),) if own_words else target_terms.head,
        own_head=own_words > 0,
        parameters=_own_parameters(drafter.layers, dimensions) + width + doubled + fused * width + own_words,
        state_bytes=fused * formats[PLAIN].bytes_per_value,
    )
    intake = _intake(drafter, states, body, _projection(fused * width, stored, formats), formats)
    weights = terms.weight_bytes + weight_bytes(intake)
    alone = _intake_alone(states)
    return replace(terms, intake=intake, intake_alone=alone, block=drafter.block, weight_bytes=weights)


def _more_read(states: States, group: LayerGroup, width: int) -> int:
    """Return by how many weights q, k and v of one layer grow that read embedding and hidden state side by side."""
    match states:
        case "none" | "keys":
            return 0
        case "beside":
            if not isinstance(group.mixer, Attention):
                return 0
            queries, keys = _heads(group.mixer)
            return width * (queries + 2 * keys)
        case _:
            assert_never(states)


def _intake_alone(states: States) -> bool:
    """Return whether committed tokens need no pass of the body: their keys and values are all that it reads."""
    match states:
        case "none" | "beside":
            return False
        case "keys":
            return True
        case _:
            assert_never(states)


def _intake(
    drafter: DrafterSpec, states: States, body: Transformer, fusion: Projection, formats: Formats
) -> Transformer:
    """Return the intake of committed tokens besides the body: a fusion, and keys and values of every layer."""
    match states:
        case "none":
            return _NONE
        case "beside":
            return Transformer(layers=(Layer(count=1, projections=(fusion,)),))
        case "keys":
            mixers = [(group.count, group.mixer) for group in drafter.layers if isinstance(group.mixer, Attention)]
            keys_and_values = sum(count * 2 * drafter.hidden_size * _heads(mixer)[1] for count, mixer in mixers)
            again = _projection(keys_and_values, fusion.format, formats, read=False)
            return Transformer(layers=(Layer(count=1, projections=(fusion, again), memory=(_written(body),)),))
        case _:
            assert_never(states)


def model_terms(draft: ModelSpec, precision: Precision, formats: Formats, *, parameters: int) -> DraftTerms:
    """Return the terms of a separate draft model with everything of its own.

    Args:
        draft: The draft model.
        precision: Its formats by part.
        formats: Every number format by id.
        parameters: Its parameters.

    Returns:
        Its layers and head; the first pass of a round takes the committed tokens in.
    """
    whole = transformer(draft, precision, formats)
    return replace(
        _terms(replace(whole, head=()), head=whole.head, own_head=True, parameters=parameters, state_bytes=0.0),
        weight_bytes=weight_bytes(whole),
    )


def _terms(
    body: Transformer, *, head: tuple[Projection, ...], parameters: int, state_bytes: float, own_head: bool = False
) -> DraftTerms:
    """Return the terms of a drafter without an intake of its own."""
    head_terms = Transformer(layers=(), head=head)
    return DraftTerms(
        body=body,
        head=head_terms,
        intake=_NONE,
        block=1,
        intake_alone=False,
        parameters=parameters,
        weight_bytes=weight_bytes(body) + (weight_bytes(head_terms) if own_head else 0.0),
        kv_bytes_per_token=kv_bytes_per_token(body),
        state_bytes_per_token=state_bytes,
    )
