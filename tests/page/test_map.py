"""The map of the page: computed row by row, and a click on a cell takes its setting."""

import pytest
from bokeh.events import Tap
from page_samples import chart, source, work_out
from shown import offered_file

from roofline_app.evaluation import evaluate
from roofline_app.page.figures.map.view import CONTEXTS
from roofline_app.page.page import Page
from roofline_app.query import decode


def test_the_map_is_computed_row_by_row_and_only_while_it_is_on_the_screen() -> None:
    page = Page("")
    assert page.state()["pending"]["map"]["waits"] == 0
    assert work_out(page, "map") == len(CONTEXTS)
    cells = source(page, "map").data
    for batch, context in ((1, 128), (64, 32768), (4096, 1048576)):
        (cell,) = [
            i for i in range(len(cells["batch"])) if (cells["batch"][i], cells["context"][i]) == (batch, context)
        ]
        best = evaluate(decode(f"batch={batch}&context={context}").scenario).best_drafter
        assert cells["speedup"][cell] == pytest.approx(best.best.speedup, rel=1e-12)
        assert cells["draft_tokens"][cell] == best.best.draft_tokens
        assert cells["name"][cell] == best.name


def test_a_newer_setting_cancels_the_rows_of_the_last_one() -> None:
    page = Page("")
    page.handle("show", {"figure": "map", "visible": True})
    before = page.state()["pending"]["map"]
    page.handle("advance", {"figure": "map", "revision": before["revision"]})
    page.widgets["gpu"].value = "h200-sxm"
    page.handle("advance", {"figure": "map", "revision": before["revision"]})
    after = page.state()["pending"]["map"]
    assert after["waits"] == len(CONTEXTS)
    assert after["revision"] > before["revision"]


def test_the_map_of_another_batch_is_the_same_map() -> None:
    page = Page("")
    work_out(page, "map")
    page.widgets["batch"].value = "8"
    assert page.state()["pending"]["map"]["waits"] == 0
    assert chart(page, "map").now.data["x"] == [3.0]


def test_a_cell_of_the_map_is_a_setting_and_a_click_takes_it() -> None:
    page = Page("")
    work_out(page, "map")
    page.document.callbacks.trigger_event(Tap(chart(page, "map").plot, x=6.2, y=2.9))
    assert (page.evaluation.batch, page.evaluation.context) == (64, 1024)
    page.document.callbacks.trigger_event(Tap(chart(page, "map").plot, x=99, y=0))
    page.document.callbacks.trigger_event(Tap(chart(page, "map").plot, x=None, y=None))
    assert page.evaluation.batch == 64


def test_the_map_has_a_table_and_a_file_and_names_draft_lengths() -> None:
    page = Page("")
    page.handle("save", {"figure": "map", "kind": "csv"})
    assert page.state()["file"] is None
    work_out(page, "map")
    page.handle("table", {"figure": "map", "open": True})
    table = page.state()["tables"]["map"]
    assert [row[0] for row in table["rows"]][:2] == ["128", "256"]
    assert len(table["header"]) == 14
    page.handle("save", {"figure": "map", "kind": "csv"})
    assert offered_file(page)["text"].startswith("context,batch,drafter,draft_tokens,speedup,fits\n128,1,")
    page.handle("switch", {"name": "map-lengths", "on": True})
    cells = source(page, "map").data
    assert cells["text"][0] == str(cells["draft_tokens"][0])
    page.handle("narrow", True)
    assert set(source(page, "map").data["text"]) == {""}
