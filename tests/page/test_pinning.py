"""A pinned setting stays behind the current one, and travels in the link."""

from urllib.parse import quote

import numpy as np
from page_samples import source

from roofline_app.page.page import Page
from roofline_app.query import decode


def test_a_pinned_setting_stays_while_the_current_one_changes(page: Page) -> None:
    page.handle("pin", True)
    before = page.evaluation
    page.widgets["batch"].value = "256"
    assert "DeepSeek-V4 Pro" in page.state()["pinned"]
    assert "compare=" in str(page.state()["query"])
    behind = source(page, "speedup-pinned").data
    assert behind["y"] == [result.speedup.tolist() for result in before.drafters]
    assert source(page, "batch-pinned").data["y"][1] == before.best_by_batch.drafters[1].speedup.tolist()
    assert not np.array_equal(source(page, "speedup-1").data["speedup"], before.drafters[1].speedup)
    page.handle("preset", "dense")
    assert page.state()["preset"] == "dense"
    assert page.state()["pinned"]
    page.handle("pin", False)
    assert page.state()["pinned"] == ""
    assert source(page, "speedup-pinned").data["y"] == []
    assert "compare=" not in str(page.state()["query"])


def test_swapping_twice_is_where_one_was(page: Page) -> None:
    page.handle("swap", None)
    assert page.state()["pinned"] == ""
    page.handle("pin", True)
    page.widgets["context"].value = "64k"
    before = page.state()["query"]
    page.handle("swap", None)
    assert page.evaluation.context == 4096
    page.handle("swap", None)
    assert page.state()["query"] == before


def test_a_link_with_a_pinned_setting_shows_both() -> None:
    page = Page("batch=64&compare=" + quote("model=qwen3-8b&gpus=1&drafter=ngram"))
    page.handle("show", {"figure": "rates", "visible": True})
    assert "Qwen3 8B" in page.state()["pinned"]
    assert source(page, "speedup-pinned").data["name"] == ["Pinned: N-gram"]
    assert len(source(page, "rates-pinned").data["y"]) == 2


def test_three_settings_are_pinned_each_in_its_own_colour_and_a_fourth_takes_the_place_of_the_first() -> None:
    page = Page("batch=1&drafter=mtp")
    for batch in ("2", "4", "4", "8"):
        page.widgets["batch"].value = batch
        page.handle("pin", True)
    assert [decode(pin).scenario.batch for pin in page.controls.scenario.pinned] == [2, 4, 8]
    data = source(page, "speedup-pinned").data
    assert data["name"] == ["Pinned 1: MTP", "Pinned 2: MTP", "Pinned 3: MTP"]
    assert len(set(data["colour"])) == 3
    assert len(source(page, "batch-pinned").data["y"]) == 3
    assert str(page.state()["pinned"]).count("drawn thin") == 3
    page.widgets["batch"].value = "16"
    page.handle("pin", True)
    assert [decode(pin).scenario.batch for pin in page.controls.scenario.pinned] == [4, 8, 16]
    page.widgets["batch"].value = "64"
    page.handle("swap", None)
    assert page.evaluation.batch == 4
    assert [decode(pin).scenario.batch for pin in page.controls.scenario.pinned] == [64, 8, 16]
    page.handle("preset", "dense")
    assert len(page.controls.scenario.pinned) == 3
    page.handle("pin", False)
    assert page.controls.scenario.pinned == ()
