"""Memory: what a model and its sequences occupy, and how many sequences fit."""

from __future__ import annotations

import math

from roofline_app.blocks import Cache, Experts, Projection, Reach, Recurrence, Transformer


def _stored(term: Projection | Experts) -> float:
    if isinstance(term, Projection):
        return term.parameters * term.bytes_per_parameter
    routed = term.experts * term.parameters_per_expert * term.bytes_per_parameter
    return routed + sum(_stored(inner) for inner in term.always)


def weight_bytes(transformer: Transformer) -> float:
    """Return the bytes of all weights as stored; an embedding tied to the head counts once."""
    layers = sum(
        layer.count * (sum(map(_stored, (*layer.projections, *layer.feed_forward, *layer.router))) + layer.other_bytes)
        for layer in transformer.layers
    )
    head = sum(map(_stored, transformer.head))
    return layers + head + transformer.stored_embedding_bytes + transformer.other_bytes


def kv_bytes_per_token(transformer: Transformer) -> float:
    """Return the bytes by which one sequence's caches grow per context token; windows do not grow."""
    return sum(
        layer.count * term.bytes_kept_per_token
        for layer in transformer.layers
        for term in layer.memory
        if isinstance(term, Cache)
    )


def window_bytes_per_sequence(transformer: Transformer, context_tokens: float = math.inf) -> float:
    """Return the bytes of one sequence's windows and chunks, full ones unless the context is shorter."""
    return sum(
        layer.count * min(context_tokens, term.limit) * term.bytes_per_entry
        for layer in transformer.layers
        for term in layer.memory
        if isinstance(term, Cache) and term.reach in {Reach.WINDOW, Reach.CHUNK}
    )


def state_bytes_per_sequence(transformer: Transformer) -> float:
    """Return the bytes of one sequence's recurrent states, convolution states included."""
    return sum(
        layer.count * term.state_bytes
        for layer in transformer.layers
        for term in layer.memory
        if isinstance(term, Recurrence)
    )


def largest_batch(free_bytes: float, bytes_per_sequence: float) -> int:
    """Return how many sequences fit into what weights and reserve leave; 0 where none does."""
    if free_bytes <= 0.0 or not bytes_per_sequence > 0.0:
        return 0
    return int(free_bytes // bytes_per_sequence)
