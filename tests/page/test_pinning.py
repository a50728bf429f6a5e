"""A pinned setting stays behind the current one, and travels in the link."""

from urllib.parse import quote

import numpy as np
from page_samples import source

from roofline_app.page.page import Page


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
