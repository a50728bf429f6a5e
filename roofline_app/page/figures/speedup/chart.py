"""Figure 1 drawn: curves, toy model dashed, best points ringed, labels at the line ends."""

from __future__ import annotations

import numpy as np
from bokeh.core.properties import value
from bokeh.models import ColumnDataSource, Line, Scatter, VArea
from bokeh.models.annotations import Span

from roofline_app.page.figures.chart import LABEL_GAP, LINES, Chart, change, empty, replace_data
from roofline_app.page.figures.measured_points.layer import MarkLayer
from roofline_app.page.figures.speedup.view import Curve, SpeedupView
from roofline_app.page.theme import FAINT, LABEL_SIZE, Palette, drafter_colour
from roofline_app.text import sentence

HEIGHT = 420
LABEL_ROOM = 38 / 360
WIDE_BORDER = 136
NARROW_BORDER = 108
DOT, SMALL_DOT, MANY = 5, 3, 32
COLUMNS = (
    "draft_tokens",
    "speedup",
    "tokens_per_round",
    "tokens_per_second_per_user",
    "name",
    "solid",
    "beyond",
    "measured",
)


class SpeedupChart(Chart):
    """Speedup against draft length."""

    def __init__(self, palette: Palette, language: str) -> None:
        """Make the figure, without data."""
        super().__init__("speedup", palette, height=HEIGHT, min_border_right=WIDE_BORDER)
        self.plot.xaxis.axis_label = sentence("page.draft_length_axis", language)
        self.one = Span(location=1, dimension="width", line_width=1, level="underlay")
        self.plot.add_layout(self.one)
        self.pinned = self.behind("speedup")
        self.sources = [ColumnDataSource({column: [] for column in COLUMNS}, name=f"speedup-{i}") for i in LINES]
        self.band = ColumnDataSource({"draft_tokens": [], "low": [], "high": []}, name="speedup-band")
        area = VArea(x="draft_tokens", y1="low", y2="high", fill_alpha=0.16)
        self.area = self.draw(self.band, area, level="underlay")
        self.toy = [
            self.draw(source, Line(x="draft_tokens", y="tokens_per_round", line_width=1.5, line_dash=[5, 4]))
            for source in self.sources
        ]
        self.lines = [
            self.draw(source, Line(x="draft_tokens", y="solid", line_width=2.5, line_join="round"))
            for source in self.sources
        ]
        self.beyond = [
            self.draw(source, Line(x="draft_tokens", y="beyond", line_width=2, line_dash=[1, 5], line_cap="round"))
            for source in self.sources
        ]
        self.dots = [
            self.draw(source, Scatter(x="draft_tokens", y="speedup", size=DOT), level="annotation")
            for source in self.sources
        ]
        self.marks = empty("x", "y", "colour", "title", "label", "end", "label_y")
        ring = Scatter(x="x", y="y", size=13, line_width=2.6, line_color="colour")
        self.rings = self.draw(self.marks, ring, level="annotation")
        self._label("title", -8, text_font_size=value(LABEL_SIZE), text_font_style="bold")
        self._label("label", 8)
        self.hover(
            [*self.lines, *self.beyond],
            "@name",
            [
                (sentence("page.draft_length", language), "@draft_tokens @measured"),
                (sentence("page.speedup", language), "@speedup{0.000}×"),
                (sentence("page.tokens_per_round", language), "@tokens_per_round{0.00}"),
                (sentence("page.per_user", language), "@tokens_per_second_per_user{0,0} tok/s"),
            ],
            line_policy="nearest",
        )
        self.measured = MarkLayer("speedup", self, language)
        self.restyle(palette)

    def _label(self, column: str, offset: int, **style: object) -> None:
        place = {"x_offset": LABEL_GAP, "y_offset": offset, "text_color": "colour"}
        self.words(self.marks, "end", "label_y", column, **place, **style)

    def restyle(self, palette: Palette) -> None:
        """Take another theme's colours."""
        super().restyle(palette)
        change(self.one, line_color=palette.rule)
        change(self.rings.glyph, fill_color=palette.background)

    def update(self, view: SpeedupView) -> None:
        """Show other curves."""
        change(self.plot, min_border_right=NARROW_BORDER if self.narrow else WIDE_BORDER)
        self.set_axes(view.x, view.y)
        self._band(view)
        self.measured.update(view.marks, [curve.colour for curve in view.curves])
        self.show_behind(self.pinned, view.pinned)
        for index in LINES:
            self._curve(index, view.curves[index] if index < len(view.curves) else None, view)
        colours = [drafter_colour(self.palette, index, curve.colour) for index, curve in enumerate(view.curves)]
        shown = [(curve, colour) for curve, colour in zip(view.curves, colours, strict=True) if curve.shown]
        replace_data(
            self.marks,
            {
                "x": [curve.best_draft_tokens for curve, _ in shown],
                "y": [curve.best_speedup for curve, _ in shown],
                "colour": [colour for _, colour in shown],
                "title": [curve.title for curve, _ in shown],
                "label": [curve.label for curve, _ in shown],
                "end": [view.x.end] * len(shown),
                "label_y": [curve.label_y for curve, _ in shown],
            },
        )

    def _band(self, view: SpeedupView) -> None:
        band = view.band
        if band is None:
            replace_data(self.band, {"draft_tokens": [], "low": [], "high": []})
            return
        change(self.area.glyph, fill_color=drafter_colour(self.palette, band.line, view.curves[band.line].colour))
        change(self.area, visible=view.curves[band.line].shown)
        lengths = list(range(len(band.low)))
        replace_data(self.band, {"draft_tokens": lengths, "low": list(band.low), "high": list(band.high)})

    def _curve(self, index: int, curve: Curve | None, view: SpeedupView) -> None:
        if curve is None:
            replace_data(self.sources[index], {column: [] for column in COLUMNS})
            return
        colour = drafter_colour(self.palette, index, curve.colour)
        alpha = 1.0 if view.feasible else FAINT
        for renderer in (self.lines[index], self.beyond[index], self.dots[index], self.toy[index]):
            change(renderer, visible=curve.shown)
        for line in (self.lines[index], self.beyond[index]):
            change(line.glyph, line_color=colour, line_alpha=alpha)
        change(self.dots[index].glyph, size=DOT if len(curve.draft_tokens) <= MANY else SMALL_DOT)
        change(self.dots[index].glyph, fill_color=colour, line_color=colour, fill_alpha=alpha, line_alpha=alpha)
        change(self.toy[index].glyph, line_color=colour, line_alpha=0.75 * alpha)
        replace_data(
            self.sources[index],
            {
                "draft_tokens": curve.draft_tokens,
                "speedup": curve.speedup,
                "tokens_per_round": curve.tokens_per_round,
                "tokens_per_second_per_user": curve.tokens_per_second_per_user,
                "name": [curve.name] * len(curve.draft_tokens),
                "solid": np.where(curve.draft_tokens <= curve.measured_draft_tokens, curve.speedup, np.nan),
                "beyond": np.where(curve.draft_tokens >= curve.measured_draft_tokens, curve.speedup, np.nan),
                "measured": list(curve.measured),
            },
        )
