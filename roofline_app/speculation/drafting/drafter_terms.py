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
from roofline_app.specs import DrafterKindSpec, Precision, stored_as
from roofline_app.specs.drafter_kinds import States
from roofline_app.speculation.drafting.sequential_terms import PLAIN, gathered_values, step_terms

_MTP_NORMS = 3
NOTHING = Transformer(layers=())


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
        anchor_drafts: Whether the verified token's position of a block drafts as well.
        parallel: Whether a pass runs over as many positions as are drafted, not over its whole block.
        step: What each step of a block's sequential part reads, without layers where there is none.
        skipped: First draft tokens of a block that take no step.
        chained: Layers of which each draft token runs one of its own, with a cache of its own; 1 for one body. As many
            tokens can be drafted.
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
    anchor_drafts: bool = False
    parallel: bool = False
    step: Transformer = NOTHING
    skipped: int = 0
    chained: int = 1


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
    stated = dimensions.next_token
    group = replace(stated.layer if stated else dimensions.layers[-1], count=1)
    own_words = dimensions.vocab_size * dimensions.hidden_size if stated and stated.own_head else 0
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
        own_head=own_words > 0,
        parameters=_own_parameters((group,), dimensions) + joined + norms + own_words,
        state_bytes=dimensions.hidden_size * formats[PLAIN].bytes_per_value,
    )


def chained_terms(
    target: ModelSpec, target_terms: Transformer, precision: Precision, formats: Formats, *, layers: int
) -> DraftTerms:
    """Return the terms of next-token layers of which each draft token runs one of its own, with a cache of its own.

    Args:
        target: The model; where its config states no next-token layer, the last of its layers stands in for one.
        target_terms: The target at its precision, for the head.
        precision: The target's formats by part.
        formats: Every number format by id.
        layers: How many there are, one per draft token; equal ones.

    Returns:
        One of the layers as body, and how many stand behind each other; weights and cache of all of them.

    Source:
        Step-3.5's and MiMo-V2's multi-token prediction in SGLang's model code.
    """
    return as_chain(next_token_terms(target, target_terms, precision, formats), layers)


def as_chain(one: DraftTerms, layers: int) -> DraftTerms:
    """Return equal drafters of one token each behind each other.

    Args:
        one: The terms of one.
        layers: How many.
    """
    return replace(
        one,
        chained=layers,
        parameters=layers * one.parameters,
        weight_bytes=layers * one.weight_bytes,
        kv_bytes_per_token=layers * one.kv_bytes_per_token,
    )


def trained_terms(
    drafter: DrafterSpec,
    kind: DrafterKindSpec,
    target: ModelSpec,
    target_terms: Transformer,
    precision: Precision,
    formats: Formats,
) -> DraftTerms:
    """Return the terms of layers trained on the target's hidden states.

    Args:
        drafter: Its dimensions.
        kind: Its kind: how its layers take the hidden states in, and over which positions a pass runs.
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
    words = drafter.vocab_size or target.dimensions.vocab_size
    part, fused = drafter.sequential, drafter.fused_states * target.dimensions.hidden_size
    body, parameters = _trained_body(drafter, kind.states, target_terms, precision, formats)
    own_words, own_steps = drafter.vocab_size * drafter.hidden_size, part.parameters(words) if part else 0
    size, gathered = formats[PLAIN].bytes_per_value, gathered_values(part)
    terms = _terms(
        replace(body, other_bytes=body.other_bytes + gathered * size),
        head=(_projection(own_words, PLAIN, formats),) if own_words else target_terms.head,
        own_head=own_words > 0,
        parameters=parameters + fused * drafter.hidden_size + own_words + own_steps,
        state_bytes=fused * size,
    )
    fusion = _projection(fused * drafter.hidden_size, precision.attention, formats)
    intake = _intake(drafter, kind.states, body, fusion, formats)
    return replace(
        terms,
        intake=intake,
        intake_alone=_intake_alone(kind.states),
        block=drafter.block,
        weight_bytes=terms.weight_bytes + weight_bytes(intake) + (own_steps - gathered) * size,
        anchor_drafts=drafter.anchor_drafts,
        parallel=kind.parallel,
        step=step_terms(part, words, formats) if part else NOTHING,
        skipped=part.skipped if part else 0,
    )


def _trained_body(
    drafter: DrafterSpec, states: States, target_terms: Transformer, precision: Precision, formats: Formats
) -> tuple[Transformer, int]:
    """Return a trained drafter's layers, and their weights with those of norms and what stands beside them."""
    width, stored, size = drafter.hidden_size, precision.attention, formats[PLAIN].bytes_per_value
    dimensions = Dimensions(hidden_size=width, vocab_size=1, tied=False, layers=drafter.layers)
    groups = _first_apart(drafter.layers) if states == "beside" else drafter.layers
    further = [
        drafter.layer_parameters + (0 if index else _more_read(states, one, width)) for index, one in enumerate(groups)
    ]
    layers = tuple(
        _widened(layer_terms(group, dimensions, precision, formats), more, stored, formats)
        for group, more in zip(groups, further, strict=True)
    )
    if drafter.pass_parameters:
        layers += (Layer(count=1, projections=(_projection(drafter.pass_parameters, stored, formats),)),)
    small = width + drafter.other_parameters
    joined = sum(group.count * more for group, more in zip(groups, further, strict=True))
    body = Transformer(
        layers=layers, embedding_bytes_per_token=target_terms.embedding_bytes_per_token, other_bytes=small * size
    )
    return body, _own_parameters(groups, dimensions) + small + joined + drafter.pass_parameters


def _first_apart(groups: tuple[LayerGroup, ...]) -> tuple[LayerGroup, ...]:
    """Return the layers with the first one, which may read more than the others, as a group of its own."""
    first, *others = groups
    if first.count == 1 and not others:
        return groups
    rest = (replace(first, count=first.count - 1),) if first.count > 1 else ()
    return (replace(first, count=1), *rest, *others)


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
            return NOTHING
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
        intake=NOTHING,
        block=1,
        intake_alone=False,
        parameters=parameters,
        weight_bytes=weight_bytes(body) + (weight_bytes(head_terms) if own_head else 0.0),
        kv_bytes_per_token=kv_bytes_per_token(body),
        state_bytes_per_token=state_bytes,
    )
