"""Needed acceptance against batch drawn: large dots where a line pays, its own acceptance ringed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from roofline_app.page.figures.chart import change
from roofline_app.page.figures.lines_chart import ReachChart
from roofline_app.page.figures.need.view import NeedCurve, NeedView
from roofline_app.page.theme import FAINT, Palette
from roofline_app.text import sentence

HEIGHT = 320
LABEL_ROOM = 34 / 260
BORDER = 102
DOT, PAYING_DOT = 3, 8


class NeedChart(ReachChart):
    """Needed acceptance against batch, on a log axis."""

    columns = ("batch", "acceptance", "paying", "draft_tokens", "tokens_per_round", "own", "name")
    end_columns = ("x", "y", "title")

    def __init__(self, palette: Palette, language: str) -> None:
        """Make the figure, without data."""
        super().__init__("need", palette, language, height=HEIGHT, border=BORDER)
        self.plot.xaxis.axis_label = sentence("page.batch_axis", language)
        self.ends.name = "need-now"
        self.lines = self.add_lines("batch", "acceptance", line_width=2.5, line_join="round")
        self.dots = self.add_dots("batch", "acceptance", DOT)
        self.paying = self.add_dots("batch", "paying", PAYING_DOT)
        self.add_rings()
        self.add_labels()
        self.readout(
            self.source_names,
            (sentence("page.batch", language), "batch"),
            [
                (sentence("figures.need_needed", language), "acceptance", 3, ""),
                (sentence("figures.need_own", language), "own", 3, ""),
                (sentence("page.draft_length", language), "draft_tokens", 0, ""),
            ],
            y="acceptance",
        )
        self.restyle(palette)

    def columns_of(self, line: NeedCurve) -> Mapping[str, Any]:
        """Return the columns of a curve's source."""
        one = line.need
        if one is None:
            return {column: [] for column in self.columns}
        return {
            "batch": one.batch,
            "acceptance": one.acceptance,
            "paying": np.where(one.pays, one.acceptance, np.nan),
            "draft_tokens": one.draft_tokens,
            "tokens_per_round": one.tokens_per_round,
            "own": one.own,
            "name": [one.name] * len(one.batch),
        }

    def ends_of(self, line: NeedCurve) -> Mapping[str, Any]:
        """Return the line's own acceptance at the current batch, and the first line of its label."""
        own = np.nan if line.need is None else line.need.own_now
        return {"x": self.now.location, "y": own, "title": line.title}

    def update(self, view: NeedView) -> None:
        """Show other curves; pale while values of an earlier setting are among them."""
        self.reach(float(view.batch), float(view.largest_batch), view.x)
        self.show(view, view.curves)
        alpha = 1.0 if view.fresh else FAINT
        for line, *dots in zip(self.lines, self.dots, self.paying, strict=True):
            change(line.glyph, line_alpha=alpha)
            for dot in dots:
                change(dot.glyph, line_alpha=alpha, fill_alpha=alpha)
