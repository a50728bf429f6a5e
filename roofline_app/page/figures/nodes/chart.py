"""Nodes for a target drawn: two frontiers over log axes, nodes named on them, the target as lines."""

from __future__ import annotations

from bokeh.models import ColumnDataSource, Line, Scatter
from bokeh.models.annotations import Span

from roofline_app.page.figures.chart import Chart, change, empty, replace_data
from roofline_app.page.figures.nodes.view import PLAIN, WITH, NodeCurve, NodesView, curve_colour
from roofline_app.page.theme import FAINT, Palette
from roofline_app.text import sentence

HEIGHT = 360
COLUMNS = ("x", "y", "batch", "node", "name")


class NodesChart(Chart):
    """Tokens per second per user against USD per million tokens."""

    def __init__(self, palette: Palette, language: str) -> None:
        """Make the figure, without data."""
        super().__init__("nodes", palette, height=HEIGHT, x_axis_type="log", y_axis_type="log")
        self.plot.xaxis.axis_label = sentence("nodes.x_axis", language)
        self.axes()[1].axis_label = sentence("nodes.y_axis", language)
        self.sources = {
            key: ColumnDataSource({column: [] for column in COLUMNS}, name=f"nodes-{key}") for key in (PLAIN, WITH)
        }
        self.lines = {
            key: self.draw(source, Line(x="x", y="y", line_width=2.2, line_join="round"))
            for key, source in self.sources.items()
        }
        self.dots = {
            key: self.draw(source, Scatter(x="x", y="y", size=6), level="annotation")
            for key, source in self.sources.items()
        }
        self.names = {
            key: self.words(source, "x", "y", "name", x_offset=6, y_offset=9, text_align="left")
            for key, source in self.sources.items()
        }
        self.now = empty("x", "y")
        self.now.name = "nodes-cheapest"
        self.ring = self.draw(self.now, Scatter(x="x", y="y", size=14, line_width=2.6, fill_color=None), "annotation")
        self.user, self.usd = (Span(dimension=way, line_dash=[4, 4], line_width=1.4) for way in ("height", "width"))
        for span in (self.user, self.usd):
            self.plot.add_layout(span)
        self.hover(
            list(self.dots.values()),
            "@node",
            [
                (sentence("page.batch", language), "@batch"),
                (sentence("page.per_user", language), "@x{0,0.[0]} tok/s"),
                (sentence("page.per_million", language), "$@y{0,0.[0000]}"),
            ],
        )
        self.restyle(palette)

    def restyle(self, palette: Palette) -> None:
        """Change to another theme's colours."""
        super().restyle(palette)
        for key in self.sources:
            colour = curve_colour(key, palette)
            change(self.lines[key].glyph, line_color=colour)
            change(self.dots[key].glyph, line_color=colour, fill_color=colour)
            change(self.names[key].glyph, text_color=palette.text if key == WITH else palette.muted)
        change(self.ring.glyph, line_color=palette.text)
        for span in (self.user, self.usd):
            change(span, line_color=palette.rule)

    def update(self, view: NodesView) -> None:
        """Show other frontiers; pale while the search goes on."""
        self.set_axes(view.x, view.y)
        for curve in view.curves:
            self._curve(curve, 1.0 if view.fresh else FAINT)
        user, usd = view.asked
        change(self.user, location=user, visible=user is not None)
        change(self.usd, location=usd, visible=usd is not None)
        cheapest = [] if view.cheapest is None else [view.cheapest]
        replace_data(
            self.now,
            {
                "x": [point.tokens_per_second_per_user for point in cheapest],
                "y": [point.usd_per_million_tokens for point in cheapest],
            },
        )

    def _curve(self, curve: NodeCurve, alpha: float) -> None:
        change(self.lines[curve.id].glyph, line_alpha=alpha)
        replace_data(
            self.sources[curve.id],
            {
                "x": [point.tokens_per_second_per_user for point in curve.points],
                "y": [point.usd_per_million_tokens for point in curve.points],
                "batch": [point.batch for point in curve.points],
                "node": list(curve.hovers),
                "name": list(curve.names),
            },
        )
