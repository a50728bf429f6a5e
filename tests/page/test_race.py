"""The race is the one of the evaluation, the same for the same link, and worked out only where it is seen."""

from __future__ import annotations

import base64
import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from itertools import groupby
from typing import Any

import pytest
from benchmark_samples import SGLANG_SERVING, VLLM_SERVING
from shown import offered_file, race_of

from roofline_app import query
from roofline_app.evaluation import evaluate
from roofline_app.page.figures.race.view import TOKENS, pieces, race_view
from roofline_app.page.page import Page
from roofline_app.page.posters import poster
from roofline_app.page.protocol import NumberedFile
from roofline_app.speculation.timeline import race
from roofline_app.text import LANGUAGES, sentence


def shown(link: str) -> Any:
    page = Page(link)
    assert page.state()["race"] is None
    page.handle("show", {"figure": "race", "visible": True})
    return race_of(page)


def test_the_race_runs_at_the_rates_of_the_evaluation() -> None:
    evaluation = evaluate(query.decode("").scenario)
    plain, fast = shown("")["columns"]
    assert plain["pauses"] == [evaluation.step.seconds]
    assert set(plain["bursts"]) == {1}
    assert fast["pauses"] == [evaluation.best_drafter.best.seconds_per_round]
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
    assert fast.tokens_per_second == pytest.approx(1000, rel=0.05)
    said = re.search(r"1,000 tok/s would take ([\d.]+) tokens per round", view.note)
    assert said
    assert float(said[1]) == pytest.approx(12.9, rel=0.1)


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
    dark = race_of(page)["columns"][1]["colour"]
    assert dark == page.state()["drafters"][2]["colour"] != shown("")["columns"][1]["colour"]


def dropped(content: dict[str, Any], name: str = "mine.json") -> Page:
    """A page that has seen the race and was given a file."""
    page = Page("")
    page.handle("show", {"figure": "race", "visible": True})
    page.handle("files", [{"name": name, "content": base64.b64encode(json.dumps(content).encode()).decode()}])
    return page


def test_a_readers_run_can_be_raced_in_either_column() -> None:
    page = dropped(VLLM_SERVING)
    before = race_of(page)
    assert [column["run"] for column in before["columns"]] == [-1, -1]
    assert before["runs"] == ["mine.json: vLLM, batch 8, 1152 tokens of context, 3 draft tokens"]
    assert any("1 of these runs can be replayed" in notice for notice in page.state()["notices"])
    page.handle("race", {"column": 1, "run": 0})
    after = race_of(page)
    left, right = after["columns"]
    assert left == before["columns"][0]
    assert right["pauses"] == [0.01, 0.012, 0.009]
    assert sum(right["bursts"]) == 8
    assert right["rate"] == "258 tok/s"
    assert "request 1 of 3, the one of median speed" in after["note"]
    assert "2.67 tokens on average" in after["note"]
    page.handle("race", {"column": 1, "run": -1})
    assert race_of(page)["columns"] == before["columns"]


def test_a_chunk_whose_time_was_shared_out_comes_at_once() -> None:
    page = dropped({**SGLANG_SERVING, "itls": [[0.004] * 3 + [0.0125] + [0.006] * 2], "output_lens": [7]})
    page.handle("race", {"column": 0, "run": 0})
    column = race_of(page)["columns"][0]
    assert column["bursts"] == [3, 1, 2]
    assert column["pauses"] == pytest.approx([0.012, 0.0125, 0.012])
    assert column["finished"] == "6 tokens in 36.5 ms"


def test_runs_that_are_removed_leave_the_computed_columns() -> None:
    page = dropped(VLLM_SERVING)
    before = race_of(page)["columns"]
    page.handle("race", {"column": 0, "run": 0})
    page.handle("clear-points", None)
    assert race_of(page)["columns"] == before
    assert race_of(page)["runs"] == []


@pytest.mark.parametrize(
    "wish", [None, 3, {}, {"column": 2, "run": 0}, {"column": 0, "run": "0"}, {"column": 0, "run": 99}]
)
def test_a_choice_that_is_none_changes_nothing(wish: object) -> None:
    page = dropped(VLLM_SERVING)
    before = race_of(page)
    page.handle("race", wish)
    assert page.state()["race"] == before


def saved(page: Page, kind: str) -> NumberedFile:
    """The race's file of a kind, as the page hands it over."""
    page.handle("save", {"figure": "race", "kind": kind})
    file = offered_file(page)
    assert file["name"] == f"speculation-roofline-race.{kind}"
    return file


