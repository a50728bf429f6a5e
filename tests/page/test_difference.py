"""The figure of differences: bars that lead from the pinned setting to the shown one."""

from __future__ import annotations

from itertools import pairwise

import pytest
from page_samples import source, work_out
from shown import offered_file

from roofline_app.explanation import explain
from roofline_app.page.page import Page
from roofline_app.query import decode

ONE = "model=qwen3-8b&gpu=h100-sxm&gpus=1&batch=8&drafter=eagle3&cap=6"
OTHER = "batch=64&context=16k&drafter=eagle3,acceptance=0.5&cap=6"


def compared(language: str = "en") -> Page:
    page = Page(ONE, language=language)
    page.handle("pin", True)
    pinned = page.controls.scenario.compare
    page.handle("query", f"model=qwen3-8b&gpu=h100-sxm&gpus=1&{OTHER}&compare={pinned.replace('&', '%26')}")
    work_out(page, "difference")
    return page


def test_without_a_pinned_setting_it_says_how_to_get_one() -> None:
    page = Page(ONE)
    page.handle("show", {"figure": "difference", "visible": True})
    state = page.state()
    assert "Pin to compare" in state["notes"]["difference"]
    assert source(page, "difference").data["row"] == []
    assert state["pending"].get("difference", {"waits": 0})["waits"] == 0


@pytest.mark.parametrize("language", ["en", "zh"])
def test_bars_lead_from_the_pinned_setting_to_the_shown_one(language: str) -> None:
    page = compared(language)
    data = source(page, "difference").data
    before, *parts, after = zip(data["left"], data["right"], strict=True)
    assert before[0] == after[0] == 0.0
    ends = {*before, *after}
    for one, other in pairwise([before, *parts]):
        assert any(end == pytest.approx(value) for end in other for value in one if value)
    reached = [end for bar in parts[-1:] for end in bar]
    assert any(end == pytest.approx(after[1]) for end in reached)
    assert len(ends) == 3
    assert len(parts) >= 3


def test_the_parts_are_those_of_the_library() -> None:
    page = compared()
    one, other = decode(ONE).scenario, page.controls.scenario
    found = explain(one, other).difference
    page.handle("save", {"figure": "difference", "kind": "csv"})
    rows = offered_file(page)["text"].splitlines()[1:]
    values = {name: float(seconds) for name, seconds in (row.split(",") for row in rows)}
    assert values.pop("before") == pytest.approx(found.before)
    assert values.pop("after") == pytest.approx(found.after)
    assert values == pytest.approx({part.group: part.seconds for part in found.parts})
    assert sum(values.values()) == pytest.approx(found.after - found.before)


def test_the_sentence_and_the_table_name_every_part() -> None:
    page = compared()
    page.handle("table", {"figure": "difference", "open": True})
    state = page.state()
    table = state["tables"]["difference"]
    assert table["rows"][0][0] == "pinned setting"
    assert table["rows"][-1][0] == "shown setting"
    assert all(row[0] in state["notes"]["difference"] for row in table["rows"][1:-1])
