"""Work of a pass: limits, identities and monotonicity."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.typing import NDArray

from roofline_app.model.terms import Cache, Experts, Layer, Projection, Reach, Recurrence, Transformer
from roofline_app.timing.experts import distinct_experts
from roofline_app.timing.workload import experts_touched, pass_tokens, work

Floats = NDArray[np.float64]
counts = st.integers(1, 4096)
queries = st.integers(1, 65)
contexts = st.integers(0, 1_048_576)


def _one(layer: Layer, *, batch: float = 1, query: float = 1, context: float = 4096) -> tuple[float, float]:
    """Return bytes and FLOPs of a one-layer model's pass."""
    parts = work(Transformer(layers=(layer,)), pass_tokens(batch=batch, query_tokens=query, context_tokens=context))
    moved = sum(float(part.count * part.bytes) for part in parts)
    return moved, sum(float(part.count * amount) for part in parts for _, amount in part.flops)


def _cached(cache: Cache | Recurrence) -> Layer:
    return Layer(count=1, memory=(cache,))


WEIGHTS = Projection(parameters=1e6, bytes_per_parameter=2.0, format="bf16")
DENSE = Layer(count=1, feed_forward=(replace(WEIGHTS, parameters=8e6),))
FULL = Cache(bytes_per_entry=512.0, flops_per_entry=4096.0, format="bf16", bytes_written_per_token=512.0)


def _moe(experts_per_token: int) -> Layer:
    experts = Experts(
        experts=8,
        experts_per_token=experts_per_token,
        parameters_per_expert=1e6,
        bytes_per_parameter=2.0,
        format="bf16",
    )
    return Layer(count=1, feed_forward=(experts,))


@given(counts, queries)
def test_experts_that_are_all_used_are_a_dense_layer(batch: int, query: int) -> None:
    assert _one(_moe(8), batch=batch, query=query) == _one(DENSE, batch=batch, query=query)


def test_one_token_touches_exactly_its_experts() -> None:
    for used in (1, 2, 7, 8):
        assert float(distinct_experts(8, used, 1)) == pytest.approx(used, rel=1e-14)


@given(counts, st.integers(1, 8))
def test_no_more_experts_are_touched_than_there_are(tokens: int, used: int) -> None:
    touched = float(distinct_experts(8, used, tokens))
    assert used - 1e-12 <= touched <= 8.0


@given(counts, queries)
def test_weights_are_read_once_however_many_tokens(batch: int, query: int) -> None:
    layer = Layer(count=1, projections=(WEIGHTS,))
    moved, flops = _one(layer, batch=batch, query=query)
    assert moved == 2e6
    assert flops == 2e6 * batch * query


@given(queries, contexts)
def test_a_cache_is_read_once_per_sequence_not_per_query_token(query: int, context: int) -> None:
    moved, flops = _one(_cached(FULL), query=query, context=context)
    assert moved == 512.0 * context + 512.0 * query
    assert flops == 4096.0 * context * query


@given(queries, contexts)
def test_a_window_never_reads_more_than_its_size_and_the_draft(query: int, context: int) -> None:
    window = replace(FULL, reach=Reach.WINDOW, limit=128, bytes_written_per_token=0.0)
    moved, flops = _one(_cached(window), query=query, context=context)
    assert moved == 512.0 * min(context, 127 + query)
    assert flops == 4096.0 * min(context, 128) * query


@pytest.mark.parametrize("reach", [Reach.WINDOW, Reach.CHUNK, Reach.SELECTED])
def test_a_limit_beyond_the_context_is_full_attention(reach: Reach) -> None:
    limited = replace(FULL, reach=reach, limit=10**9)
    assert _one(_cached(limited), query=5) == _one(_cached(FULL), query=5)


def test_selection_reads_what_one_query_attends_and_at_most_everything() -> None:
    selected = replace(FULL, reach=Reach.SELECTED, limit=1024, bytes_written_per_token=0.0)
    assert _one(_cached(selected))[0] == pytest.approx(512.0 * 1024, rel=1e-12)
    assert _one(_cached(selected), query=10_000)[0] == pytest.approx(512.0 * 4096, rel=1e-12)