def columns(page: Page) -> list[list[dict[str, str]]]:
    """Rows of each column in the race's CSV."""
    rows = csv.DictReader(io.StringIO(saved(page, "csv")["text"]))
    return [list(group) for _, group in groupby(rows, lambda row: row["column"])]


@pytest.mark.parametrize("link", ["", "preset=122b-race", "preset=loses&seed=5"])
def test_the_file_of_the_race_holds_when_every_token_is_there(link: str) -> None:
    page = Page(link)
    evaluation = page.evaluation
    plain, fast = columns(page)
    assert [float(row["seconds"]) for row in plain] == pytest.approx(
        [evaluation.step.seconds * token for token in range(1, TOKENS + 1)]
    )
    best = evaluation.best_drafter.best
    for rows, most in ((plain, 1), (fast, best.draft_tokens + 1)):
        bursts = [int(row["burst_tokens"]) for row in rows]
        assert all(1 <= burst <= most for burst in bursts)
        assert [int(row["tokens"]) for row in rows] == [sum(bursts[: end + 1]) for end in range(len(bursts))]
        assert sum(bursts) == TOKENS
    assert float(fast[-1]["seconds"]) == pytest.approx(len(fast) * best.seconds_per_round)
    assert fast[0]["name"] == evaluation.best_drafter.name


def test_the_races_json_says_its_setting_and_seed_and_holds_what_its_csv_holds() -> None:
    page = Page("preset=122b-race&seed=7")
    content = json.loads(saved(page, "json")["text"])
    assert "seed=7" in content["query"]
    assert content["query"] == page.state()["query"]
    told = [{key: str(value) for key, value in row.items()} for row in content["rows"]]
    assert told == [row for column in columns(page) for row in column]


@pytest.mark.parametrize("kind", ["svg", "png"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_races_pictures_are_its_poster_and_only_the_drawing_moves(kind: str, theme: str) -> None:
    page = Page("preset=122b-race", theme)
    drawn = saved(page, kind)["text"]
    expected = poster(page.evaluation, "race", theme)
    if kind == "svg":
        assert drawn == expected
    else:
        assert "animation" not in drawn
        words = [element.text for element in ET.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text")]
        moving = [element.text for element in ET.fromstring(expected).iter("{http://www.w3.org/2000/svg}text")]
        assert words == [text for text in moving if text and not text.startswith("Slowed down")]


def test_a_readers_run_is_in_the_files_and_its_name_stays_text() -> None:
    page = dropped(VLLM_SERVING, name="<b>" + "long " * 20 + ".json")
    page.handle("race", {"column": 1, "run": 0})
    _, own = columns(page)
    assert [float(row["seconds"]) for row in own] == pytest.approx([0.01, 0.022, 0.031])
    assert own[0]["name"].startswith("<b>long")
    for kind in ("svg", "png"):
        drawn = saved(page, kind)["text"]
        words = [element.text or "" for element in ET.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text")]
        (name,) = [text for text in words if text.startswith("<b>")]
        assert name.endswith("…")
        assert len(name) < 50
        assert "8 tokens in 31.0 ms" in words
        assert "258 tok/s" in words


def test_there_are_no_other_files_of_the_race() -> None:
    page = Page("")
    page.handle("save", {"figure": "race", "kind": "exe"})
    assert page.state()["file"] is None


def test_the_race_has_a_table_while_it_is_open() -> None:
    page = Page("")
    page.handle("table", {"figure": "race", "open": True})
    rows = page.state()["tables"]["race"]["rows"]
    assert [row[0] for row in rows] == ["Plain decoding", "Ideal", "MTP", "Block"]
    assert page.state()["mark_tables"]["race"]["rows"] == [
        ["Plain decoding", "320", "1.84 s", "174 tok/s"],
        ["Block", "320", "631 ms", "522 tok/s"],
    ]
    page.handle("table", {"figure": "race", "open": False})
    assert page.state()["tables"] == page.state()["mark_tables"] == {}


def test_the_races_table_says_what_a_readers_run_wrote() -> None:
    page = dropped(VLLM_SERVING)
    page.handle("table", {"figure": "race", "open": True})
    page.handle("race", {"column": 0, "run": 0})
    own, computed = page.state()["mark_tables"]["race"]["rows"]
    assert own[0].startswith("mine.json")
    assert own[1:] == ["8", "31.0 ms", "258 tok/s"]
    assert computed[0] == "Block"


def test_a_file_with_times_that_are_none_is_refused_by_name_and_offers_nothing() -> None:
    page = dropped({**VLLM_SERVING, "itls": [[0.01, -0.5]]}, name="<b>.json")
    assert race_of(page)["runs"] == []
    assert any("itls.0.1: -0.5 is impossible" in notice for notice in page.state()["notices"])
