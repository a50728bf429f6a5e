"""A drafter's learning curve: what each amount of training earns, and where it is best to stop."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from roofline_app import decode, encode, evaluate
from roofline_app.page.figures.payoff.view import payoff_table, payoff_words
from roofline_app.results import Learning

LINE = "drafter=block,acceptance=0.7,cost=0.1,block=16&price=2"


def _learning(curve: str, more: str = "traffic=1e10") -> Learning:
    learning = evaluate(decode(f"{LINE}&learning={curve}&{more}").scenario).learning
    assert learning is not None
    return learning


def test_a_point_earns_what_the_payoff_of_that_training_is() -> None:
    evaluation = evaluate(decode(f"{LINE}&learning=0:3;5e4:6&traffic=1e10&after=6&training=5e4").scenario)
    assert evaluation.payoff is not None
    assert evaluation.learning is not None
    point = evaluation.learning.points[1]
    assert point.usd_saved_per_day == pytest.approx(evaluation.payoff.usd_saved_per_day, rel=1e-12)
    assert point.break_even_days == pytest.approx(evaluation.payoff.break_even_days, rel=1e-12)
    assert point.speedup == pytest.approx(evaluation.payoff.speedup[1], rel=1e-12)


def test_samples_count_as_what_they_cost() -> None:
    samples, dollars = (decode(f"learning={curve}").scenario for curve in ("0.02@0:3;1e6:4", "0:3;20000:4"))
    assert samples.learning == dollars.learning == ((0.0, 3.0), (20000.0, 4.0))
    assert "learning=0:3;20000:4" in encode(samples)


@given(
    horizon=st.floats(1, 2000),
    tokens=st.tuples(st.floats(3.2, 5), st.floats(0, 3), st.floats(0, 3)),
    traffic=st.floats(1e7, 1e12),
)
def test_no_amount_on_the_curve_earns_more_than_the_one_to_stop_at(
    horizon: float, tokens: tuple[float, float, float], traffic: float
) -> None:
    reached = (tokens[0], tokens[0] + tokens[1], tokens[0] + tokens[1] + tokens[2])
    known = list(zip((0.0, 1e4, 1e5), reached, strict=True))
    curve = ";".join(f"{usd!r}:{value!r}" for usd, value in known)
    learning = _learning(curve, f"traffic={traffic!r}&horizon={horizon!r}")
    most = 0.0 if learning.stop is None else learning.stop.net_usd or 0.0
    for place in (0, 1):
        (spent, before), (more, after) = known[place : place + 2]
        for share in (0.001, 0.2, 0.5, 0.8, 1.0):
            usd, value = spent + share * (more - spent), before + share * (after - before)
            _, point = _learning(f"0:1;{usd!r}:{value!r}", f"traffic={traffic!r}&horizon={horizon!r}").points
            assert (point.net_usd or 0.0) <= most + 1e-9 * (abs(most) + usd + traffic)


def test_longer_service_never_stops_earlier() -> None:
    stops = [_learning("0:3;1e4:5;1e5:6;1e6:6.5", f"traffic=1e9&horizon={days}").stop for days in (1, 30, 365, 3650)]
    spent = [0.0 if stop is None else stop.usd for stop in stops]
    assert spent == sorted(spent)
    assert spent[-1] > spent[0]


def test_without_traffic_there_is_no_moment_to_stop() -> None:
    learning = _learning("0:3;1e4:5", "")
    assert learning.stop is None
    assert {point.net_usd for point in learning.points} == {None}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    ("more", "key"), [("traffic=1e10", "stop"), ("traffic=10", "never"), ("", "asks"), ("traffic=1e10&after=6", "both")]
)
def test_the_figure_says_where_to_stop(more: str, key: str, language: str) -> None:
    evaluation = evaluate(decode(f"{LINE}&learning=0:3;5e4:6&{more}").scenario)
    said, table = payoff_words(evaluation, language), payoff_table(evaluation, language)
    assert evaluation.learning is not None
    assert (evaluation.learning.stop is None) == (key in {"never", "asks"})
    assert ("$" in said) == (key in {"stop", "both"})
    assert sum("$50,000" in row[0] or "$50000" in row[0] for row in table.rows) == 2, table.rows
