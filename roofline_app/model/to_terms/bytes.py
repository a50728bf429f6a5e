"""Bytes that a model takes in memory: weights, and what each sequence and token add."""

from __future__ import annotations

from roofline_app.model.terms import Cache, Experts, Projection, Reach, Recurrence, Transformer


def _term_bytes(term: Projection | Experts) -> float:
    if isinstance(term, Projection):
        return term.parameters * term.bytes_per_parameter
    always = sum(_term_bytes(projection) for projection in term.always)
    return term.experts * term.parameters_per_expert * term.bytes_per_parameter + always


def weight_bytes(terms: Transformer) -> float:
    """Return the bytes of all weights in memory.

    Args:
        terms: The model.

    Returns:
        Bytes, every expert and the input embedding included.
    """
    total = terms.stored_embedding_bytes + terms.other_bytes + sum(_term_bytes(term) for term in terms.head)
    for layer in terms.layers:
        weights = (*layer.projections, *layer.feed_forward, *layer.router)
        total += layer.count * (layer.other_bytes + sum(_term_bytes(term) for term in weights))
    return total


def kv_bytes_per_token(terms: Transformer) -> float:
    """Return the bytes by which a sequence grows with each token.

    Args:
        terms: The model.

    Returns:
        Bytes, indexer keys included, windows and states not.
    """
    return sum(
        layer.count * term.bytes_kept_per_token
        for layer in terms.layers
        for term in layer.memory
        if isinstance(term, Cache)
    )


def window_bytes_per_sequence(terms: Transformer) -> float:
    """Return the bytes of one sequence's full windows and chunks.

    Args:
        terms: The model.

    Returns:
        Bytes that do not grow once the context exceeds the window.
    """
    return sum(
        layer.count * term.limit * term.bytes_per_entry
        for layer in terms.layers
        for term in layer.memory
        if isinstance(term, Cache) and term.reach in {Reach.WINDOW, Reach.CHUNK}
    )


def state_bytes_per_sequence(terms: Transformer) -> float:
    """Return the bytes of one sequence's recurrent states.

    Args:
        terms: The model.

    Returns:
        Bytes, convolution states included.
    """
    return sum(
        layer.count * term.state_bytes
        for layer in terms.layers
        for term in layer.memory
        if isinstance(term, Recurrence)
    )


def buffer_bytes_per_sequence(terms: Transformer) -> float:
    """Return the bytes of one sequence that wait to be compressed; 0 for most models."""
    return sum(layer.count * layer.buffer_bytes for layer in terms.layers)
