"""The race's poster moves without a script, at the rates of the evaluation, and stands still where that is wanted."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from roofline_app import query, registry
from roofline_app.evaluation import evaluate
from roofline_app.page.figures.race.poster import LETTERS, LINES, STILL, lines, slowness
from roofline_app.page.figures.race.view import race_view
from roofline_app.page.posters import of_link

SVG = "{http://www.w3.org/2000/svg}"
LARGEST_BYTES = 40_000
FRAMES = re.compile(r"@keyframes (\w)(\d+){(.*?}})", re.DOTALL)
STOP = re.compile(r"([\d.]+)%{transform:scaleX\(([\d.]+)\)}")
PERIOD = re.compile(r"animation:([\d.]+)s step-end infinite")


def stops(drawing: str, column: str) -> list[tuple[float, int, float]]:
    """Share of the period, line, and covered share of that line, in the order of time, of a column's covers."""
    found = [
        (float(at), int(number), float(share))
        for name, number, body in FRAMES.findall(drawing)
        for at, share in STOP.findall(body)
        if name == column
    ]
    return sorted(found)


@pytest.mark.parametrize("preset", registry.presets())
def test_it_is_small_holds_no_script_and_carries_its_rates(preset: str) -> None:
    drawing = of_link(f"preset={preset}&figure=race")
    root = ET.fromstring(drawing)
    assert len(drawing.encode()) < LARGEST_BYTES
    assert not list(root.iter(f"{SVG}script"))
    assert "url(" not in drawing
    evaluation = evaluate(query.decode(f"preset={preset}").scenario)
    words = [node.text for node in root.iter(f"{SVG}text")]
    description = root.findtext(f"{SVG}desc") or ""
    for column in race_view(evaluation, 0, "en").columns:
        rate = f"{round(column.tokens_per_second):,} tok/s" if column.tokens_per_second >= 1000 else "tok/s"
        assert any(text and rate in text for text in words)
        assert f"{column.name}: " in description
    assert evaluation.model.name in (root.findtext(f"{SVG}title") or "")


def test_the_same_link_is_the_same_poster_and_another_seed_another() -> None:
    assert of_link("preset=article&figure=race") == of_link("preset=article&figure=race")
    assert of_link("preset=article&figure=race") != of_link("preset=article&figure=race&seed=1")


@pytest.mark.parametrize("preset", ["article", "122b-race", "small-gpu"])
def test_columns_move_at_the_rates_of_the_evaluation(preset: str) -> None:
    drawing = of_link(f"preset={preset}&figure=race")
    evaluation = evaluate(query.decode(f"preset={preset}").scenario)
    plain = sorted({at for at, _, _ in stops(drawing, "p")})
    fast = sorted({at for at, _, _ in stops(drawing, "q")})
    plain_pause = (plain[-1] - plain[0]) / (len(plain) - 1)
    fast_pause = (fast[-1] - fast[0]) / (len(fast) - 1)
    expected = evaluation.best_drafter.best.seconds_per_round / evaluation.step.seconds
    assert fast_pause / plain_pause == pytest.approx(expected, rel=0.01)
    assert fast[-1] < plain[-1] < 100


def test_no_cover_goes_back_while_it_plays_and_all_are_gone_at_the_end() -> None:
    drawing = of_link("preset=article&figure=race")
    for name, number, body in FRAMES.findall(drawing):
        shares = [float(share) for _, share in STOP.findall(body)]
        assert all(later <= earlier for earlier, later in pairwise(shares)), (name, number)
        assert shares[-1] < 0.5


def test_a_period_can_be_watched() -> None:
    for preset in registry.presets():
        found = PERIOD.search(of_link(f"preset={preset}&figure=race"))
        assert found
        assert 4 < float(found[1]) < 15


def test_it_stands_still_where_that_is_wanted_at_the_moment_in_which_the_faster_column_is_done() -> None:
    drawing = of_link("preset=article&figure=race")
    style = ET.fromstring(drawing).findtext(f"{SVG}style") or ""
    assert style.startswith("@media (prefers-reduced-motion:no-preference){")
    assert f"#{STILL}:target rect{{animation:none}}" in style
    covers = [
        (rect.attrib["class"], float(rect.attrib["transform"].removeprefix("scale(").split()[0]))
        for rect in ET.fromstring(drawing).iter(f"{SVG}rect")
        if "class" in rect.attrib
    ]
    fast, plain = ([share for name, share in covers if name[0] == column] for column in "qp")
    assert all(share < 0.5 for share in fast)
    assert plain[0] < 0.5
    assert plain[-1] == 1.0


@given(st.floats(1e-6, 1e6))
def test_a_race_of_any_length_is_stretched_by_a_round_number_to_some_seconds(seconds: float) -> None:
    slow = slowness(seconds)
    assert 3.5 <= seconds * slow <= 9.001
    assert f"{slow:.0e}"[0] in "125"


@given(st.lists(st.text(st.characters(codec="ascii", categories=("L", "N")), min_size=1, max_size=6), min_size=1))
def test_lines_fit_the_box_and_hold_every_token_once(pieces: list[str]) -> None:
    found = lines([f" {piece}" for piece in pieces])
    assert len(found) == LINES
    assert all(len(line.text) <= LETTERS for line in found)
    assert [line.first for line in found] == [
        sum(len(before.ends) for before in found[:index]) for index in range(LINES)
    ]
