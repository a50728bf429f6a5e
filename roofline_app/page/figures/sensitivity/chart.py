"""The sensitivity strip drawn: a line per assumption between its two ends, hollow and filled; improvements below."""

from __future__ import annotations

from bokeh.models import ColumnDataSource, Scatter, Segment
from bokeh.models.annotations import Span

from roofline_app.page.figures.chart import LABEL_GAP, Chart, change, replace_data
from roofline_app.page.figures.sensitivity.view import StripView
from roofline_app.page.theme import Palette, drafter_colour
from roofline_app.text import sentence

HEIGHT = 400
WIDE_BORDER, NARROW_BORDER = 170, 92
COLUMNS = ("y", "low", "high", "from", "to", "end", "colour", "words", "label", "draft_tokens")


class SensitivityChart(Chart):
    """Best speedups with one assumption changed."""

    def __init__(self, palette: Palette, language: str) -> None:
        """Make the figure, without data."""
        super().__init__("sensitivity", palette, height=HEIGHT, min_border_right=WIDE_BORDER)
        self.plot.xaxis.axis_label = sentence("page.best_speedup", language)
        self.now = Span(location=1, dimension="height", line_width=1.5, line_dash=[2, 3], level="underlay")
        self.plot.add_layout(self.now)
        self.source = ColumnDataSource({column: [] for column in COLUMNS}, name="sensitivity")
        self.draw(self.source, Segment(x0="from", x1="to", y0="y", y1="y", line_color="colour", line_width=2.5))
        low = Scatter(x="low", y="y", size=9, line_color="colour", line_width=2)
        high = Scatter(x="high", y="y", size=9, line_color="colour", fill_color="colour", line_width=2)
        self.low = self.draw(self.source, low, level="annotation")
        self.high = self.draw(self.source, high, level="annotation")
        self.labels = self.words(self.source, "end", "y", "label", x_offset=LABEL_GAP)
        rows = [
            (sentence("page.sensitivity_low", language), "@low{0.000}×"),
            (sentence("page.sensitivity_high", language), "@high{0.000}×"),
            (sentence("page.best_draft_length", language), "@draft_tokens"),
        ]
        self.hover([self.low, self.high], "@words", rows)
        self.restyle(palette)

    def restyle(self, palette: Palette) -> None:
        """Change to another theme's colours."""
        super().restyle(palette)
        change(self.now, line_color=palette.rule)
        change(self.low.glyph, fill_color=palette.background)
        change(self.labels.glyph, text_color=palette.muted)

    def update(self, view: StripView) -> None:
        """Show another setting, or more of it."""
        change(self.plot, min_border_right=NARROW_BORDER if self.narrow else WIDE_BORDER)
        self.set_axes(view.x, view.y)
        change(self.now, location=view.now)
        colour = drafter_colour(self.palette, view.line, view.colour)
        rows = view.rows
        replace_data(
            self.source,
            {
                "y": [row.y for row in rows],
                "low": [row.low for row in rows],
                "high": [row.high for row in rows],
                "from": [min(row.low, row.high, view.now) for row in rows],
                "to": [max(row.low, row.high, view.now) for row in rows],
                "end": [view.x.end] * len(rows),
                "colour": [self.palette.text if row.improvement else colour for row in rows],
                "words": [row.words for row in rows],
                "label": [row.label for row in rows],
                "draft_tokens": [row.draft_tokens for row in rows],
            },
        )
