"""Nodes for a target on the page: the library's numbers, a node taken, prices pasted, and what is hostile in them."""

from __future__ import annotations

import csv
import io

import pytest
from page_samples import HOSTILE, chart, shown_of, source, work_out
from shown import offered_file

from roofline_app.evaluation import evaluate
from roofline_app.evaluation.planning import nodes
from roofline_app.page.forms.node_boxes import PriceListError, read_prices
from roofline_app.page.page import Page
from roofline_app.page.pending import pending
from roofline_app.page.posters import poster
from roofline_app.query import decode, encode

LINK = "model=qwen3-8b&gpu=h100-sxm&gpus=1&target=user:100&nodes=h100-sxm,b200,h20"


def _worked_out(link: str = LINK) -> Page:
    page = Page(link)
    work_out(page, "nodes")
    return page


def _field(page: Page, key: str) -> dict[str, object]:
    (found,) = (field for field in page.state()["nodes"] if field["key"] == key)
    return dict(found)


def test_the_frontiers_are_those_of_the_library() -> None:
    page, found = _worked_out(), nodes(decode(LINK).scenario)
    for key, points in (("with", found.frontier), ("plain", found.frontier_without)):
        data = source(page, f"nodes-{key}").data
        assert data["x"] == [point.tokens_per_second_per_user for point in points[::-1]]
        assert data["y"] == [point.usd_per_million_tokens for point in points[::-1]]
        assert any(data["name"])
    cheapest = source(page, "nodes-cheapest").data
    assert cheapest["y"] == [found.ranked[0].cheapest.usd_per_million_tokens]


def test_nothing_waits_for_the_search_while_the_figure_is_not_shown() -> None:
    page = Page(LINK)
    assert page.state()["pending"]["nodes"]["waits"] == 0
    assert [field["key"] for field in page.state()["nodes"]] == ["target", "nodes", "prices", "electricity"]


