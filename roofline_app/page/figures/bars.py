"""Stacked bars with words above them."""

from __future__ import annotations

from bokeh.models import ColumnDataSource, HBar

from roofline_app.page.figures.axes import Axis
from roofline_app.page.figures.chart import Chart, change, empty, replace_data
from roofline_app.page.theme import Palette

BAR = 0.42
ROOM_FOR_WORDS = 0.25


class BarChart(Chart):
    """Horizontal bars with words above them; row 0 is at the top."""

    def __init__(self, name: str, palette: Palette, *, height: int, columns: tuple[str, ...]) -> None:
        """Make the figure, without data; `columns` are the source's columns beside those of place and colour."""
        super().__init__(name, palette, height=height, min_border_right=14)
        self.source = ColumnDataSource(
            {column: [] for column in (*columns, "row", "left", "right", "colour")}, name=name
        )
        bar = HBar(y="row", left="left", right="right", height=BAR, fill_color="colour", line_width=1)
        self.bars = self.draw(self.source, bar)
        self.rows = empty("x", "row", "text")
        self.labels = self.words(self.rows, "x", "row", "text", text_baseline="bottom")
        self.plot.ygrid.visible = False
        self.axes()[1].visible = False
        self.restyle(palette)

    def restyle(self, palette: Palette) -> None:
        """Change to another theme's colours."""
        super().restyle(palette)
        change(self.bars.glyph, line_color=palette.background)
        change(self.labels.glyph, text_color=palette.text)

    def show(self, x: Axis, words: tuple[str, ...]) -> None:
        """Set the axis and the words above each bar."""
        rows = len(words)
        room = ROOM_FOR_WORDS if any(words) else 0.0
        self.set_axes(x, Axis(start=rows - 0.5, end=-0.5 - room, ticks=(), labels=()))
        tops = [row - BAR / 2 - 0.06 for row in range(rows)]
        replace_data(self.rows, {"x": [0.0] * rows, "row": tops, "text": list(words)})
