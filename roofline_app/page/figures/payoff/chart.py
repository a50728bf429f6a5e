"""Figure 10 drawn: the cost of a million tokens against tokens per round, ringed now and after training."""

from __future__ import annotations

from bokeh.models import ColumnDataSource, Line, Scatter

from roofline_app.page.figures.chart import LABEL_GAP, Chart, change, replace_data
from roofline_app.page.figures.payoff.view import PayoffView
from roofline_app.page.theme import Palette, drafter_colour
from roofline_app.text import sentence

HEIGHT = 280
BORDER = 24


class PayoffChart(Chart):
    """Cost against tokens per round."""

    def __init__(self, palette: Palette, language: str) -> None:
        """Make the figure, without data."""
        super().__init__("payoff", palette, height=HEIGHT, min_border_right=BORDER)
        self.plot.xaxis.axis_label = sentence("page.tokens_per_round_axis", language)
        self.source = ColumnDataSource({"tokens_per_round": [], "cost": [], "name": []}, name="payoff")
        self.line = self.draw(self.source, Line(x="tokens_per_round", y="cost", line_width=2.5))
        columns = ("tokens_per_round", "cost", "words", "label", "text")
        self.marks = ColumnDataSource({name: [] for name in columns}, name="payoff-points")
        self.rings = self.draw(
            self.marks, Scatter(x="tokens_per_round", y="cost", size=13, line_width=2.6), level="annotation"
        )
        self.labels = self.words(
            self.marks, "tokens_per_round", "cost", "label", x_offset=LABEL_GAP, y_offset=-10, text_font_style="bold"
        )
        tokens = sentence("page.tokens_per_round", language)
        cost = sentence("page.cost_of_million", language)
        self.hover([self.rings], "@words", [(tokens, "@tokens_per_round{0.00}"), (cost, "@text")])
        self.readout(["payoff"], (tokens, "tokens_per_round"), [(cost, "cost", 3, "")], y="cost")
        self.restyle(palette)

    def restyle(self, palette: Palette) -> None:
        """Change to another theme's colours."""
        super().restyle(palette)
        change(self.rings.glyph, fill_color=palette.background)

    def update(self, view: PayoffView) -> None:
        """Show another drafter or another training."""
        self.set_axes(view.x, view.y)
        change(self.axes()[1], axis_label=view.cost_words)
        colour = drafter_colour(self.palette, view.line, view.colour)
        change(self.line.glyph, line_color=colour)
        change(self.rings.glyph, line_color=colour)
        change(self.labels.glyph, text_color=colour)
        replace_data(
            self.source,
            {"tokens_per_round": view.tokens_per_round, "cost": view.cost, "name": [view.name] * len(view.cost)},
        )
        points = view.points
        replace_data(
            self.marks,
            {
                "tokens_per_round": [point.tokens_per_round for point in points],
                "cost": [point.cost for point in points],
                "words": [point.words for point in points],
                "label": [f"{point.words} {point.text}" for point in points],
                "text": [point.text for point in points],
            },
        )