def test_a_slice_ends_and_the_first_nodes_are_drawn_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pending, "SLICE_SECONDS", 0.0005)
    page = Page(LINK)
    page.handle("show", {"figure": "nodes", "visible": True})
    turns, drawn = 0, list[int]()
    while waiting := page.state()["pending"]["nodes"]["waits"]:
        page.handle("advance", {"figure": "nodes", "revision": page.state()["pending"]["nodes"]["revision"]})
        turns += 1
        drawn.append(len(source(page, "nodes-with").data["x"]))
        assert page.state()["pending"]["nodes"]["waits"] <= waiting
    assert turns > 10
    assert any(drawn[: turns // 2])


def test_another_setting_ends_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pending, "SLICE_SECONDS", 0.0)
    page = Page(LINK)
    page.handle("show", {"figure": "nodes", "visible": True})
    before = page.state()["pending"]["nodes"]
    page.handle("field", {"form": "nodes", "field": "target", "value": "user:50"})
    after = page.state()["pending"]["nodes"]
    assert after["revision"] > before["revision"]
    page.handle("advance", {"figure": "nodes", "revision": before["revision"]})
    assert page.state()["pending"]["nodes"] == after
    # With a target, the batch changes nothing.
    page.handle("query", f"{LINK.replace('user:100', 'user:50')}&batch=7")
    assert page.state()["pending"]["nodes"] == after


def test_a_node_can_be_taken() -> None:
    page = _worked_out()
    options = _field(page, "take")["options"]
    assert isinstance(options, list)
    assert len(options) > 3
    wanted = nodes(decode(LINK).scenario).ranked[1].cheapest
    page.handle("field", {"form": "nodes", "field": "take", "value": "2"})
    scenario = page.controls.scenario
    assert (scenario.gpu, scenario.gpus, scenario.batch) == (wanted.gpu, wanted.gpus, wanted.batch)
    assert scenario.target == decode(LINK).scenario.target
    assert evaluate(scenario).economics.without.usd_per_million_tokens is not None
    page.handle("field", {"form": "nodes", "field": "take", "value": "99"})
    assert page.controls.scenario == scenario


def test_table_and_file_hold_the_ranked_nodes_and_what_is_left_out() -> None:
    page = _worked_out()
    page.handle("table", {"figure": "nodes", "open": True})
    page.handle("working", {"figure": "nodes", "open": True})
    table = page.state()["tables"]["nodes"]
    assert table["rows"][0][0] == "1"
    assert ["no price is known", "NVIDIA H20 96 GB"] in [list(row[:2]) for row in table["rows"]]
    assert len(page.state()["workings"]["nodes"]) >= 3
    page.handle("save", {"figure": "nodes", "kind": "csv"})
    rows = list(csv.DictReader(io.StringIO(offered_file(page)["text"])))
    assert {"ranked", "frontier", "frontier without speculation", "left out"} == {row["list"] for row in rows}
    assert decode(rows[0]["query"]).notices == ()


def test_an_impossible_target_says_what_comes_nearest() -> None:
    assert "comes nearest" in _worked_out(f"{LINK}&target=user:999999").state()["notes"]["nodes"]


def test_what_is_typed_is_read_as_in_a_link() -> None:
    page = Page(LINK)
    for key, value in (("target", "usd:0.5"), ("nodes", "b200@1-4,tp+ep"), ("electricity", "0.12")):
        page.handle("field", {"form": "nodes", "field": key, "value": value})
        assert _field(page, key)["value"] == value
    page.handle("field", {"form": "nodes", "field": "target", "value": "user:quick"})
    assert _field(page, "target")["value"] == "usd:0.5"
    assert any("quick" in notice for notice in page.state()["notices"])
    for key in ("target", "nodes", "electricity"):
        page.handle("field", {"form": "nodes", "field": key, "value": ""})
    assert encode(page.controls.scenario).count("target=") == 0


def test_a_pasted_price_list_travels_in_the_link() -> None:
    page = Page(LINK)
    text = "gpu,usd_per_hour\nH20, $2.50\n\nb200,5.5\n"
    page.handle("field", {"form": "nodes", "field": "prices", "value": text})
    assert page.controls.scenario.prices == (("b200", 5.5), ("h20", 2.5))
    assert "prices=b200:5.5,h20:2.5" in page.state()["query"]
    work_out(page, "nodes")
    page.handle("table", {"figure": "nodes", "open": True})
    assert any("H20" in row[1] and row[-1] == "your own price" for row in page.state()["tables"]["nodes"]["rows"])


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("h100-sxm", 1, "prices_form"),
        ("gpu,usd\nb200,1\nnone,2", 3, "prices_gpu"),
        (f"{HOSTILE},2", 1, "prices_gpu"),
        ("b200,-1", 1, "prices_usd"),
        ("b200,=1+1", 1, "prices_usd"),
        ("b200,nan", 1, "prices_usd"),
        ('"b200\nh20",1', 1, "prices_gpu"),
    ],
)
def test_a_bad_line_of_a_price_list_is_named_and_changes_nothing(text: str, line: int, reason: str) -> None:
    with pytest.raises(PriceListError) as caught:
        read_prices(text)
    assert (caught.value.line, caught.value.reason) == (line, reason)
    page = Page(LINK)
    page.handle("field", {"form": "nodes", "field": "prices", "value": text})
    assert page.controls.scenario.prices == ()
    assert any(f"line {line}" in notice for notice in page.state()["notices"])


def test_the_poster_is_whole_without_anything_worked_out_before() -> None:
    svg = poster(shown_of(LINK).evaluation, "nodes", "dark", "zh")
    assert svg.count("<polyline") >= 2
    assert "B200" in svg
    assert "满足" in svg


def test_target_lines_stand_where_they_are_asked_for() -> None:
    drawn = chart(_worked_out(f"{LINK}&target=user:100,usd:0.2"), "nodes")
    assert (drawn.user.location, drawn.usd.location) == (100.0, 0.2)
    assert not chart(_worked_out(f"{LINK}&target=usd:0.2"), "nodes").user.visible
