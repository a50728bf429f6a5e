"""The drawing before BokehJS shows what BokehJS will: its points are those of the Bokeh sources."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import pairwise
from typing import Any

import pytest

from roofline_app.page.figures.stretched import colours
from roofline_app.page.page import Page


@pytest.fixture(scope="module")
def page() -> Page:
    return Page("")


def lines(drawing: str) -> list[list[tuple[float, float]]]:
    """Points of every line, as shares of the frame from its top left."""
    root = ET.fromstring(drawing)
    return [
        [(float(x), float(y)) for x, y in (pair.split(",") for pair in line.attrib["points"].split())]
        for line in root.iter("polyline")
    ]


@pytest.mark.parametrize(("figure", "x", "y"), [("speedup", "draft_tokens", "speedup"), ("batch", "batch", "speedup")])
def test_every_curve_goes_through_the_points_of_its_bokeh_source(page: Page, figure: str, x: str, y: str) -> None:
    drawn = lines(page.first_paint()[f"figure-{figure}"])
    plot = page.drawing.charts[figure].plot
    ends: Any = plot.y_range
    span = ends.end - ends.start
    sources = [page.document.get_model_by_name(f"{figure}-{index}") for index in range(3)]
    for source in sources:
        wanted = [1 - (value - ends.start) / span for value in source.data[y]]  # type: ignore[union-attr]
        heights = [[height for _, height in line] for line in drawn if len(line) == len(wanted)]
        assert any(found == pytest.approx(wanted, abs=1e-4) for found in heights)
        assert len(source.data[x]) == len(wanted)  # type: ignore[union-attr]


def test_curves_go_from_the_left_end_of_the_frame_to_the_right(page: Page) -> None:
    for drawing in page.first_paint().values():
        for line in lines(drawing):
            assert all(0 <= x <= 1 for x, _ in line)
            assert all(a <= b for (a, _), (b, _) in pairwise(line))


def test_names_of_lines_are_text_whatever_they_hold() -> None:
    drawing = Page("d=ideal,name:%3Cb%3E%26").first_paint()["figure-speedup"]
    assert "<b>" not in drawing
    ET.fromstring(drawing)


def test_colours_are_variables_of_both_themes(page: Page) -> None:
    used = set(re.findall(r"var\((--drafter-\d)\)", "".join(page.first_paint().values())))
    assert len(used) == 3
    assert all(colours().count(f"{name}:") == 2 for name in used)
