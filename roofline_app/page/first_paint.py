"""The first paint: figures as SVG, before BokehJS draws them."""

from __future__ import annotations

from roofline_app.page.figures.catalogue import FIGURES
from roofline_app.page.figures.look import Shown


def first_paint(shown: Shown) -> dict[str, str]:
    """Return SVG by the name of the root that takes its place: the figures at the top of the page."""
    return {f"figure-{name}": figure.first_paint(shown) for name, figure in FIGURES.items() if figure.first_paint}
