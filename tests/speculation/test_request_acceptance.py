"""Requests that differ: moments of the Beta distribution, and classes whose mean is what was stated."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from roofline_app.speculation.acceptance import acceptance_of_length, constant_survival
from roofline_app.speculation.request_acceptance import (
    POINTS,
    request_acceptances,
    request_survival,
    spread_survival,
)

CHANCES = st.floats(0.0, 1.0)
# Beyond, rounding in the rule shows: the classes are two in all but name.
SPREADS = st.floats(0.0, 0.999)


@given(CHANCES, SPREADS)
@example(0.75, 0.0)
def test_the_rule_has_the_moments_of_the_distribution(mean: float, spread: float) -> None:
    points, share = request_acceptances(mean, spread)
    assert np.all(share >= 0.0)
    assert share.sum() == pytest.approx(1.0, abs=1e-12)
    stated = spread_survival(mean, spread, 2 * POINTS - 1)
    found = [float(share @ points**power) for power in range(1, 2 * POINTS)]
    assert found == pytest.approx(stated, rel=1e-9, abs=1e-12)


@given(CHANCES, SPREADS)
def test_the_variance_is_the_spread_of_the_largest_possible(mean: float, spread: float) -> None:
    points, share = request_acceptances(mean, spread)
    variance = float(share @ (points - share @ points) ** 2)
    assert variance == pytest.approx(spread * mean * (1.0 - mean), rel=1e-8, abs=1e-12)


def test_without_a_spread_survival_is_a_power_and_with_all_of_it_constant() -> None:
    assert spread_survival(0.8, 0.0, 16) == pytest.approx(constant_survival(0.8, 16), rel=1e-15)
    assert spread_survival(0.8, 1.0, 16).tolist() == [0.8] * 16
    assert spread_survival(0.8, 0.3, 0).size == 0


@given(CHANCES, st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_requests_that_differ_more_commit_more(mean: float, one: float, other: float) -> None:
    """Jensen's inequality: a power is convex."""
    less, more = (spread_survival(mean, spread, 20).sum() for spread in sorted((one, other)))
    assert less <= more * (1 + 1e-12)


@given(st.lists(CHANCES, min_size=1, max_size=64), st.floats(0.0, 1.0))
@example([0.9, 0.9, 0.9], 0.5)
@example([0.5, 0.0], 0.5)
@example([1.0, 0.2], 0.7)
def test_classes_have_the_stated_mean_and_fall(survival: list[float], spread: float) -> None:
    stated = np.array(sorted(survival, reverse=True))
    found = request_survival(stated, spread)
    assert found.mean == pytest.approx(stated, rel=1e-6, abs=1e-9)
    assert np.all(np.diff(found.survival, axis=-1) <= 1e-15)
    assert np.all((found.survival >= 0.0) & (found.survival <= 1.0 + 1e-15))


@given(st.floats(0.01, 0.99), st.floats(0.0, 0.9))
def test_a_constant_acceptance_has_requests_with_constant_acceptances(mean: float, spread: float) -> None:
    found = request_survival(spread_survival(mean, spread, 12), spread)
    powers = found.survival[:, :1] ** np.arange(1, 13)
    assert found.survival == pytest.approx(powers, rel=1e-6, abs=1e-9)


@given(st.floats(1.0, 9.0), st.floats(0.0, 1.0))
def test_a_length_is_that_of_all_requests(length: float, spread: float) -> None:
    chance = acceptance_of_length(length, 8, spread)
    assert 1.0 + spread_survival(chance, spread, 8).sum() == pytest.approx(length, rel=1e-9)
