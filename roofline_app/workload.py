"""Work of one forward pass: bytes moved and FLOPs computed, by component.

Facts: every weight is read once per pass, whatever the number of tokens; a cache is read once per sequence and pass,
not once per query token; a multiply-add is 2 FLOPs.
Derived: a pass over `query_tokens` tokens of each of `batch` sequences; plain decoding is the same pass with one query
token, so there is one formula per term and never one per phase.
Assumed: routing, and the selection of sparse attention, are uniform and independent between tokens, so the expected
number of distinct experts (or selected entries) touched is E(1 - (1 - k/E)^t); recurrent states are read once and
written once per query token; activations stay on chip.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from roofline_app.blocks import Cache, Experts, Layer, Projection, Reach, Recurrence, Transformer

Floats = NDArray[np.float64]
COMPONENTS = ("projections", "attention", "router", "feed_forward", "head", "other")


@dataclass(frozen=True, slots=True, kw_only=True)
class Routing:
    """How many independently routed tokens a pass counts as: batch^batch_exponent * query_tokens^sequence_exponent.

    Neighbouring tokens of one sequence, and to a lesser degree tokens of different ones, choose the same experts more
    often than by chance.

    Attributes:
        sequence_exponent: Of the tokens of one sequence, in (0, 1]; 1 for independent ones.
        batch_exponent: Of the sequences, in (0, 1]; 1 for independent ones.
    """

    sequence_exponent: float = 1.0
    batch_exponent: float = 1.0


INDEPENDENT = Routing()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """The shape of one pass; fields broadcast against each other.

    Attributes:
        batch: Sequences in the pass.
        query_tokens: Tokens of one sequence in the pass: 1 for plain decoding, draft tokens + 1 for verifying.
        context_tokens: Tokens already in each sequence's cache.
        total: batch * query_tokens.
        routed: Independently routed tokens that the pass counts as; `total` where routing is independent.
    """

    batch: Floats
    query_tokens: Floats
    context_tokens: Floats
    total: Floats
    routed: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentWork:
    """Bytes and FLOPs of one component in one layer.

    Attributes:
        name: One of `COMPONENTS`.
        count: Number of equal layers that do this work.
        bytes: Bytes moved by one layer, broadcast shape of the pass.
        flops: FLOPs of one layer by number format.
    """

    name: str
    count: int
    bytes: Floats
    flops: tuple[tuple[str, Floats], ...]


def distinct_experts(experts: float, experts_per_token: float, tokens: ArrayLike) -> Floats:
    """Return the expected number of distinct routed experts that a number of tokens touches.

    Args:
        experts: Routed experts E.
        experts_per_token: Experts k that one token uses, 0 < k <= E.
        tokens: Number of tokens t >= 0, any shape.

    Returns:
        E(1 - (1 - k/E)^t), shape of `tokens`, between 0 and E.

    Source:
        MoESD, arXiv 2505.19645, section 3; Finn, The economics of speculative decoding, 2026.
    """
    return experts * (1.0 - np.power(1.0 - experts_per_token / experts, np.asarray(tokens, dtype=np.float64)))


def _projections(name: str, count: int, terms: Iterable[Projection], tokens: Tokens) -> ComponentWork:
    size, flops_per_token = 0.0, dict[str, float]()
    for term in terms:
        size += term.parameters * term.bytes_per_parameter
        flops_per_token[term.format] = flops_per_token.get(term.format, 0.0) + 2.0 * term.parameters
    flops = tuple((number_format, amount * tokens.total) for number_format, amount in flops_per_token.items())
    return ComponentWork(name=name, count=count, bytes=np.asarray(size), flops=flops)


def _cache(cache: Cache, tokens: Tokens) -> tuple[Floats, Floats]:
    """Return bytes of one sequence and FLOPs of one sequence."""
    query = tokens.query_tokens
    entries = tokens.context_tokens
    if cache.tokens_per_entry > 1:
        entries = np.floor(entries / cache.tokens_per_entry)
    match cache.reach:
        case Reach.ALL:
            attended = read = entries
        case Reach.WINDOW:
            attended, read = np.minimum(entries, cache.limit), np.minimum(entries, cache.limit + query - 1.0)
        case Reach.CHUNK:
            attended = read = np.minimum(entries, cache.limit)
        case Reach.SELECTED:
            attended = np.minimum(entries, cache.limit)
            chosen = np.maximum(entries, 1.0)
            read = entries * (1.0 - np.power(1.0 - attended / chosen, query))
    moved = read * cache.bytes_per_entry + query * cache.bytes_written_per_token
    return moved, attended * query * cache.flops_per_entry


def _attention(layer: Layer, tokens: Tokens) -> ComponentWork:
    moved: Floats = np.zeros(())
    flops = dict[str, Floats]()
    for term in layer.memory:
        match term:
            case Cache():
                term_bytes, term_flops = _cache(term, tokens)
            case Recurrence():
                term_bytes = term.state_bytes * (1.0 + tokens.query_tokens)
                term_flops = term.flops_per_token * tokens.query_tokens
        moved = moved + term_bytes
        flops[term.format] = flops[term.format] + term_flops if term.format in flops else term_flops
    return ComponentWork(
        name="attention",
        count=layer.count,
        bytes=tokens.batch * moved,
        flops=tuple((number_format, tokens.batch * amount) for number_format, amount in flops.items()),
    )


def _experts(term: Experts, count: int, tokens: Tokens) -> ComponentWork:
    """Routed and always-used experts together: bytes added, FLOPs added by format."""
    always = _projections("feed_forward", count, term.always, tokens)
    touched = distinct_experts(term.experts, term.experts_per_token, tokens.routed)
    moved = touched * (term.parameters_per_expert * term.bytes_per_parameter) + always.bytes
    flops = dict(always.flops)
    routed = (2.0 * term.experts_per_token * term.parameters_per_expert) * tokens.total
    flops[term.format] = flops[term.format] + routed if term.format in flops else routed
    return ComponentWork(name="feed_forward", count=count, bytes=moved, flops=tuple(flops.items()))


def _layer(layer: Layer, tokens: Tokens) -> list[ComponentWork]:
    parts = []
    if layer.projections:
        parts.append(_projections("projections", layer.count, layer.projections, tokens))
    if layer.memory:
        parts.append(_attention(layer, tokens))
    if layer.router:
        parts.append(_projections("router", layer.count, layer.router, tokens))
    dense = [term for term in layer.feed_forward if isinstance(term, Projection)]
    if dense:
        parts.append(_projections("feed_forward", layer.count, dense, tokens))
    parts.extend(_experts(term, layer.count, tokens) for term in layer.feed_forward if isinstance(term, Experts))
    return parts


def pass_tokens(
    *, batch: ArrayLike, query_tokens: ArrayLike, context_tokens: ArrayLike, routing: Routing = INDEPENDENT
) -> Tokens:
    """Return the shape of a pass from counts that broadcast against each other.

    Args:
        batch: Sequences in the pass.
        query_tokens: Tokens of one sequence in the pass.
        context_tokens: Tokens already in each sequence's cache.
        routing: How tokens choose experts.

    Raises:
        ValueError: When a count is not positive (context may be 0).
    """
    batch, query, context = (np.asarray(value, dtype=np.float64) for value in (batch, query_tokens, context_tokens))
    for name, value, least in (("batch", batch, 1.0), ("query_tokens", query, 1.0), ("context_tokens", context, 0.0)):
        if not np.all(value >= least):
            message = f"{name} must be at least {least:g}"
            raise ValueError(message)
    total = routed = batch * query
    if routing != INDEPENDENT:
        routed = np.power(batch, routing.batch_exponent) * np.power(query, routing.sequence_exponent)
    return Tokens(batch=batch, query_tokens=query, context_tokens=context, total=total, routed=routed)


def work(transformer: Transformer, tokens: Tokens) -> list[ComponentWork]:
    """Return bytes and FLOPs of one pass, by component and group of equal layers.

    Embedding look-up and norms are counted as bytes, never as FLOPs; other activations are left out.

    Args:
        transformer: The model's terms.
        tokens: Shape of the pass, from `pass_tokens`.

    Returns:
        One item per component and layer group; arrays have the broadcast shape of `tokens` or are scalars.

    Source:
        Pope et al., Efficiently Scaling Transformer Inference, 2022.
    """
    parts = [part for layer in transformer.layers for part in _layer(layer, tokens)]
    if transformer.head:
        parts.append(_projections("head", 1, transformer.head, tokens))
    small = transformer.other_bytes + sum(layer.count * layer.other_bytes for layer in transformer.layers)
    looked_up = transformer.embedding_bytes_per_token * tokens.total
    if small or transformer.embedding_bytes_per_token:
        parts.append(ComponentWork(name="other", count=1, bytes=looked_up + small, flops=()))
    return parts


def experts_touched(transformer: Transformer, tokens: Tokens) -> Floats:
    """Return the expected distinct routed experts touched in one MoE layer, averaged over MoE layers; 0 if dense."""
    blocks = [(layer.count, term) for layer in transformer.layers for term in layer.feed_forward]
    moe = [(count, term) for count, term in blocks if isinstance(term, Experts)]
    total = sum(count for count, _ in moe)
    if not total:
        return np.zeros_like(tokens.total)
    touched = sum(count * distinct_experts(term.experts, term.experts_per_token, tokens.routed) for count, term in moe)
    return np.asarray(touched / total)
