"""The race is the one of the evaluation, the same for the same link, and worked out only where it is seen."""

from __future__ import annotations

from typing import Any

import pytest

from roofline_app import query
from roofline_app.evaluation import evaluate
from roofline_app.page.page import Page
from roofline_app.page.views.race import TOKENS, pieces, race_view
from roofline_app.text import LANGUAGES, sentence
from roofline_app.timeline import race
from roofline_app.verdict import best_drafter


def shown(link: str) -> Any:
    page = Page(link)
    assert page.state()["race"] is None
    page.handle("show", {"figure": "race", "visible": True})
    return page.state()["race"]


def test_the_race_runs_at_the_rates_of_the_evaluation() -> None:
    evaluation = evaluate(query.decode("").scenario)
    plain, fast = shown("")["columns"]
    assert plain["pauses"] == [evaluation.step.seconds]
    assert set(plain["bursts"]) == {1}
    assert fast["pauses"] == [best_drafter(evaluation).best.seconds_per_round]
    timeline = race(evaluation, 2, seconds=evaluation.step.seconds * TOKENS, seed=0)
    rounds = min(len(fast["bursts"]), timeline.burst_tokens.size)
    assert fast["bursts"][:rounds] == timeline.burst_tokens[:rounds].tolist()


def test_a_link_plays_the_same_race_again_and_another_seed_another() -> None:
    assert shown("seed=7") == shown("seed=7")
    assert shown("seed=7")["columns"][1]["bursts"] != shown("seed=8")["columns"][1]["bursts"]


@pytest.mark.parametrize("preset", ["loses", "122b-race", "122b-single"])
def test_both_columns_reach_the_end(preset: str) -> None:
    for column in shown(f"preset={preset}")["columns"]:
        assert sum(column["bursts"][:-1]) < TOKENS <= sum(column["bursts"])


def test_the_articles_race_says_how_many_tokens_per_round_its_rate_takes() -> None:
    evaluation = evaluate(query.decode("preset=122b-race").scenario)
    view = race_view(evaluation, 0, "en")
    plain, fast = view.columns
    assert plain.tokens_per_second == pytest.approx(250, rel=0.1)
    assert fast.tokens_per_second > 1000
    assert "1,000 tok/s would take 11.8 per round" in view.note


@pytest.mark.parametrize("preset", ["article", "122b-race", "loses"])
def test_a_column_is_as_fast_as_it_says(preset: str) -> None:
    for column in race_view(evaluate(query.decode(f"preset={preset}").scenario), 0, "en").columns:
        assert column.tokens / column.seconds()[-1] == pytest.approx(column.tokens_per_second, rel=0.1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_text_is_cut_into_tokens_and_nothing_is_lost(language: str) -> None:
    text = sentence("page.race_text", language)
    cut = pieces(text)
    assert "".join(cut) == text
    assert all(0 < len(piece.strip()) <= 6 for piece in cut)


def test_the_colours_of_a_theme_are_those_of_the_drafter() -> None:
    page = Page("", theme="dark")
    page.handle("show", {"figure": "race", "visible": True})
    dark = page.state()["race"]["columns"][1]["colour"]
    assert dark == page.state()["drafters"][2]["colour"] != shown("")["columns"][1]["colour"]
