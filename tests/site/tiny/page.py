"""A page with one slider and one curve, to test the site without the real page."""

from urllib.parse import parse_qsl

import numpy as np
import panel as pn
from bokeh.document import Document
from bokeh.models import ColumnDataSource
from bokeh.plotting import figure

POINTS = np.arange(1.0, 17.0)


def slope_of(query: str) -> int:
    """Return the slope that a query asks for."""
    return int(dict(parse_qsl(query)).get("slope", "2"))


class Page:
    """A slope and its line."""

    def __init__(self, query: str, theme: str, language: str) -> None:
        """Start at the slope in the query."""
        self.slope = slope_of(query)
        self.note = theme
        self.language = language
        self.slider = pn.widgets.IntSlider(name="Slope", start=1, end=9, value=self.slope)
        self.slider.param.watch(self._moved, "value")
        self.source = ColumnDataSource({"x": POINTS, "y": POINTS * self.slope}, name="curve")
        plot = figure(width=400, height=300, name="plot")
        plot.line("x", "y", source=self.source)
        self.document = Document()
        slider = self.slider.get_root(self.document)
        slider.name = "slope"
        self.document.add_root(slider)
        self.document.add_root(plot)

    def _moved(self, _event: object) -> None:
        """Redraw the line."""
        self.slope = self.slider.value
        self.source.data = {"x": POINTS, "y": POINTS * self.slope}

    def state(self) -> dict[str, object]:
        """Return the words beside the line."""
        return {"slope": self.slope, "note": self.note}

    def handle(self, name: str, value: object) -> None:
        """Take a slope, a note, a theme or a query."""
        if name == "slope":
            self.slider.value = int(str(value))
        elif name == "query":
            self.slider.value = slope_of(str(value))
        elif name in {"note", "theme"}:
            self.note = str(value)
