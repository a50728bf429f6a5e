"""Work of one forward pass: bytes moved and FLOPs computed, by component.

Facts: every weight is read once per pass, whatever the number of tokens; a cache is read once per sequence and pass,
not once per query token; a multiply-add is 2 FLOPs.
Derived: a pass over `query_tokens` tokens of each of `batch` sequences; plain decoding is the same pass with one query
token, so there is one formula per term and never one per phase.
Assumed: routing, and the selection of sparse attention, are uniform and independent between tokens, so the expected
number of distinct experts (or selected entries) touched is E(1 - (1 - k/E)^t); recurrent states are read once and
written once per query token, so that a round can go back to any of them, in prefill once per chunk of 64; activations
stay on chip.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from roofline_app.model.terms import Cache, Exchange, Experts, Layer, Projection, Reach, Recurrence, Transformer
from roofline_app.timing.experts import busiest_rank_experts, distinct_experts

Floats = NDArray[np.float64]
# From this many tokens of a sequence on, recurrences run chunk by chunk instead of token by token.
_CHUNK_TOKENS = 64
COMPONENTS = ("projections", "attention", "router", "feed_forward", "head", "other")


@dataclass(frozen=True, slots=True, kw_only=True)
class Routing:
    """How many independently routed tokens a pass counts as: batch^batch_exponent * query_tokens^sequence_exponent.

    Neighbouring tokens of one sequence, and to a lesser degree tokens of different ones, choose the same experts more
    often than by chance.

    Attributes:
        sequence_exponent: Of the tokens of one sequence, in (0, 1]; 1 for independent ones.
        batch_exponent: Of the sequences, in (0, 1]; 1 for independent ones.
        imbalance: Tokens that the busiest rank of experts gets, over the mean, at least 1; beside chance, hot experts.
    """

    sequence_exponent: float = 1.0
    batch_exponent: float = 1.0
    imbalance: float = 1.0


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
        prefill: Whether the pass takes prompts in: recurrences run chunk by chunk and keep no state in between.
        imbalance: As in `Routing`.
    """

    batch: Floats
    query_tokens: Floats
    context_tokens: Floats
    total: Floats
    routed: Floats
    prefill: bool = False
    imbalance: float = 1.0


