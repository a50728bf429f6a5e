"""The sensitivity strip: computed when shown, an evaluation at a time; the band on figure 1; the megakernel switch."""

import numpy as np
import pytest
from page_samples import chart
from shown import offered_file

from roofline_app.page.page import Page

LINK = "model=qwen3.5-27b&gpus=2&batch=8&profile=calibrated&drafter=mtp&drafter=block&cap=16"


@pytest.fixture(scope="module")
def built() -> Page:
    return Page(LINK)


@pytest.fixture
def page(built: Page) -> Page:
    built.handle("switch", {"name": "band", "on": False})
    built.handle("show", {"figure": "sensitivity", "visible": False})
    built.handle("table", {"figure": "sensitivity", "open": False})
    built.handle("query", "")
    built.handle("query", LINK)
    return built


def waits(page: Page) -> int:
    return int(page.state()["pending"]["sensitivity"]["waits"])


def finish(page: Page) -> int:
    """Let the page compute what waits, as the browser does; return how many steps that took."""
    steps = 0
    while waits(page):
        advance(page, page.state()["pending"]["sensitivity"]["revision"])
        steps += 1
    return steps


def advance(page: Page, revision: object) -> None:
    page.handle("advance", {"figure": "sensitivity", "revision": revision})


def show(page: Page) -> None:
    page.handle("show", {"figure": "sensitivity", "visible": True})


def test_nothing_is_computed_until_the_strip_is_shown(page: Page) -> None:
    assert waits(page) == 0
    show(page)
    assert waits(page) == 11


def test_the_strip_is_drawn_when_all_of_it_is_there(page: Page) -> None:
    show(page)
    assert finish(page) == 11
    data = chart(page, "sensitivity").source.data
    assert len(data["words"]) == 9 + 4
    best = page.evaluation.drafters[1].best.speedup
    assert chart(page, "sensitivity").now.location == best
    assert all(start <= best <= end for start, end in zip(data["from"], data["to"], strict=True))


def test_a_newer_change_cancels_what_waits(page: Page) -> None:
    show(page)
    old = page.state()["pending"]["sensitivity"]["revision"]
    page.widgets["batch"].value = "16"
    advance(page, old)
    assert waits(page) == 11
    advance(page, None)
    assert waits(page) == 11


def test_a_change_of_another_line_computes_nothing_anew(page: Page) -> None:
    show(page)
    finish(page)
    page.widgets["acceptance-0"].value = "0.5"
    assert waits(page) == 0
    page.widgets["acceptance-1"].value = "0.8"
    assert waits(page) == 11


def _shows_the_error(page: Page) -> bool:
    """Return whether figure 1 has the band of the profile's own error around the best line."""
    known, best = page.evaluation.uncertainty, page.evaluation.best_drafter
    assert known is not None
    low = chart(page, "speedup").band.data["low"]
    return bool(np.allclose(low[1:], known.speedup.low * best.speedup[1:]))


def test_the_band_stands_around_the_best_line_until_it_is_switched_off(page: Page) -> None:
    page.handle("switch", {"name": "band", "on": True})
    assert waits(page) == 11
    finish(page)
    data, curve = chart(page, "speedup").band.data, page.evaluation.drafters[1].speedup
    assert np.all(np.asarray(data["low"]) <= curve + 1e-12)
    assert np.all(np.asarray(data["high"]) >= curve - 1e-12)
    assert page.state()["switches"]["band"] is True
    page.widgets["context"].value = "8k"
    assert _shows_the_error(page)
    finish(page)
    assert len(chart(page, "speedup").band.data["low"]) == 17
    assert not _shows_the_error(page)
    page.handle("switch", {"name": "band", "on": False})
    assert _shows_the_error(page)


def test_the_strip_has_a_table_and_a_file(page: Page) -> None:
    show(page)
    finish(page)
    page.handle("table", {"figure": "sensitivity", "open": True})
    table = page.state()["tables"]["sensitivity"]
    assert len(table["rows"]) == 13
    page.handle("save", {"figure": "sensitivity", "kind": "csv"})
    assert offered_file(page)["text"].startswith("assumption,improvement,low_speedup")


def test_the_ideal_profile_has_no_launches_to_do_without(page: Page) -> None:
    page.widgets["profile"].value = "ideal"
    show(page)
    finish(page)
    assert len(chart(page, "sensitivity").source.data["words"]) == 7 + 3
    assert "kernels" not in {field["key"] for field in page.state()["assumptions"]}


def test_a_megakernel_takes_the_launch_times_away(page: Page) -> None:
    before = page.evaluation.step.seconds
    page.handle("field", {"form": "assumptions", "field": "kernels", "value": "on"})
    assert page.controls.scenario.kernels == "fused"
    assert page.evaluation.step.seconds < before
    assert "kernels=fused" in page.state()["query"]
    assert "megakernel" in page.state()["words"]["profile"]
    again = Page(str(page.state()["query"]))
    assert again.evaluation.step.seconds == page.evaluation.step.seconds
    page.handle("field", {"form": "assumptions", "field": "kernels", "value": ""})
    assert page.evaluation.step.seconds == before


def test_a_strip_that_was_shown_and_hidden_leaves_the_page_as_it_was(page: Page) -> None:
    before = page.state()
    show(page)
    finish(page)
    page.handle("query", "")
    page.handle("query", LINK)
    page.handle("show", {"figure": "sensitivity", "visible": False})
    assert page.state() == before
