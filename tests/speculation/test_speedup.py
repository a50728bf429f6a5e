"""Speculation: limits of the speedup and of the best draft length."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.typing import NDArray

from roofline_app.speculation.acceptance import constant_survival, tokens_per_round
from roofline_app.speculation.drafting import relative_drafting_seconds
from roofline_app.speculation.speedup import best_draft_tokens, speedup

Floats = NDArray[np.float64]
CAP = 16
STEP = np.array(0.005)


def _speedup(acceptance: float, cost: float, *, block: int = 1, growth: float = 0.0) -> Floats:
    draft = np.arange(CAP + 1)
    return speedup(
        tokens_per_round(constant_survival(acceptance, CAP)),
        step_seconds=STEP,
        verifying_seconds=STEP * (1.0 + growth * draft),
        drafting_seconds=relative_drafting_seconds(draft, cost=cost, block=block, step_seconds=STEP),
    )


@given(st.floats(0, 1), st.floats(0, 2), st.floats(0, 2))
def test_an_empty_draft_is_plain_decoding_to_the_last_digit(acceptance: float, cost: float, growth: float) -> None:
    assert _speedup(acceptance, cost, growth=growth)[0] == 1.0


@given(st.floats(0, 1), st.floats(0, 2), st.floats(0, 2))
def test_speedup_never_exceeds_draft_plus_one(acceptance: float, cost: float, growth: float) -> None:
    assert np.all(_speedup(acceptance, cost, growth=growth) <= np.arange(CAP + 1) + 1.0 + 1e-12)


def test_free_drafts_and_free_verifying_are_the_toy_model() -> None:
    assert _speedup(0.8, 0.0) == pytest.approx(tokens_per_round(constant_survival(0.8, CAP)), rel=1e-14)


@pytest.mark.parametrize(
    ("acceptance", "cost", "expected"),
    [
        # Leviathan et al. 2023, corollary 3.9: one draft token gains (1 + α) / (1 + c), and nothing gains if α <= c.
        pytest.param(0.8, 0.1, 1.8 / 1.1, id="gains"),
        pytest.param(0.3, 0.5, 1.3 / 1.5, id="loses"),
    ],
)
def test_one_draft_token(acceptance: float, cost: float, expected: float) -> None:
    assert _speedup(acceptance, cost)[1] == pytest.approx(expected, rel=1e-14)


def test_acceptance_below_cost_never_pays() -> None:
    assert int(best_draft_tokens(_speedup(0.3, 0.31))) == 0


def test_ties_go_to_the_shorter_draft() -> None:
    assert int(best_draft_tokens(np.array([1.0, 2.0, 2.0, 1.5]))) == 1
    assert best_draft_tokens(np.array([[1.0, 1.0], [1.0, 3.0]])).tolist() == [0, 1]


def test_a_block_is_paid_when_it_is_started() -> None:
    seconds = relative_drafting_seconds([0, 1, 16, 17, 32, 33], cost=0.1, block=16, step_seconds=1.0)
    assert seconds == pytest.approx([0.0, 0.1, 0.1, 0.2, 0.2, 0.3])


def test_a_block_of_one_is_paid_per_token() -> None:
    assert relative_drafting_seconds([0, 1, 5], cost=0.1, block=1, step_seconds=2.0) == pytest.approx([0.0, 0.2, 1.0])
