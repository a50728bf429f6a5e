"""Published points on figures 1 to 3, and the tables of predicted against measured."""

import csv
import io
import json

import pytest
from bokeh.models import Range1d
from page_samples import chart
from shown import offered_file

from roofline_app.calibration.fit.measured_rows import measured_rows
from roofline_app.page.benchmarks.published import groups_table, models_table, published_marks, rows_table
from roofline_app.page.figures.catalogue import FIGURES
from roofline_app.page.figures.measured_points.points import by_batch, by_draft_length, by_tokens_per_round
from roofline_app.page.page import Page

LINK = "model=qwen3.5-27b&gpu=b200&gpus=1&batch=1&context=2k&profile=calibrated&drafter=mtp&drafter=block&cap=16"


@pytest.fixture(scope="module")
def link() -> str:
    return LINK


def test_published_speedups_of_the_model_on_the_node_are_points() -> None:
    marks = published_marks("qwen3.5-27b", "b200", 1, "en")
    rows = [row for row in measured_rows() if row.model == "qwen3.5-27b" and row.ratio and row.tokens_per_round > 1]
    assert len(marks) == len(rows) == 19
    assert {mark.speedup for mark in marks} == {row.ratio for row in rows}
    assert all(mark.source.startswith("https://") and mark.conditions for mark in marks)
    assert published_marks("qwen3.5-27b", "b200", 8, "en") == ()


def test_points_stand_where_their_figures_axes_say(page: Page) -> None:
    evaluation, marks = page.evaluation, page.drawing.look.marks
    lengths = by_draft_length(marks, evaluation, "en")
    assert [(place.x, place.mark.batch) for place in lengths] == [(15.0, 1.0)] * 4
    assert {place.x for place in by_batch(marks, evaluation, "en")} == {1.0, 8.0, 16.0, 32.0}
    forced = [place for place in by_tokens_per_round(marks, evaluation, "en") if not place.mark.kind]
    assert [place.x for place in forced] == [2.0, 4.0, 8.0]
    assert [round(place.y * 75) for place in forced] == [140, 268, 422]


def test_each_point_says_its_error(page: Page) -> None:
    data = chart(page, "acceptance").measured.source.data
    assert len(data["error"]) == 7
    assert all("%" in error for error in data["error"])
    stated = [error for error, setting in zip(data["error"], data["setting"], strict=True) if "draft" in setting]
    assert all(error.startswith("roofline +") and "calibrated" in error for error in stated)


def test_points_have_the_colour_of_their_kinds_line(page: Page) -> None:
    palette, data = page.drawing.palette, chart(page, "speedup").measured.source.data
    assert set(data["colour"]) == set(palette.drafters[:2])
    assert set(data["shape"]) == {"diamond"}
    assert palette.text in chart(page, "acceptance").measured.source.data["colour"]


def test_the_axes_reach_every_point(page: Page) -> None:
    for drawn in (chart(page, name) for name in ("speedup", "batch", "acceptance")):
        data = drawn.measured.source.data
        for axis, bokeh_range in (("x", drawn.plot.x_range), ("y", drawn.plot.y_range)):
            assert isinstance(bokeh_range, Range1d)
            assert isinstance(bokeh_range.end, float)
            assert max(data[axis]) <= bokeh_range.end


def test_another_model_has_other_points_or_none(page: Page) -> None:
    page.handle("query", "model=deepseek-r1&gpu=b200&gpus=8&batch=1&profile=calibrated&drafter=mtp")
    assert chart(page, "speedup").measured.source.data["x"] == [1.0, 2.0, 3.0, 4.0, 5.0]
    assert "Diamonds" in page.state()["notes"]["marks-speedup"]
    page.handle("query", "")
    assert chart(page, "speedup").measured.source.data["x"] == []
    assert page.state()["notes"]["marks-speedup"] == ""


def test_points_at_other_batches_are_counted(page: Page) -> None:
    assert "15 more" in page.state()["notes"]["marks-speedup"]


def test_the_table_twin_holds_the_points(page: Page) -> None:
    assert page.state()["mark_tables"] == {}
    page.handle("table", {"figure": "speedup", "open": True})
    table = page.state()["mark_tables"]["speedup"]
    assert len(table["rows"]) == 4
    assert all(len(row) == len(table["header"]) for row in table["rows"])
    page.handle("query", "")
    assert page.state()["mark_tables"] == {}


def test_predicted_against_measured_is_sent_while_it_is_open(page: Page) -> None:
    assert page.state()["validation"] == []
    page.handle("validation", True)
    tables = page.state()["validation"]
    assert len(tables) == 3
    assert all(len(row) == len(table["header"]) for table in tables for row in table["rows"])
    assert json.loads(json.dumps(tables)) == tables
    page.handle("query", "")
    assert len(page.state()["validation"]) == 1


def test_the_tables_hold_every_measured_row() -> None:
    rows = measured_rows()
    for model in ("qwen3.5-27b", "llama-3.1-70b", "llama-2-7b"):
        own = [row for row in rows if row.model == model]
        assert sum(int(row[2]) for row in groups_table(model, model, "en").rows) == len(own)
        assert len(rows_table(model, model, "en").rows) == sum(row.ratio > 0 and row.draft_tokens > 0 for row in own)
    assert {row[0] for row in models_table("en").rows} >= {"DeepSeek-R1", "Llama 3.1 70B"}


@pytest.mark.parametrize("figure", ["speedup", "batch", "acceptance"])
def test_the_figures_files_hold_the_points(page: Page, figure: str) -> None:
    page.handle("save", {"figure": figure, "kind": "json"})
    rows = json.loads(offered_file(page)["text"])["rows"]
    points = [row for row in rows if row["measured_by"]]
    place = FIGURES[figure].marks
    assert place
    placed = place(page.drawing.look.marks, page.evaluation, "en")
    assert [row["speedup"] for row in points] == [one.y for one in placed]
    assert all(row["source"].startswith("https://") and row["conditions"] and row["error"] for row in points)
    assert {row["drafter"] for row in points} <= {"MTP", "Block", ""}
    page.handle("save", {"figure": figure, "kind": "csv"})
    table = list(csv.DictReader(io.StringIO(offered_file(page)["text"])))
    assert [list(row) for row in table] == [list(row) for row in rows]
    assert sum(bool(row["measured_by"]) for row in table) == len(points)


def test_a_figures_file_without_points_has_no_columns_for_them(page: Page) -> None:
    page.handle("query", "")
    page.handle("save", {"figure": "speedup", "kind": "json"})
    assert all("measured_by" not in row for row in json.loads(offered_file(page)["text"])["rows"])
