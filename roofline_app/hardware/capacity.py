"""Memory: what sequences occupy at a context, and how many of them fit."""

from __future__ import annotations

from roofline_app.model.terms import Cache, Reach, Recurrence, Transformer


def cache_bytes_per_sequence(terms: Transformer, context_tokens: int) -> float:
    """Return the cache bytes of one sequence.

    Args:
        terms: The model.
        context_tokens: Tokens in the sequence's cache.

    Returns:
        Bytes of what grows with every token, and of windows and chunks as far as the context fills them.
    """
    total = 0.0
    for layer in terms.layers:
        for term in layer.memory:
            if isinstance(term, Recurrence):
                continue
            total += layer.count * _cache_bytes(term, context_tokens)
    return total


def _cache_bytes(cache: Cache, context_tokens: int) -> float:
    if cache.reach in {Reach.WINDOW, Reach.CHUNK}:
        return min(context_tokens, cache.limit) * cache.bytes_per_entry
    return context_tokens * cache.bytes_kept_per_token


def stored_sequences(batch: int, groups: int) -> int:
    """Return the sequences that memory must hold: those of the busiest group of GPUs, times the groups."""
    return groups * -(-batch // groups)


def largest_batch(free_bytes: float, bytes_per_sequence: float, *, groups: int = 1) -> int:
    """Return the number of sequences that fit beside weights and reserve; 0 if none does.

    Args:
        free_bytes: Of the node.
        bytes_per_sequence: Of the target and the drafter.
        groups: Groups of GPUs that the sequences are split over, each with its share of what is free.
    """
    if free_bytes <= 0.0 or not bytes_per_sequence > 0.0:
        return 0
    return groups * int(free_bytes // (groups * bytes_per_sequence))
