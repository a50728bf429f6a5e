"""Needed acceptance against batch: the library's values line by line, what never pays, and what is drawn."""

from __future__ import annotations

import csv
import io
import re

import numpy as np
import pytest
from page_samples import HOSTILE, HOSTILE_LINK, chart, shown_of, source, work_out
from shown import offered_file

from roofline_app.evaluation import evaluate, need
from roofline_app.page.figures.look import Shown
from roofline_app.page.page import Page
from roofline_app.page.posters import poster
from roofline_app.query import decode

SMALL = "model=qwen3-8b&gpu=h100-sxm&gpus=1&batch=24"
MIXED = f"{SMALL}&drafter=mtp,cost=physical&drafter=eagle3,cost=3&drafter=block,acceptance=0.8"
NEVER = f"{SMALL}&cap=2&drafter=mtp,cost=4"


def _worked_out(link: str, page: Page | None = None) -> Page:
    page = page or Page(link)
    work_out(page, "need")
    return page


@pytest.mark.parametrize("link", [SMALL, f"{SMALL}&drafter=draft&drafter=draft&drafter=ngram"])
def test_lines_are_those_of_the_library(link: str) -> None:
    page, found = _worked_out(link), need(decode(link).scenario)
    for index, one in enumerate(found.drafters):
        data = source(page, f"need-{index}").data
        assert list(data["batch"]) == found.batch.tolist()
        assert data["acceptance"] == pytest.approx(one.without.acceptance, rel=1e-9, nan_ok=True)
        assert np.array_equal(data["draft_tokens"], one.without.draft_tokens)
        assert np.array_equal(np.isfinite(data["paying"]), one.pays)
        assert set(data["name"]) == {one.name}


def test_rings_stand_at_this_batch_and_at_each_lines_own_acceptance() -> None:
    page = _worked_out(SMALL)
    rings = source(page, "need-now").data
    assert rings["x"] == [24.0] * 3
    assert rings["y"] == [0.99, 0.75, 0.89]
    # The batch stands among the powers of two.
    assert 24 in source(page, "need-0").data["batch"]


def test_a_line_that_cannot_pay_is_said_to_be_one() -> None:
    page = _worked_out(NEVER)
    page.handle("table", {"figure": "need", "open": True})
    page.handle("working", {"figure": "need", "open": True})
    assert np.isnan(source(page, "need-0").data["acceptance"]).all()
    assert source(page, "need-now").data["label"] == ["cannot pay"]
    state = page.state()
    assert {row[1] for row in state["tables"]["need"]["rows"]} == {"not even 1"}
    assert "no acceptance is enough" in state["workings"]["need"][1]["text"]
    page.handle("save", {"figure": "need", "kind": "csv"})
    rows = list(csv.DictReader(io.StringIO(offered_file(page)["text"])))
    assert {(row["acceptance"], row["tokens_per_round"], row["pays"]) for row in rows} == {("", "", "False")}
    svg = poster(evaluate(decode(NEVER).scenario), "need")
    assert "cannot pay" in svg
    assert "needed acceptance not even 1, its own 0.75" in svg


def test_what_cannot_pay_at_some_batches_leaves_a_gap() -> None:
    # More experts per verifying pass make it cost most in the middle.
    link = "cap=2&drafter=mtp,cost=0.35"
    never = np.isnan(source(_worked_out(link), "need-0").data["acceptance"])
    assert never.any()
    assert not never[[0, -1]].any()
    svg = poster(evaluate(decode(link).scenario), "need")
    assert "nan" not in svg
    lines = re.findall(r'<polyline points="([^"]*)" fill="none" stroke="#(?!8b929a)', svg)
    assert sum(len(points.split()) for points in lines) == len(never) - never.sum()
    assert len(lines) == 2


def test_table_and_file_hold_the_same_batches() -> None:
    page = _worked_out(SMALL)
    page.handle("table", {"figure": "need", "open": True})
    page.handle("save", {"figure": "need", "kind": "csv"})
    table = page.state()["tables"]["need"]
    rows = list(csv.DictReader(io.StringIO(offered_file(page)["text"])))
    assert table["header"][:4] == [
        "batch",
        "Ideal: needed acceptance",
        "Ideal: own acceptance",
        "Ideal: draft length there",
    ]
    own = [row for row in rows if row["drafter"] == "MTP"]
    assert [row[0].replace(",", "") for row in table["rows"]] == [row["batch"] for row in own]
    assert [float(row[4]) for row in table["rows"]] == pytest.approx(
        [float(row["acceptance"]) for row in own], abs=0.005
    )


def test_it_waits_until_it_is_seen_and_another_setting_pales_it() -> None:
    page = Page(SMALL)
    assert page.state()["pending"]["need"]["waits"] == 0
    assert work_out(page, "need") == 3
    assert chart(page, "need").lines[0].glyph.line_alpha == 1
    page.widgets["context"].value = "8k"
    assert page.state()["pending"]["need"]["waits"] == 3
    assert chart(page, "need").lines[0].glyph.line_alpha < 1
    assert len(source(page, "need-0").data["batch"]) == 14
    work_out(page, "need")
    assert chart(page, "need").lines[0].glyph.line_alpha == 1


def test_another_drafter_does_not_take_the_values_of_the_one_before() -> None:
    page = _worked_out(SMALL)
    page.handle("remove-drafter", 0)
    assert page.state()["pending"]["need"]["waits"] == 2
    assert len(source(page, "need-0").data["batch"]) == 0


def test_names_of_users_are_text_in_labels_and_posters() -> None:
    page = _worked_out(HOSTILE_LINK.partition("&")[0])
    assert source(page, "need-0").data["name"][0].startswith(HOSTILE[:20])
    assert HOSTILE[:8] not in poster(page.evaluation, "need")


def test_the_poster_is_whole_without_anything_worked_out_before() -> None:
    shown = shown_of(MIXED)
    assert isinstance(shown, Shown)
    svg = poster(shown.evaluation, "need", "dark", "zh")
    assert svg.count("<polyline") >= 3
    assert "无法划算" in svg
