"""The difference drawn: a bar for each setting, and between them one for each part, where the last one ended."""

from __future__ import annotations

from roofline_app.page.figures.bars import BarChart
from roofline_app.page.figures.chart import replace_data
from roofline_app.page.figures.difference.view import AFTER, BEFORE, Bar, DifferenceView
from roofline_app.page.theme import Palette
from roofline_app.text import sentence

HEIGHT = 380


def bar_colour(bar: Bar, palette: Palette) -> str:
    """Return the colour of a setting, of a part that takes time, or of one that saves it."""
    if bar.group in {BEFORE, AFTER}:
        return palette.rule
    return palette.components["drafting" if bar.seconds > 0 else "attention"]


class DifferenceChart(BarChart):
    """Seconds of a token of two settings, and the parts of their difference."""

    def __init__(self, palette: Palette, language: str) -> None:
        """Make the figure, without data."""
        super().__init__("difference", palette, height=HEIGHT, columns=("words",))
        self.plot.xaxis.axis_label = sentence("page.time_axis", language)
        self.hover([self.bars], "@words", [])
        self.restyle(palette)

    def update(self, view: DifferenceView) -> None:
        """Show another difference."""
        bars = view.bars
        self.show(view.x, tuple(bar.words for bar in bars))
        replace_data(
            self.source,
            {
                "words": [bar.words for bar in bars],
                "row": list(range(len(bars))),
                "left": [bar.left for bar in bars],
                "right": [bar.right for bar in bars],
                "colour": [bar_colour(bar, self.palette) for bar in bars],
            },
        )
