"""The catalogue of figures: every id has a folder with a record, and what derives from records fits together."""

from __future__ import annotations

import re
from importlib import resources

import pytest
from page_samples import shown_of
from shown import offered_file

from roofline_app.page.figures.catalogue import FIGURES
from roofline_app.page.figures.figure import Figure
from roofline_app.page.page import Page
from roofline_app.page.sections import plot_start, section
from roofline_app.query import decode
from roofline_app.text import LANGUAGES, sentence

FOLDER = resources.files("roofline_app.page.figures")


def test_every_folder_with_a_record_is_in_the_catalogue() -> None:
    folders = {entry.name for entry in FOLDER.iterdir() if entry.is_dir() and entry.joinpath("figure.py").is_file()}
    assert folders == set(FIGURES)


@pytest.mark.parametrize("figure", FIGURES)
def test_a_link_can_name_it(figure: str) -> None:
    decoded = decode(f"figure={figure}")
    assert decoded.scenario.presentation.figures == (figure,)
    assert not decoded.notices


@pytest.mark.parametrize(("name", "figure"), FIGURES.items())
def test_its_record_is_whole(name: str, figure: Figure) -> None:
    assert (figure.chart is None) == (figure.view is None) == (figure.height == 0)
    assert figure.chart or figure.body
    assert figure.work or not figure.is_drawn_whole
    for language in LANGUAGES:
        assert sentence(f"figures.{name}_caption", language)
        if isinstance(figure.note, str) and figure.note:
            assert sentence(f"figures.{figure.note}", language)


def test_no_two_stand_at_one_place_and_no_two_switches_have_one_name() -> None:
    figures = FIGURES.values()
    assert len({figure.order for figure in figures}) == len(FIGURES)
    switches = [figure.switch.id for figure in figures if figure.switch]
    assert len(set(switches)) == len(switches)


@pytest.mark.parametrize("name", FIGURES)
def test_its_section_has_a_title_and_one_place_for_what_it_draws(name: str) -> None:
    markup = section(name)
    assert markup.count(f'data-figure="{name}"') == markup.count(f'id="title-{name}"') == 1
    assert markup.count(plot_start(name)) == 1
    assert len(re.findall(r"data-root=", markup)) == (FIGURES[name].chart is not None)


@pytest.mark.parametrize("name", FIGURES)
def test_it_has_a_table_a_file_and_a_calculation(name: str) -> None:
    page = Page("after=4&traffic=1e9&training=1e5&compare=batch%3D64")
    page.handle("show", {"figure": name, "visible": True})
    while (waits := page.state()["pending"].get(name)) and waits["waits"]:
        page.handle("advance", {"figure": name, "revision": waits["revision"]})
    page.handle("table", {"figure": name, "open": True})
    page.handle("working", {"figure": name, "open": True})
    page.handle("save", {"figure": name, "kind": "json"})
    state = page.state()
    assert state["tables"][name]["rows"]
    assert len(state["workings"][name]) > 1
    assert offered_file(page)["name"] == f"speculation-roofline-{name}.json"


@pytest.mark.parametrize(
    "change", [None, "x", {}, {"name": "nothing", "on": True}, {"figure": "nothing", "revision": 1}]
)
def test_what_no_figure_knows_changes_nothing(change: object) -> None:
    page = Page("")
    before = page.state()
    for message in ("switch", "advance", "show", "table", "working"):
        page.handle(message, change)
    assert page.state() == before


def test_nothing_is_worked_out_before_it_is_asked_for() -> None:
    shown = shown_of("")
    for figure in FIGURES.values():
        if figure.work:
            assert figure.rows(shown) == []
            assert not figure.table(shown).rows
