"""Memory and economics: identities."""

from __future__ import annotations

import pytest

from roofline_app.economics import rates
from roofline_app.memory import largest_batch


@pytest.mark.parametrize(
    ("free", "each", "expected"),
    [(100.0, 10.0, 10), (99.9, 10.0, 9), (9.0, 10.0, 0), (-5.0, 10.0, 0), (100.0, 0.0, 0)],
)
def test_largest_batch(free: float, each: float, expected: int) -> None:
    assert largest_batch(free, each) == expected


def test_a_node_hour_buys_what_the_node_makes_in_an_hour() -> None:
    found = rates("any", tokens_per_second_per_user=100.0, batch=32, gpus=8, usd_per_gpu_hour=6.25)
    tokens_per_hour = found.tokens_per_second_per_node * 3600
    assert found.usd_per_million_tokens == pytest.approx(8 * 6.25 / tokens_per_hour * 1e6)
    assert found.tokens_per_second_per_gpu * 8 == found.tokens_per_second_per_node == 3200.0


def test_without_a_price_there_is_no_cost() -> None:
    found = rates("any", tokens_per_second_per_user=100.0, batch=32, gpus=8, usd_per_gpu_hour=None)
    assert found.usd_per_million_tokens is None
