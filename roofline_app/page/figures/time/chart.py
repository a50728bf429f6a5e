"""Figure 5 drawn: a bar per pass, of seconds by component."""

from __future__ import annotations

from roofline_app import format as fmt
from roofline_app.page.figures.bars import BarChart
from roofline_app.page.figures.chart import replace_data
from roofline_app.page.figures.time.view import TimeView
from roofline_app.page.theme import Palette
from roofline_app.text import sentence

HEIGHT = 280


class TimeChart(BarChart):
    """Seconds per committed token, by component."""

    def __init__(self, palette: Palette, language: str) -> None:
        """Make the figure, without data."""
        super().__init__("time", palette, height=HEIGHT, columns=("component", "words", "seconds", "bar", "text"))
        self.plot.xaxis.axis_label = sentence("page.time_axis", language)
        self.hover([self.bars], "@bar", [("@words", "@text")])

    def update(self, view: TimeView) -> None:
        """Show other bars."""
        words = tuple(f"{name} · {fmt.seconds(total)}" for name, total in zip(view.rows, view.totals, strict=True))
        self.show(view.x, words)
        replace_data(
            self.source,
            {
                "component": [segment.component for segment in view.segments],
                "words": [segment.words for segment in view.segments],
                "seconds": [segment.seconds for segment in view.segments],
                "bar": [view.rows[segment.row] for segment in view.segments],
                "text": [fmt.seconds(segment.seconds) for segment in view.segments],
                "row": [segment.row for segment in view.segments],
                "left": [segment.left for segment in view.segments],
                "right": [segment.left + segment.seconds for segment in view.segments],
                "colour": [self.palette.components[segment.component] for segment in view.segments],
            },
        )
