"""Posters show what the evaluation holds, as pictures and as text."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from roofline_app import query, registry
from roofline_app.evaluation import evaluate
from roofline_app.page.figures.canvas import BOTTOM, HEIGHT, LABELS_RIGHT, LEFT, TOP, WIDTH
from roofline_app.page.figures.catalogue import FIGURES
from roofline_app.page.posters import poster
from roofline_app.page.theme import PALETTES
from roofline_app.results import Evaluation
from roofline_app.verdict import answer

SVG = "{http://www.w3.org/2000/svg}"
PIXEL = 0.011


def evaluated(preset: str) -> Evaluation:
    return evaluate(query.decode(registry.presets()[preset].query).scenario)


def lines(drawing: str, colour: str) -> Iterator[NDArray[np.float64]]:
    """Points of the solid lines of a colour, in pixels."""
    for line in ET.fromstring(drawing).iter(f"{SVG}polyline"):
        if line.attrib["stroke"] == colour and "stroke-dasharray" not in line.attrib:
            yield np.array([[float(value) for value in pair.split(",")] for pair in line.attrib["points"].split()])


def scale(drawing: str) -> tuple[float, float]:
    """Pixels of one times, and where none stands, from the words at the ticks."""
    ticks = {
        float(node.text.removesuffix("×")): float(node.attrib["y"])
        for node in ET.fromstring(drawing).iter(f"{SVG}text")
        if node.text and node.text.endswith("×") and node.attrib.get("text-anchor") == "end"
    }
    return (ticks[0.0] - ticks[max(ticks)]) / max(ticks), ticks[0.0] - 4.0


@pytest.mark.parametrize("preset", registry.presets())
@pytest.mark.parametrize("figure", ["speedup", "batch"])
def test_a_poster_draws_the_speedups_of_the_evaluation(preset: str, figure: str) -> None:
    evaluation = evaluated(preset)
    drawing = poster(evaluation, figure)
    one, base = scale(drawing)
    for index, result in enumerate(evaluation.drafters):
        wanted = result.speedup if figure == "speedup" else evaluation.best_by_batch.drafters[index].speedup
        drawn = np.concatenate(list(lines(drawing, PALETTES["light"].drafters[index])))
        shown = (base - drawn[:, 1]) / one
        known = wanted[: shown.size]
        assert shown == pytest.approx(known, abs=3 * PIXEL / one)
        assert drawn[0, 0] == pytest.approx(LEFT, abs=PIXEL)
        assert (drawn[:, 0] <= WIDTH - LABELS_RIGHT + PIXEL).all()


@pytest.mark.parametrize("theme", PALETTES)
@pytest.mark.parametrize("figure", FIGURES)
def test_every_mark_lies_inside_the_picture(figure: str, theme: str) -> None:
    for preset in registry.presets():
        root = ET.fromstring(poster(evaluated(preset), figure, theme))
        for circle in root.iter(f"{SVG}circle"):
            assert LEFT - PIXEL <= float(circle.attrib["cx"]) <= WIDTH
            assert TOP - PIXEL <= float(circle.attrib["cy"]) <= HEIGHT - BOTTOM + PIXEL


def test_a_poster_carries_its_numbers_as_text() -> None:
    evaluation = evaluated("article")
    text = ET.fromstring(poster(evaluation, "time")).findtext(f"{SVG}desc")
    said = answer(evaluation)
    assert text == f"{said.headline} {said.verdict}"


def test_a_poster_speaks_the_language_asked_for() -> None:
    assert "批大小 32" in poster(evaluated("article"), "speedup", "light", "zh")


def test_names_of_readers_are_text() -> None:
    scenario = query.decode("drafter=mtp,name=<b>%26</b>").scenario
    for figure in FIGURES:
        drawing = poster(evaluate(scenario), figure)
        ET.fromstring(drawing)
        assert "<b>" not in drawing
