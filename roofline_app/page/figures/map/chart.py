"""Figure 7 drawn: a cell per batch and context, coloured by speedup; a click takes its setting."""

from __future__ import annotations

import numpy as np
from bokeh.models import ColumnDataSource, Rect, Scatter

from roofline_app import format as fmt
from roofline_app.page.figures.chart import Chart, change, empty, replace_data
from roofline_app.page.figures.map.view import Cell, MapView
from roofline_app.page.theme import FAINT, Palette, ramp, readable
from roofline_app.text import sentence

HEIGHT = 400
CELL = 0.96


def _alpha(cell: Cell) -> float:
    """Return the opacity of a cell: faint if its value is an earlier setting's, fainter if it does not fit."""
    if cell.fits:
        return 1.0 if cell.fresh else FAINT
    return 0.5 * FAINT


class MapChart(Chart):
    """Best speedup over batch and context."""

    def __init__(self, palette: Palette, language: str) -> None:
        """Make the figure, without data."""
        self.language = language
        super().__init__("map", palette, height=HEIGHT, min_border_right=14)
        self.plot.xaxis.axis_label = sentence("page.batch_axis", language)
        self.axes()[1].axis_label = sentence("page.context_axis", language)
        self.plot.ygrid.visible = False
        columns = ("column", "row", "batch", "context", "speedup", "draft_tokens", "name", "place", "text")
        self.cells = ColumnDataSource({name: [] for name in (*columns, "colour", "ink", "alpha")}, name="map")
        cell = Rect(
            x="column", y="row", width=CELL, height=CELL, fill_color="colour", fill_alpha="alpha", line_color=None
        )
        self.draw(self.cells, cell)
        self.words(self.cells, "column", "row", "text", text_align="center", text_color="ink", text_alpha="alpha")
        self.now = empty("x", "y")
        ring = Scatter(x="x", y="y", size=20, marker="square", line_width=2.6, fill_color=None)
        self.ring = self.draw(self.now, ring, level="annotation")
        self.readout(
            ["map"],
            ("", "column"),
            [
                ("", "speedup", 2, "×"),
                (sentence("page.best_draft_length", language), "draft_tokens", 0, ""),
            ],
            y="row",
            said="place",
            plane=True,
            chooses="key",
        )
        self.restyle(palette)

    def restyle(self, palette: Palette) -> None:
        """Change to another theme's colours."""
        super().restyle(palette)
        change(self.ring.glyph, line_color=palette.text)

    def _place(self, cell: Cell) -> str:
        """Return a cell's batch and context in words."""
        batch, context = sentence("page.batch", self.language), sentence("page.context_typed", self.language)
        return f"{batch} {cell.batch}, {context} {fmt.tokens(cell.context)}"

    def update(self, view: MapView) -> None:
        """Show other cells."""
        self.set_axes(view.x, view.y)
        cells = view.cells
        colours = [ramp(self.palette.ramp, cell.shade) for cell in cells]
        replace_data(self.now, {"x": [view.now[0]], "y": [view.now[1]]})
        replace_data(
            self.cells,
            {
                "column": np.array([cell.column for cell in cells]),
                "row": np.array([cell.row for cell in cells]),
                "batch": np.array([cell.batch for cell in cells]),
                "context": np.array([cell.context for cell in cells]),
                "speedup": np.array([cell.speedup for cell in cells]),
                "draft_tokens": np.array([cell.draft_tokens for cell in cells]),
                "name": [cell.name for cell in cells],
                "place": [self._place(cell) for cell in cells],
                "text": [cell.text if cell.fits else "" for cell in cells],
                "colour": colours,
                "ink": [readable(colour) for colour in colours],
                "alpha": np.array([_alpha(cell) for cell in cells]),
            },
        )
