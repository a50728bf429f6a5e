"""Figure 3 drawn: a straight line per drafter's costs, its own point ringed, the toy model as the dashed diagonal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bokeh.models.annotations import Slope

from roofline_app.page.figures.acceptance.view import AcceptanceLine, AcceptanceView
from roofline_app.page.figures.chart import change
from roofline_app.page.figures.lines_chart import LinesChart
from roofline_app.page.theme import Palette
from roofline_app.text import sentence

HEIGHT = 280
LABEL_ROOM = 17 / 220
BORDER = 92
LEGIBLE = 0.8


class AcceptanceChart(LinesChart):
    """Speedup against tokens per round."""

    columns = ("tokens_per_round", "speedup", "name")
    end_columns = ("name", "draft_tokens", "x", "y")

    def __init__(self, palette: Palette, language: str) -> None:
        """Make the figure, without data."""
        super().__init__("acceptance", palette, language, height=HEIGHT, border=BORDER)
        self.plot.xaxis.axis_label = sentence("page.tokens_per_round_axis", language)
        self.toy = Slope(gradient=1, y_intercept=0, line_width=1.5, line_dash=[5, 4], level="underlay")
        self.plot.add_layout(self.toy)
        self.ends.name = "acceptance-own"
        self.lines = self.add_lines("tokens_per_round", "speedup", line_width=2.5)
        self.add_rings()
        self.names = self.add_labels(background_fill_alpha=LEGIBLE)
        values = (sentence("page.tokens_per_round", language), sentence("page.speedup", language))
        self.readout(self.source_names, (values[0], "tokens_per_round"), [("", "speedup", 2, "×")])
        rings = [self.rings] if self.rings else []
        own = [(values[0], "@x{0.00}"), (values[1], "@y{0.000}×")]
        self.hover(rings, "@name", [(sentence("page.draft_length", language), "@draft_tokens"), *own])
        self.add_marks()
        self.restyle(palette)

    def restyle(self, palette: Palette) -> None:
        """Change to another theme's colours."""
        super().restyle(palette)
        change(self.toy, line_color=palette.muted)
        change(self.names.glyph, background_fill_color=palette.background)

    def columns_of(self, line: AcceptanceLine) -> Mapping[str, Any]:
        """Return the columns of a line's source."""
        return {
            "tokens_per_round": line.tokens_per_round,
            "speedup": line.speedup,
            "name": [line.name] * len(line.speedup),
        }

    def ends_of(self, line: AcceptanceLine) -> Mapping[str, Any]:
        """Return the drafter's own point, and the end of its line."""
        return {
            "name": line.name,
            "draft_tokens": line.draft_tokens,
            "x": line.own_tokens_per_round,
            "y": line.own_speedup,
            "end": float(line.tokens_per_round[-1]),
        }

    def update(self, view: AcceptanceView) -> None:
        """Show other lines."""
        self.show(view, view.lines, marks=view.marks)
