"""The figure of schedules: its fields are the library's, it is drawn whole, and its box takes a load."""

from __future__ import annotations

import csv
import io

import numpy as np
from page_samples import HOSTILE, HOSTILE_LINK, chart, source, work_out
from shown import offered_file

from roofline_app.evaluation import evaluate, schedule
from roofline_app.page.page import Page
from roofline_app.page.posters import poster
from roofline_app.query import decode

SMALL = "model=qwen3-8b&gpu=h100-sxm&gpus=1&drafter=mtp&drafter=block"


def _worked_out(link: str) -> Page:
    page = Page(link)
    work_out(page, "schedule")
    return page


def test_fields_cover_every_point_once_with_the_fastest_line() -> None:
    page, found = _worked_out(SMALL), schedule(decode(SMALL).scenario)
    data = source(page, "schedule").data
    names = np.full(found.fits.shape, "", dtype=object)
    for row in range(len(data["name"])):
        columns = slice(round(data["left"][row] + 0.47), round(data["right"][row] - 0.47) + 1)
        rows = slice(round(data["bottom"][row] + 0.47), round(data["top"][row] - 0.47) + 1)
        assert (names[rows, columns] == "").all()
        names[rows, columns] = data["name"][row]
    wanted = np.array([found.drafters[line].name for line in found.winner.ravel()]).reshape(found.winner.shape)
    assert (names[~found.fits] == "does not fit into memory").all()
    assert (names[found.fits] == wanted[found.fits]).all()


def test_losses_are_said_in_words_once_all_is_there() -> None:
    page = Page(SMALL)
    page.handle("show", {"figure": "schedule", "visible": True})
    assert "loses" not in page.state()["notes"]["schedule"].partition("point.")[2]
    work_out(page, "schedule")
    losses = schedule(decode(SMALL).scenario).drafters[1].losses
    said = page.state()["notes"]["schedule"]
    assert f"loses {100 * losses.one_length:.1f}% of the speed" in said
    assert "every batch and context that fits into memory alike" in said


def test_the_box_takes_a_load_and_refuses_what_is_none() -> None:
    page = _worked_out(SMALL)
    page.handle("field", {"form": "schedule", "field": "load", "value": "1:2；16：2"})
    assert "load=1:0.5;16:0.5" in page.state()["query"]
    work_out(page, "schedule")
    assert "the stated load" in page.state()["notes"]["schedule"]
    page.handle("field", {"form": "schedule", "field": "load", "value": "many"})
    assert page.state()["schedule"][0]["value"] == "1:0.5;16:0.5"
    assert any("many" in notice for notice in page.state()["notices"])
    page.handle("field", {"form": "schedule", "field": "load", "value": ""})
    assert "load=" not in page.state()["query"]


def test_other_shares_of_the_same_batches_compute_nothing_anew() -> None:
    page = _worked_out(f"{SMALL}&load=1:0.5;16:0.5")
    page.handle("field", {"form": "schedule", "field": "load", "value": "1:0.9;16:0.1"})
    assert page.state()["pending"]["schedule"]["waits"] == 0


def test_a_hidden_line_is_the_fastest_nowhere() -> None:
    page = _worked_out(SMALL)
    page.handle("hide", {"line": 1, "hidden": True})
    assert "Block" not in source(page, "schedule").data["name"]


def test_table_and_file_hold_the_ranges_and_every_point() -> None:
    page, found = _worked_out(SMALL), schedule(decode(SMALL).scenario)
    page.handle("table", {"figure": "schedule", "open": True})
    page.handle("save", {"figure": "schedule", "kind": "csv"})
    table = page.state()["tables"]["schedule"]
    assert len(table["rows"]) == sum(len(one.ranges) for one in found.drafters)
    rows = list(csv.DictReader(io.StringIO(offered_file(page)["text"])))
    assert len(rows) == 2 * found.fits.size


def test_a_click_takes_a_setting() -> None:
    page = _worked_out(SMALL)
    assert chart(page, "schedule").plot.x_range.end == 12.5
    svg = poster(page.evaluation, "schedule", "dark", "zh")
    assert "损失" in svg


def test_names_of_users_are_text_in_posters() -> None:
    page = _worked_out(HOSTILE_LINK.partition("&")[0])
    assert HOSTILE[:8] not in poster(page.evaluation, "schedule")
    assert evaluate(page.controls.scenario).drafters[0].name
