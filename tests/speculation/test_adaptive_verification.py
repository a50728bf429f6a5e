"""Adaptive verification: plans against a search over all choices, and what a drafter cannot know."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, strategies as st

from roofline_app.speculation.adaptive_verification import (
    Plans,
    adaptive_plans,
    best_plan,
    estimated_survival,
    fixed_plans,
)
from roofline_app.speculation.request_acceptance import RequestSurvival, request_survival, spread_survival

FALLING = st.lists(st.floats(0.0, 1.0), min_size=3, max_size=3).map(lambda rates: sorted(rates, reverse=True))


def _requests(survival: list[list[float]]) -> RequestSurvival:
    return RequestSurvival(share=np.full(len(survival), 1.0 / len(survival)), survival=np.array(survival))


@given(st.lists(FALLING, min_size=1, max_size=3))
def test_each_plan_commits_the_most_that_so_many_tokens_can(survival: list[list[float]]) -> None:
    requests = _requests(survival)
    plans = adaptive_plans(requests, 1.0)
    count = len(survival)
    choices = [
        (
            1.0 + sum(depths) / count,
            max(depths),
            1.0 + sum(sum(rates[:depth]) for rates, depth in zip(survival, depths, strict=True)) / count,
        )
        for depths in product(range(4), repeat=count)
    ]
    for draft, query, tokens in zip(plans.draft_tokens, plans.query_tokens, plans.tokens_per_round, strict=True):
        possible = [most for wanted, deepest, most in choices if abs(wanted - query) < 1e-9 and deepest <= draft]
        assert tokens == pytest.approx(max(possible), rel=1e-12)


def test_equal_tokens_are_taken_together() -> None:
    """Requests that look alike leave only whole lengths: a cut between them would tell them apart."""
    alike = _requests([[0.8, 0.5, 0.2]] * 4)
    assert np.unique(adaptive_plans(alike, 1.0).query_tokens).tolist() == [1.0, 2.0, 3.0, 4.0]
    differing = request_survival(spread_survival(0.8, 0.4, 3), 0.4)
    assert np.unique(adaptive_plans(differing, 0.0).query_tokens).tolist() == [1.0, 2.0, 3.0, 4.0]


def test_whole_drafts_are_among_the_plans() -> None:
    requests = request_survival(spread_survival(0.7, 0.3, 6), 0.3)
    plans, fixed = adaptive_plans(requests, 0.6), fixed_plans(requests.mean)
    for draft, query, tokens in zip(fixed.draft_tokens, fixed.query_tokens, fixed.tokens_per_round, strict=True):
        same = (plans.draft_tokens == draft) & (plans.query_tokens == query)
        assert plans.tokens_per_round[same] == pytest.approx([tokens], rel=1e-12)


@given(st.floats(0.05, 0.95), st.floats(0.0, 0.95), st.floats(0.0, 1.0))
def test_estimates_are_right_on_average(mean: float, spread: float, confidence: float) -> None:
    requests = request_survival(spread_survival(mean, spread, 5), spread)
    estimate = estimated_survival(requests, confidence)
    assert requests.share @ estimate == pytest.approx(requests.mean, rel=1e-9)
    true, reported = requests.survival[:, 0], estimate[:, 0]
    deviation = np.sqrt(requests.share @ (true - mean) ** 2)
    # What is expected given the report varies by the correlation times the deviation of the truth.
    assert np.sqrt(requests.share @ (reported - mean) ** 2) == pytest.approx(confidence * deviation, rel=1e-6, abs=1e-9)


def test_the_best_of_all_budgets_is_not_the_first_summit() -> None:
    """A cost that jumps and then stays flat, as of experts that are all touched: the rate falls, then rises again."""
    plans = fixed_plans(np.array([0.9, 0.8, 0.7, 0.6]))
    seconds = np.array([[1.0, 1.5, 2.2, 2.2, 2.2]])
    rates = plans.tokens_per_round / seconds[0]
    assert rates[1] > rates[2] < rates[4]
    assert best_plan(plans, seconds, np.array([[np.inf]])).tolist() == [4]
    assert best_plan(plans, seconds, np.array([[3.0]])).tolist() == [1]


def test_plain_decoding_is_always_possible() -> None:
    plans = Plans(
        draft_tokens=np.array([0, 1]), query_tokens=np.array([1.0, 2.0]), tokens_per_round=np.array([1.0, 1.9])
    )
    assert best_plan(plans, np.array([[1.0, 1.0]]), np.array([[0.5]])).tolist() == [0]
