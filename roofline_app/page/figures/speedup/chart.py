"""Figure 1 drawn: curves, toy model dashed, best points ringed, labels at the line ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, VArea

from roofline_app.page.figures.chart import change, replace_data
from roofline_app.page.figures.lines_chart import LinesChart
from roofline_app.page.figures.speedup.view import Curve, SpeedupView
from roofline_app.page.theme import FAINT, Palette, drafter_colour
from roofline_app.text import sentence

HEIGHT = 420
LABEL_ROOM = 38 / 360
WIDE_BORDER = 136
NARROW_BORDER = 108
DOT, SMALL_DOT, MANY = 5, 3, 32
REPORTED_DASH = [8, 3, 2, 3]


class SpeedupChart(LinesChart):
    """Speedup against draft length."""

    columns = (
        "draft_tokens",
        "speedup",
        "tokens_per_round",
        "reported",
        "tokens_per_second_per_user",
        "name",
        "solid",
        "beyond",
        "measured",
    )
    end_columns = ("x", "y", "title")

    def __init__(self, palette: Palette, language: str) -> None:
        """Make the figure, without data."""
        super().__init__("speedup", palette, language, height=HEIGHT, border=WIDE_BORDER)
        self.plot.xaxis.axis_label = sentence("page.draft_length_axis", language)
        self.pinned = self.behind("speedup")
        self.band = ColumnDataSource({"draft_tokens": [], "low": [], "high": []}, name="speedup-band")
        area = VArea(x="draft_tokens", y1="low", y2="high", fill_alpha=0.16)
        self.area = self.draw(self.band, area, level="underlay")
        x = "draft_tokens"
        self.toy = self.add_lines(x, "tokens_per_round", line_width=1.5, line_dash=[5, 4])
        self.requests = self.add_lines(x, "reported", line_width=1.8, line_dash=REPORTED_DASH)
        self.lines = self.add_lines(x, "solid", line_width=2.5, line_join="round")
        self.beyond = self.add_lines(x, "beyond", line_width=2, line_dash=[1, 5], line_cap="round")
        self.dots = self.add_dots(x, "speedup", DOT)
        self.add_rings()
        self.add_labels()
        self.readout(
            self.source_names,
            (sentence("page.draft_length", language), "draft_tokens"),
            [
                ("", "speedup", 2, "×"),
                (sentence("page.tokens_per_round", language), "tokens_per_round", 2, ""),
                ("", "tokens_per_second_per_user", 0, " tok/s"),
                ("", "measured", 0, ""),
            ],
        )
        self.add_marks()
        self.restyle(palette)

    def columns_of(self, line: Curve) -> Mapping[str, Any]:
        """Return the columns of a curve's source."""
        return {
            "draft_tokens": line.draft_tokens,
            "speedup": line.speedup,
            "tokens_per_round": line.tokens_per_round,
            "reported": line.reported if line.reported.size else np.full(line.speedup.shape, np.nan),
            "tokens_per_second_per_user": line.tokens_per_second_per_user,
            "name": [line.name] * len(line.draft_tokens),
            "solid": np.where(line.draft_tokens <= line.measured_draft_tokens, line.speedup, np.nan),
            "beyond": np.where(line.draft_tokens >= line.measured_draft_tokens, line.speedup, np.nan),
            "measured": list(line.measured),
        }

    def ends_of(self, line: Curve) -> Mapping[str, Any]:
        """Return the best point and the first line of the label."""
        return {"x": line.best_draft_tokens, "y": line.best_speedup, "title": line.title}

    def update(self, view: SpeedupView) -> None:
        """Show other curves."""
        change(self.plot, min_border_right=NARROW_BORDER if self.narrow else WIDE_BORDER)
        self._band(view)
        self.show(view, view.curves, marks=view.marks, pinned=view.pinned)
        alpha = 1.0 if view.feasible else FAINT
        for index, curve in enumerate(view.curves):
            for line in (self.lines[index], self.beyond[index]):
                change(line.glyph, line_alpha=alpha)
            size = DOT if len(curve.draft_tokens) <= MANY else SMALL_DOT
            change(self.dots[index].glyph, size=size, fill_alpha=alpha, line_alpha=alpha)
            change(self.toy[index].glyph, line_alpha=0.75 * alpha)
            change(self.requests[index].glyph, line_alpha=alpha)

    def _band(self, view: SpeedupView) -> None:
        band = view.band
        if band is None:
            replace_data(self.band, {"draft_tokens": [], "low": [], "high": []})
            return
        change(self.area.glyph, fill_color=drafter_colour(self.palette, band.line, view.curves[band.line].colour))
        change(self.area, visible=view.curves[band.line].shown)
        lengths = list(range(len(band.low)))
        replace_data(self.band, {"draft_tokens": lengths, "low": list(band.low), "high": list(band.high)})
