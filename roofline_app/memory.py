"""Memory: what sequences occupy at a context, and how many of them fit."""

from __future__ import annotations

from roofline_app.blocks import Cache, Reach, Recurrence, Transformer


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


def largest_batch(free_bytes: float, bytes_per_sequence: float) -> int:
    """Return how many sequences fit into what weights and reserve leave; 0 where none does."""
    if free_bytes <= 0.0 or not bytes_per_sequence > 0.0:
        return 0
    return int(free_bytes // bytes_per_sequence)
