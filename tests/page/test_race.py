"""The race is the one of the evaluation, the same for the same link, and worked out only where it is seen."""

from __future__ import annotations

from typing import Any

import pytest

from roofline_app import query
from roofline_app.evaluation import evaluate
from roofline_app.page.page import Page
from roofline_app.page.views.race import TOKENS, race_view
from roofline_app.timeline import race
from roofline_app.verdict import best_drafter


def shown(link: str) -> Any:
    page = Page(link)
    assert page.state()["race"] is None
    page.handle("show", {"figure": "race", "visible": True})
    return page.state()["race"]


def test_the_race_runs_at_the_rates_of_the_evaluation() -> None:
    evaluation = evaluate(query.decode("").scenario)
    found = shown("")
    assert found["seconds_per_step"] == evaluation.step.seconds
    assert found["seconds_per_round"] == best_drafter(evaluation).best.seconds_per_round
    timeline = race(evaluation, 2, seconds=found["seconds_per_step"] * TOKENS, seed=0)
    rounds = len(found["burst_tokens"])
    assert list(found["burst_tokens"]) == timeline.burst_tokens[:rounds].tolist()


def test_a_link_plays_the_same_race_again_and_another_seed_another() -> None:
    assert shown("seed=7") == shown("seed=7")
    assert shown("seed=7")["burst_tokens"] != shown("seed=8")["burst_tokens"]


@pytest.mark.parametrize("preset", ["loses", "122b-race", "122b-single"])
def test_both_columns_reach_the_end(preset: str) -> None:
    found = shown(f"preset={preset}")
    assert sum(found["burst_tokens"][:-1]) < TOKENS <= sum(found["burst_tokens"])


def test_the_articles_race_says_how_many_tokens_per_round_its_rate_takes() -> None:
    evaluation = evaluate(query.decode("preset=122b-race").scenario)
    view = race_view(evaluation, 0, "en")
    assert 1 / view.seconds_per_step == pytest.approx(250, rel=0.1)
    best = best_drafter(evaluation).best
    assert best.tokens_per_round / view.seconds_per_round > 1000
    assert "1,000 tok/s would take 11.8 per round" in view.note