Kind = Literal["weights", "experts", "cache", "state"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Overhead:
    """What one layer's component asks of host and network besides bytes and FLOPs.

    Attributes:
        launches: Kernels started.
        latent: Latent attention layers.
        fused: Kernels among them that one chain takes in where routed experts are computed in four bits.
        matmuls: Matmuls whose inputs are quantised first where their weights' format asks for it.
        messages: Collective operations between the GPUs.
        message_bytes: Bytes that one GPU sends in them.
        sampled: Sequences that choose their next token.
    """

    launches: Floats | float = 0.0
    latent: int = 0
    fused: float = 0.0
    matmuls: int = 0
    messages: int = 0
    message_bytes: Floats | float = 0.0
    sampled: Floats | float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentWork:
    """Bytes and FLOPs of one component in one layer.

    Attributes:
        name: One of `COMPONENTS`.
        count: Number of equal layers that do this work.
        bytes: Bytes moved by one layer, broadcast shape of the pass.
        flops: FLOPs of one layer by number format.
        kind: What is read: weights, routed experts, cache entries or recurrent states.
        overhead: What a calibrated profile adds; None where nothing.
        group_tokens: Tokens of one touched expert in a pass, at least 1; 1 for everything else.
    """

    name: str
    count: int
    bytes: Floats
    flops: tuple[tuple[str, Floats], ...]
    kind: Kind = "weights"
    overhead: Overhead | None = None
    group_tokens: Floats | float = 1.0


def _overhead(launches: Floats | float, matmuls: int, exchange: Exchange, tokens: Tokens) -> Overhead:
    sent = exchange.bytes_per_token * tokens.total if exchange.messages else 0.0
    return Overhead(launches=launches, matmuls=matmuls, messages=exchange.messages, message_bytes=sent)


def _mixer_overhead(layer: Layer, tokens: Tokens) -> Overhead:
    launches: Floats | float = layer.launches.mixer
    if layer.launches.per_token:
        further = np.minimum(tokens.query_tokens, _CHUNK_TOKENS) - 1.0
        verifying = layer.launches.verifying * (tokens.query_tokens > 1.0)
        launches = launches + verifying + layer.launches.per_token * further
    asked = _overhead(launches, layer.launches.mixer_matmuls, layer.mixer_exchange, tokens)
    return replace(asked, latent=layer.launches.latent) if layer.launches.latent else asked


def _projections(
    name: str, count: int, terms: Iterable[Projection], tokens: Tokens, overhead: Overhead | None = None
) -> ComponentWork:
    size, flops_per_token = 0.0, dict[str, float]()
    for term in terms:
        size += term.parameters * term.bytes_per_parameter
        flops_per_token[term.format] = flops_per_token.get(term.format, 0.0) + 2.0 * term.parameters
    flops = tuple((number_format, amount * tokens.total) for number_format, amount in flops_per_token.items())
    return ComponentWork(name=name, count=count, bytes=np.asarray(size), flops=flops, overhead=overhead)


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


def _attention(layer: Layer, tokens: Tokens, overhead: Overhead | None) -> ComponentWork:
    moved: Floats = np.zeros(())
    flops = dict[str, Floats]()
    for term in layer.memory:
        match term:
            case Cache():
                term_bytes, term_flops = _cache(term, tokens)
            case Recurrence():
                kept = np.ceil(tokens.query_tokens / _CHUNK_TOKENS) if tokens.prefill else tokens.query_tokens
                term_bytes = term.state_bytes * (1.0 + kept)
                term_flops = term.flops_per_token * tokens.query_tokens
        moved = moved + term_bytes
        flops[term.format] = flops[term.format] + term_flops if term.format in flops else term_flops
    return ComponentWork(
        name="attention",
        count=layer.count,
        bytes=tokens.batch * moved,
        flops=tuple((number_format, tokens.batch * amount) for number_format, amount in flops.items()),
        kind="state" if any(isinstance(term, Recurrence) for term in layer.memory) else "cache",
        overhead=overhead,
    )


def _experts(term: Experts, count: int, tokens: Tokens, overhead: Overhead | None) -> ComponentWork:
    """Routed and always-used experts together: bytes added, FLOPs added by format."""
    always = _projections("feed_forward", count, term.always, tokens)
    # All ranks wait for the busiest one, as if each had its tokens; where every GPU has a slice of all there is none.
    uneven = tokens.imbalance if term.ranks > 1 else 1.0
    touched = busiest_rank_experts(term.experts, term.experts_per_token, uneven * tokens.routed, term.ranks)
    moved = touched * (term.parameters_per_expert * term.bytes_per_parameter) + always.bytes
    flops = dict(always.flops)
    routed = (2.0 * term.experts_per_token * term.parameters_per_expert) * (uneven * tokens.total)
    flops[term.format] = flops[term.format] + routed if term.format in flops else routed
    return ComponentWork(
        name="feed_forward",
        count=count,
        bytes=moved,
        flops=tuple(flops.items()),
        kind="experts",
        overhead=overhead,
        group_tokens=np.maximum(term.experts_per_token * tokens.total / np.maximum(touched, 1.0), 1.0),
    )


def _of_the_busiest(tokens: Tokens, groups: int) -> Tokens:
    """Return a pass in which every group of GPUs has as many sequences as the busiest one."""
    if groups == 1:
        return tokens
    batch = groups * np.ceil(tokens.batch / groups)
    return replace(tokens, batch=batch, total=batch * tokens.query_tokens)


def _layer(layer: Layer, tokens: Tokens) -> list[ComponentWork]:
    parts = []
    mixer = _mixer_overhead(layer, tokens)
    own = _of_the_busiest(tokens, layer.sequence_groups)
    if layer.projections:
        parts.append(_projections("projections", layer.count, layer.projections, own, mixer))
    if layer.memory:
        parts.append(_attention(layer, own, None if layer.projections else mixer))
    if layer.router:
        parts.append(_projections("router", layer.count, layer.router, tokens))
    launches = layer.launches
    block = _overhead(launches.feed_forward, launches.feed_forward_matmuls, layer.feed_forward_exchange, tokens)
    block = replace(block, fused=launches.fused) if launches.fused else block
    dense = [term for term in layer.feed_forward if isinstance(term, Projection)]
    if dense:
        parts.append(_projections("feed_forward", layer.count, dense, tokens, block))
    routed = (term for term in layer.feed_forward if isinstance(term, Experts))
    parts.extend(_experts(term, layer.count, tokens, None if dense else block) for term in routed)
    return parts


def pass_tokens(
    *,
    batch: ArrayLike,
    query_tokens: ArrayLike,
    context_tokens: ArrayLike,
    routing: Routing = INDEPENDENT,
    prefill: bool = False,
) -> Tokens:
    """Return the shape of a pass from counts that broadcast against each other.

    Args:
        batch: Sequences in the pass.
        query_tokens: Tokens of one sequence in the pass.
        context_tokens: Tokens already in each sequence's cache.
        routing: Routing: how tokens choose experts.
        prefill: Whether the pass takes prompts in.

    Raises:
        ValueError: When a count is not positive (context may be 0).

    Examples:
        Plain decoding, and verifying four drafts:

        >>> pass_tokens(batch=8, query_tokens=[1, 5], context_tokens=4096).total
        array([ 8., 40.])
    """
    batch, query, context = (np.asarray(value, dtype=np.float64) for value in (batch, query_tokens, context_tokens))
    for name, value, least in (("batch", batch, 1.0), ("query_tokens", query, 1.0), ("context_tokens", context, 0.0)):
        if not np.all(value >= least):
            message = f"{name} must be at least {least:g}"
            raise ValueError(message)
    total = routed = batch * query
    if routing != INDEPENDENT:
        routed = np.power(batch, routing.batch_exponent) * np.power(query, routing.sequence_exponent)
    return Tokens(
        batch=batch,
        query_tokens=query,
        context_tokens=context,
        total=total,
        routed=routed,
        imbalance=routing.imbalance,
        prefill=prefill,
    )


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

    Examples:
        >>> head = Projection(parameters=1000.0, bytes_per_parameter=2.0, format="bf16")
        >>> tokens = pass_tokens(batch=1, query_tokens=[1, 5], context_tokens=0)
        >>> (part,) = work(Transformer(layers=(), head=(head,)), tokens)
        >>> float(part.bytes), dict(part.flops)
        (2000.0, {'bf16': array([ 2000., 10000.])})
    """
    parts = [part for layer in transformer.layers for part in _layer(layer, tokens)]
    if transformer.head:
        parts.append(_projections("head", 1, transformer.head, tokens, Overhead(sampled=tokens.batch)))
    small = transformer.other_bytes + sum(layer.count * layer.other_bytes for layer in transformer.layers)
    looked_up = transformer.embedding_bytes_per_token * tokens.total
    if small or transformer.embedding_bytes_per_token:
        parts.append(ComponentWork(name="other", count=1, bytes=looked_up + small, flops=()))
    return parts


def experts_touched(transformer: Transformer, tokens: Tokens) -> Floats:
    """Return the expected distinct routed experts touched in one MoE layer, averaged over MoE layers; 0 if dense.

    Examples:
        >>> float(experts_touched(Transformer(layers=()), pass_tokens(batch=1, query_tokens=1, context_tokens=0)))
        0.0
    """
    blocks = [(layer.count, term) for layer in transformer.layers for term in layer.feed_forward]
    moe = [(count, term) for count, term in blocks if isinstance(term, Experts)]
    total = sum(count for count, _ in moe)
    if not total:
        return np.zeros_like(tokens.total)
    touched = sum(count * distinct_experts(term.experts, term.experts_per_token, tokens.routed) for count, term in moe)
    return np.asarray(touched / total)
