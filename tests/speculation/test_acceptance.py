"""Acceptance: limits, identities and published lengths."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from roofline_app.speculation.acceptance import (
    acceptance_of_length,
    constant_survival,
    listed_survival,
    tokens_per_round,
)

chances = st.floats(0.0, 1.0)
lengths = st.integers(1, 64)


def _tokens(acceptance: float, draft_tokens: int) -> float:
    return float(tokens_per_round(constant_survival(acceptance, draft_tokens))[-1])


def test_no_acceptance_commits_the_bonus_token_alone() -> None:
    assert tokens_per_round(constant_survival(0.0, 16)).tolist() == [1.0] * 17


def test_full_acceptance_commits_every_draft_token_and_the_bonus() -> None:
    assert tokens_per_round(constant_survival(1.0, 64)).tolist() == list(np.arange(1.0, 66.0))


@pytest.mark.parametrize(
    ("acceptance", "draft_tokens", "tokens"),
    [
        # Leviathan et al. 2023, figure 2 region; the article's "about 3" and "about 8".
        pytest.param(0.75, 4, 3.05, id="article, autoregressive, 4 drafts"),
        pytest.param(0.89, 16, 7.84, id="article, block of 16"),
    ],
)
def test_published_tokens_per_round(acceptance: float, draft_tokens: int, tokens: float) -> None:
    assert _tokens(acceptance, draft_tokens) == pytest.approx(tokens, abs=5e-3)


def test_doublewords_survival_gives_their_accepted_drafts() -> None:
    # Qwen3.6-35B-A3B on SPEED-Bench: 3.0 of 8 MTP drafts commit on average.
    survival = (0.779, 0.583, 0.444, 0.349, 0.279, 0.226, 0.185, 0.155)
    assert tokens_per_round(listed_survival(survival, 8))[-1] - 1.0 == pytest.approx(3.0, abs=5e-3)


@given(chances, lengths)
def test_tokens_per_round_stay_between_one_and_draft_plus_one(acceptance: float, draft_tokens: int) -> None:
    tokens = tokens_per_round(constant_survival(acceptance, draft_tokens))
    assert tokens[0] == 1.0
    assert np.all(np.diff(tokens) >= 0.0)
    assert tokens[-1] <= draft_tokens + 1.0


@given(st.floats(0.0, 0.999), lengths)
def test_finite_sum_is_the_closed_form(acceptance: float, draft_tokens: int) -> None:
    closed = (1.0 - acceptance ** (draft_tokens + 1)) / (1.0 - acceptance)
    assert _tokens(acceptance, draft_tokens) == pytest.approx(closed, rel=1e-11)


@given(chances, lengths)
def test_a_length_solved_back_to_an_acceptance_gives_that_length(acceptance: float, draft_tokens: int) -> None:
    tokens = min(_tokens(acceptance, draft_tokens), draft_tokens + 1.0)
    solved = acceptance_of_length(tokens, draft_tokens)
    assert 0.0 <= solved <= 1.0
    assert _tokens(solved, draft_tokens) == pytest.approx(tokens, rel=1e-9)


def test_extreme_lengths_are_the_extreme_acceptances() -> None:
    assert acceptance_of_length(1.0, 8) == pytest.approx(0.0, abs=1e-12)
    assert acceptance_of_length(9.0, 8) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize(("tokens", "draft_tokens"), [(0.9, 4), (5.1, 4), (float("nan"), 4), (1.5, 0)])
def test_impossible_lengths_are_refused(tokens: float, draft_tokens: int) -> None:
    with pytest.raises(ValueError, match="tokens per round cannot come from"):
        acceptance_of_length(tokens, draft_tokens)


def test_nothing_is_accepted_beyond_the_last_measured_position() -> None:
    assert tokens_per_round(listed_survival((0.8, 0.5), 5)).tolist() == pytest.approx([1, 1.8, 2.3, 2.3, 2.3, 2.3])
