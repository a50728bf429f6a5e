"""Best speedup against context: whole evaluations at each context, a click takes one, what does not fit is shaded."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from itertools import pairwise

import pytest
from bokeh.events import Tap
from page_samples import chart, shown_of, source, work_out
from shown import offered_file

from roofline_app.evaluation import evaluate
from roofline_app.page.figures.context.view import contexts
from roofline_app.page.page import Page

SMALL = "model=qwen3-8b&gpu=h100-sxm&gpus=1&batch=64"


@pytest.mark.parametrize(
    ("link", "first", "last"),
    [
        pytest.param("", (128, 256), (524288, 1048576), id="a limit that is a power of two"),
        pytest.param(SMALL, (128, 256), (32768, 40960), id="a limit between two powers"),
    ],
)
def test_contexts_are_powers_of_two_up_to_the_models_limit(
    link: str, first: tuple[int, int], last: tuple[int, int]
) -> None:
    found = contexts(shown_of(link).evaluation)
    assert (found[:2], found[-2:]) == (first, last)
    assert all(longer == 2 * shorter for shorter, longer in pairwise(found[:-1]))


@pytest.mark.parametrize(("limit", "ends"), [(None, (128, 2**20)), (129, (128, 129)), (100, (50, 100)), (1, (1, 2))])
def test_any_limit_leaves_at_least_two_contexts(limit: int | None, ends: tuple[int, int]) -> None:
    evaluation = shown_of("").evaluation
    found = contexts(replace(evaluation, model=replace(evaluation.model, max_context_tokens=limit or 0)))
    assert (found[0], found[-1]) == ends
    assert list(found) == sorted(set(found))


@pytest.mark.parametrize("link", [SMALL, f"{SMALL}&cap=64&drafter=ideal&drafter=mtp&drafter=ngram&drafter=block"])
def test_every_point_is_that_of_a_whole_evaluation(link: str) -> None:
    page = Page(link)
    work_out(page, "context")
    scenario = page.controls.scenario
    for index in range(len(scenario.drafters)):
        data = source(page, f"context-{index}").data
        for place in (0, 5, -1):
            whole = evaluate(replace(scenario, context=int(data["context"][place])))
            best = whole.drafters[index].best
            assert data["speedup"][place] == pytest.approx(best.speedup, rel=1e-12)
            assert data["draft_tokens"][place] == best.draft_tokens


def test_it_waits_until_it_is_seen_and_goes_on_with_another_setting() -> None:
    page = Page(SMALL)
    assert page.state()["pending"]["context"]["waits"] == 0
    assert work_out(page, "context") == 10
    assert chart(page, "context").lines[0].glyph.line_alpha == 1
    page.widgets["context"].value = "8k"
    assert page.state()["pending"]["context"]["waits"] == 0
    page.widgets["batch"].value = "8"
    assert page.state()["pending"]["context"]["waits"] == 10
    assert len(source(page, "context-0").data["context"]) == 10
    assert chart(page, "context").lines[0].glyph.line_alpha < 1
    page.handle("add-drafter", None)
    assert len(source(page, "context-0").data["context"]) == 0
    work_out(page, "context")
    assert len(source(page, "context-0").data["context"]) == 10


def test_rings_stand_at_this_context_and_on_the_lines() -> None:
    page = Page(SMALL)
    work_out(page, "context")
    rings = source(page, "context-now").data
    assert rings["x"] == [4096.0] * 3
    assert rings["y"] == [result.best.speedup for result in page.evaluation.drafters]
    at = list(source(page, "context-1").data["context"]).index(4096)
    assert source(page, "context-1").data["speedup"][at] == rings["y"][1]


def test_a_click_takes_the_nearest_context_and_nothing_outside_of_the_frame() -> None:
    page = Page(SMALL)
    page.handle("show", {"figure": "context", "visible": True})
    plot = chart(page, "context").plot
    for x, context in ((1000.0, 1024), (38000.0, 40960), (5.0, 40960), (99999.0, 40960)):
        page.document.callbacks.trigger_event(Tap(plot, x=x, y=1.0))
        assert page.evaluation.context == context


@pytest.mark.parametrize("batch", [16, 64, 128])
def test_the_shade_begins_at_the_longest_context_that_fits(batch: int) -> None:
    page = Page(f"{SMALL}&batch={batch}".replace("&batch=64", "", 1))
    work_out(page, "context")
    (start,) = chart(page, "context").beyond.data["from"]
    scenario = page.controls.scenario
    assert evaluate(replace(scenario, context=int(start))).memory.fits
    assert not evaluate(replace(scenario, context=int(start) + 1)).memory.fits
    assert "Shaded" in page.state()["notes"]["context"]


def test_where_everything_fits_nothing_is_shaded_and_where_nothing_does_all_is() -> None:
    small, large = Page(f"{SMALL}&batch=1".replace("&batch=64", "", 1)), Page("model=deepseek-v4-pro&gpu=l4&gpus=1")
    for page in (small, large):
        work_out(page, "context")
    assert chart(small, "context").beyond.data["from"] == []
    assert "Shaded" not in small.state()["notes"]["context"]
    assert chart(large, "context").beyond.data["from"] == [128.0]


def test_table_and_file_hold_the_same_contexts_and_the_table_only_what_fits() -> None:
    page = Page(SMALL)
    page.handle("save", {"figure": "context", "kind": "csv"})
    assert page.state()["file"] is None
    work_out(page, "context")
    page.handle("table", {"figure": "context", "open": True})
    rows = page.state()["tables"]["context"]["rows"]
    page.handle("save", {"figure": "context", "kind": "csv"})
    file = list(csv.DictReader(io.StringIO(offered_file(page)["text"])))
    own = [row for row in file if row["drafter"] == "MTP"]
    assert len(own) == len(rows) == 10
    assert [row[0] for row in rows][-2:] == ["32k", "40k"]
    assert [row[3] == "–" for row in rows] == [row["fits"] == "False" for row in own]
    assert [row[4] for row, one in zip(rows, own, strict=True) if one["fits"] == "True"] == [
        one["draft_tokens"] for one in own if one["fits"] == "True"
    ]


def test_a_hidden_line_gives_its_room_away() -> None:
    page = Page(SMALL)
    work_out(page, "context")
    before = chart(page, "context").plot.y_range.end
    page.handle("hide", {"line": 0, "hidden": True})
    assert chart(page, "context").plot.y_range.end < before
    assert not chart(page, "context").lines[0].visible
