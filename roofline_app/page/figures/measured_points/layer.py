"""Measured points drawn on a figure: diamonds for published ones, squares for the user's own."""

from __future__ import annotations

from collections.abc import Sequence

from bokeh.models import ColumnDataSource, Scatter

from roofline_app import format as fmt
from roofline_app.page.figures.chart import Chart, replace_data
from roofline_app.page.figures.measured_points.points import PlacedMark, tokens_said
from roofline_app.page.theme import drafter_colour
from roofline_app.text import sentence

SIZE = 13
COLUMNS = ("x", "y", "colour", "shape", "name", "setting", "tokens", "speedup", "error", "conditions", "source")


class MarkLayer:
    """The measured points of one figure.

    Attributes:
        source: One row per point.
    """

    def __init__(self, name: str, chart: Chart, language: str) -> None:
        """Add an empty layer to a figure of a name."""
        self.chart = chart
        self.source = ColumnDataSource({column: [] for column in COLUMNS}, name=f"{name}-measured")
        glyph = Scatter(
            x="x",
            y="y",
            marker="shape",
            size=SIZE,
            line_color="colour",
            fill_color="colour",
            fill_alpha=0.35,
            line_width=1.6,
        )
        rows = [
            ("", "@setting"),
            (sentence("page.speedup", language), "@speedup"),
            (sentence("page.tokens_per_round", language), "@tokens"),
            (sentence("page.error", language), "@error"),
            ("", "@conditions"),
            ("", "@source"),
        ]
        chart.hover([chart.draw(self.source, glyph, level="annotation")], "@name", rows, attachment="vertical")

    def update(self, marks: Sequence[PlacedMark], colours: Sequence[str]) -> None:
        """Show other points.

        Args:
            marks: The points, and the words of their tooltips.
            colours: The user's own colours of the lines, empty for the palette's.
        """
        palette = self.chart.palette
        lines = [
            palette.text if mark.line is None else drafter_colour(palette, mark.line, colours[mark.line])
            for mark in marks
        ]
        replace_data(
            self.source,
            {
                "x": [mark.x for mark in marks],
                "y": [mark.y for mark in marks],
                "colour": lines,
                "shape": ["square" if mark.mark.own else "diamond" for mark in marks],
                "name": [mark.mark.name for mark in marks],
                "setting": [mark.mark.setting for mark in marks],
                "tokens": [tokens_said(mark.mark) for mark in marks],
                "speedup": [fmt.speedup(mark.mark.speedup) for mark in marks],
                "error": [mark.error for mark in marks],
                "conditions": [mark.mark.conditions for mark in marks],
                "source": [mark.mark.source for mark in marks],
            },
        )
