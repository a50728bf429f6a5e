"""The schedule drawn: a field per line and draft length, coloured by the line; a click takes a setting."""

from __future__ import annotations

import numpy as np
from bokeh.models import ColumnDataSource, Quad, Scatter

from roofline_app.page.figures.chart import Chart, change, empty, replace_data
from roofline_app.page.figures.schedule.view import ScheduleView, field_colour
from roofline_app.page.theme import Palette, readable
from roofline_app.text import sentence

HEIGHT = 380
GAP = 0.47


class ScheduleChart(Chart):
    """Line and draft length over batch and context."""

    def __init__(self, palette: Palette, language: str) -> None:
        """Make the figure, without data."""
        super().__init__("schedule", palette, height=HEIGHT, min_border_right=14)
        self.plot.xaxis.axis_label = sentence("page.batch_axis", language)
        self.axes()[1].axis_label = sentence("page.context_axis", language)
        self.plot.ygrid.visible = False
        places = ("left", "right", "bottom", "top", "x", "y")
        words = ("name", "draft_tokens", "batches", "contexts", "text", "colour", "ink")
        self.fields = ColumnDataSource({column: [] for column in (*places, *words)}, name="schedule")
        quad = Quad(left="left", right="right", bottom="bottom", top="top", fill_color="colour", line_color=None)
        drawn = self.draw(self.fields, quad)
        self.words(self.fields, "x", "y", "text", text_align="center", text_color="ink")
        self.now = empty("x", "y")
        ring = Scatter(x="x", y="y", size=20, marker="square", line_width=2.6, fill_color=None)
        self.ring = self.draw(self.now, ring, level="annotation")
        self.hover(
            [drawn],
            "@name",
            [
                (sentence("page.draft_length", language), "@draft_tokens"),
                (sentence("page.batch", language), "@batches"),
                (sentence("page.context_typed", language), "@contexts"),
            ],
        )
        self.restyle(palette)

    def restyle(self, palette: Palette) -> None:
        """Change to another theme's colours."""
        super().restyle(palette)
        change(self.ring.glyph, line_color=palette.text)

    def update(self, view: ScheduleView) -> None:
        """Show other fields."""
        self.set_axes(view.x, view.y)
        fields = view.fields
        colours = [field_colour(field, self.palette) for field in fields]
        replace_data(self.now, {"x": [view.now[0]], "y": [view.now[1]]})
        replace_data(
            self.fields,
            {
                "left": np.array([field.left - GAP for field in fields]),
                "right": np.array([field.right + GAP for field in fields]),
                "bottom": np.array([field.bottom - GAP for field in fields]),
                "top": np.array([field.top + GAP for field in fields]),
                "x": np.array([(field.left + field.right) / 2 for field in fields]),
                "y": np.array([(field.bottom + field.top) / 2 for field in fields]),
                "name": [field.name for field in fields],
                "draft_tokens": np.array([field.draft_tokens for field in fields]),
                "batches": [field.batches for field in fields],
                "contexts": [field.contexts for field in fields],
                "text": [field.text for field in fields],
                "colour": colours,
                "ink": [readable(colour) for colour in colours],
            },
        )