def test_compressed_entries_count_whole_ones() -> None:
    compressed = replace(FULL, tokens_per_entry=128, bytes_written_per_token=0.0)
    assert _one(_cached(compressed), context=127) == (0.0, 0.0)
    assert _one(_cached(compressed), context=256) == (1024.0, 8192.0)


def test_plain_decoding_reads_and_writes_a_state_once() -> None:
    state = Recurrence(state_bytes=1000.0, flops_per_token=10.0, format="bf16")
    assert _one(_cached(state)) == (2000.0, 10.0)
    assert _one(_cached(state), query=4, batch=3) == (15_000.0, 120.0)


BROAD = Transformer(
    layers=(
        Layer(count=3, projections=(WEIGHTS,), memory=(FULL,), router=(WEIGHTS,), other_bytes=64.0),
        replace(_moe(2), count=2),
        _cached(Recurrence(state_bytes=1e5, flops_per_token=1e5, format="bf16")),
        _cached(replace(FULL, reach=Reach.SELECTED, limit=64, tokens_per_entry=4)),
    ),
    head=(WEIGHTS,),
    embedding_bytes_per_token=128.0,
    other_bytes=32.0,
)


def _totals(batch: object, query: object, context: object) -> tuple[Floats, Floats]:
    tokens = pass_tokens(batch=batch, query_tokens=query, context_tokens=context)  # type: ignore[arg-type]
    parts = work(BROAD, tokens)
    moved = sum((part.count * part.bytes for part in parts), np.zeros(()))
    flops = sum((part.count * amount for part in parts for _, amount in part.flops), np.zeros(()))
    return moved, flops


def test_broadcasting_equals_looping() -> None:
    batches, widths, lengths = [1, 3, 64, 4096], [1, 2, 17], [0, 100, 5000]
    together = _totals(np.reshape(batches, (4, 1, 1)), np.reshape(widths, (3, 1)), np.array(lengths))
    for i, batch in enumerate(batches):
        for j, query in enumerate(widths):
            for k, context in enumerate(lengths):
                alone = _totals(batch, query, context)
                assert together[0][i, j, k] == alone[0]
                assert together[1][i, j, k] == alone[1]


@given(counts, queries, contexts)
def test_more_of_anything_is_never_less_work(batch: int, query: int, context: int) -> None:
    here = _totals(batch, query, context)
    for more in ((batch + 1, query, context), (batch, query + 1, context), (batch, query, context + 1)):
        there = _totals(*more)
        # Expected distinct entries of a selection may round down by one unit in the last place.
        assert there[0] >= here[0] * (1 - 1e-12)
        assert there[1] >= here[1]


def test_touched_experts_are_averaged_over_moe_layers_only() -> None:
    tokens = pass_tokens(batch=2, query_tokens=1, context_tokens=0)
    assert float(experts_touched(BROAD, tokens)) == pytest.approx(8 * (1 - 0.75**2))
    assert float(experts_touched(Transformer(layers=(DENSE,)), tokens)) == 0.0


@pytest.mark.parametrize(
    ("counts_given", "field"),
    [
        ({"batch": 0, "query_tokens": 1, "context_tokens": 1}, "batch"),
        ({"batch": 1, "query_tokens": 0, "context_tokens": 1}, "query_tokens"),
        ({"batch": 1, "query_tokens": 1, "context_tokens": -1}, "context_tokens"),
        ({"batch": float("nan"), "query_tokens": 1, "context_tokens": 1}, "batch"),
    ],
)
def test_impossible_counts_are_refused_by_name(counts_given: dict[str, float], field: str) -> None:
    batch, query, context = (counts_given[name] for name in ("batch", "query_tokens", "context_tokens"))
    with pytest.raises(ValueError, match=field):
        pass_tokens(batch=batch, query_tokens=query, context_tokens=context)
