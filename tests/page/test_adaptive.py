"""The figure of adaptive verification: the library's values, the finding in words, its boxes, and its edges."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from page_samples import HOSTILE, HOSTILE_LINK, chart, source, work_out
from shown import offered_file

from roofline_app.evaluation import adaptive, evaluate
from roofline_app.page.figures.adaptive.view import WAYS
from roofline_app.page.page import Page
from roofline_app.page.posters import poster
from roofline_app.query import decode
from roofline_app.results import VerifiedRounds

SMALL = "model=qwen3-8b&gpu=h100-sxm&gpus=1&batch=24"
SPREAD = f"{SMALL}&drafter=mtp&drafter=block,spread=0.3"
TREE = f"{SMALL}&drafter=eagle3,topk=4,verified=15"


def _worked_out(link: str) -> Page:
    page = Page(link)
    work_out(page, "adaptive")
    return page


def _note(page: Page) -> str:
    return str(page.state()["notes"]["adaptive"])


@pytest.mark.parametrize(("link", "line"), [(SPREAD, 1), (SMALL, 2), (f"{SPREAD}&budget=300", 1)])
def test_curves_are_those_of_the_library(link: str, line: int) -> None:
    page, found = _worked_out(link), adaptive(decode(link).scenario)
    for index, way in enumerate(WAYS):
        data, rounds = source(page, f"adaptive-{index}").data, getattr(found.drafters[line], way)
        assert isinstance(rounds, VerifiedRounds)
        assert list(data["batch"]) == found.batch.tolist()
        assert data["speedup"] == pytest.approx(rounds.speedup, rel=1e-12)
        assert np.array_equal(data["draft_tokens"], rounds.draft_tokens)
        assert data["verified_tokens"] == pytest.approx(rounds.verified_tokens, rel=1e-12)


def test_the_finding_is_said_in_words() -> None:
    said = _note(_worked_out(SPREAD))
    (line,) = adaptive(decode(f"{SMALL}&drafter=block,spread=0.3").scenario).drafters
    assert line.adaptive is not None
    gain = float((line.adaptive.speedup / line.by_batch.speedup).max()) - 1.0
    assert f"adaptive verification brings +{round(100 * gain)}% over the best length there" in said
    assert "all requests look alike" in _note(_worked_out(SMALL))
    assert "all requests look alike" in _note(_worked_out(f"{SMALL}&drafter=block,spread=0.3,confidence=0"))
    assert "less than half a percent" in _note(_worked_out(f"{SMALL}&drafter=mtp,acceptance=0.9,spread=0.0001"))


def test_a_tree_shows_whole_drafts_alone() -> None:
    page = _worked_out(TREE)
    lengths = [len(source(page, f"adaptive-{index}").data["batch"]) for index in range(4)]
    assert lengths == [14, 14, 0, 0]
    assert "drafts a tree" in _note(page)
    assert [field["key"] for field in page.state()["adaptive"]] == ["budget"]


def test_boxes_change_the_line_that_is_shown() -> None:
    page = Page(SMALL)
    page.handle("field", {"form": "adaptive", "field": "spread", "value": "0.3"})
    assert page.controls.scenario.drafters[2].spread == 0.3
    page.handle("field", {"form": "adaptive", "field": "confidence", "value": "0.5"})
    page.handle("field", {"form": "adaptive", "field": "budget", "value": "1,024"})
    scenario = page.controls.scenario
    assert (scenario.drafters[2].confidence, scenario.budget) == (0.5, 1024)
    page.handle("field", {"form": "adaptive", "field": "spread", "value": "much"})
    assert page.controls.scenario.drafters[2].spread == 0.3
    assert "much" in page.state()["notices"][0]
    page.handle("field", {"form": "adaptive", "field": "budget", "value": ""})
    assert page.controls.scenario.budget is None


def test_a_tree_takes_the_spread_from_its_line() -> None:
    page = Page(f"{SMALL}&drafter=eagle3,spread=0.3,confidence=0.5")
    page.handle("field", {"form": "line-0", "field": "topk", "value": "4"})
    line = page.controls.scenario.drafters[0]
    assert (line.topk, line.spread, line.confidence) == (4, 0.0, 1.0)


def test_table_and_file_hold_the_same_batches() -> None:
    page = _worked_out(SPREAD)
    page.handle("table", {"figure": "adaptive", "open": True})
    page.handle("working", {"figure": "adaptive", "open": True})
    page.handle("save", {"figure": "adaptive", "kind": "csv"})
    table, working = page.state()["tables"]["adaptive"], page.state()["workings"]["adaptive"]
    rows = list(csv.DictReader(io.StringIO(offered_file(page)["text"])))
    assert table["header"][:3] == ["batch", "fixed", "fixed: verified drafts"]
    assert [row[0].replace(",", "") for row in table["rows"]] == [row["batch"] for row in rows if row["way"] == "fixed"]
    assert {row["way"] for row in rows} == set(WAYS)
    assert "0.3 · m(1 − m)" in working[0]["text"]
    assert len(working) == 6


def test_another_line_does_not_take_the_values_of_the_one_before() -> None:
    page = _worked_out(SPREAD)
    assert chart(page, "adaptive").lines[0].glyph.line_alpha == 1
    page.widgets["context"].value = "8k"
    assert chart(page, "adaptive").lines[0].glyph.line_alpha < 1
    assert _note(page) == ""
    page.handle("remove-drafter", 1)
    assert len(source(page, "adaptive-0").data["batch"]) == 0


def test_the_poster_is_whole_and_names_of_users_are_text_in_it() -> None:
    svg = poster(evaluate(decode(SPREAD).scenario), "adaptive", "dark", "zh")
    assert svg.count("<polyline") >= 4
    assert "自适应验证" in svg
    page = _worked_out(HOSTILE_LINK.partition("&")[0])
    assert HOSTILE[:8] not in poster(page.evaluation, "adaptive")
