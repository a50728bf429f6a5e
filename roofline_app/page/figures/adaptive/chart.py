"""Adaptive verification against batch drawn: a line per way to verify."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from roofline_app.page.figures.adaptive.view import DASHES, WIDTHS, AdaptiveCurve, AdaptiveView
from roofline_app.page.figures.chart import change
from roofline_app.page.figures.lines_chart import ReachChart
from roofline_app.page.theme import FAINT, Palette
from roofline_app.text import sentence

HEIGHT = 320
LABEL_ROOM = 34 / 260
BORDER = 102


class AdaptiveChart(ReachChart):
    """Speedup of one line against batch, on a log axis, by the way its drafts are verified."""

    columns = ("batch", "speedup", "draft_tokens", "verified_tokens", "tokens_per_round", "name")
    end_columns = ("title",)

    def __init__(self, palette: Palette, language: str) -> None:
        """Make the figure, without data."""
        super().__init__("adaptive", palette, language, height=HEIGHT, border=BORDER)
        self.plot.xaxis.axis_label = sentence("page.batch_axis", language)
        self.lines = self.add_lines("batch", "speedup", line_join="round")
        for renderer, dash, width in zip(self.lines, DASHES, WIDTHS, strict=False):
            change(renderer.glyph, line_width=width, line_dash=[int(part) for part in dash.split()])
        self.dots = self.add_dots("batch", "speedup", 4)
        self.add_labels()
        self.hover(
            [*self.lines, *self.dots],
            "@name",
            [
                (sentence("page.batch", language), "@batch"),
                (sentence("page.speedup", language), "@speedup{0.000}×"),
                (sentence("figures.adaptive_drafted", language), "@draft_tokens"),
                (sentence("figures.adaptive_verified", language), "@verified_tokens{0.00}"),
                (sentence("page.tokens_per_round", language), "@tokens_per_round{0.00}"),
            ],
            line_policy="nearest",
        )
        self.restyle(palette)

    def columns_of(self, line: AdaptiveCurve) -> Mapping[str, Any]:
        """Return the columns of a curve's source."""
        rounds = line.rounds
        if rounds is None:
            return {column: [] for column in self.columns}
        return {
            "batch": line.batch,
            "speedup": rounds.speedup,
            "draft_tokens": rounds.draft_tokens,
            "verified_tokens": rounds.verified_tokens,
            "tokens_per_round": rounds.tokens_per_round,
            "name": [line.title] * len(line.batch),
        }

    def ends_of(self, line: AdaptiveCurve) -> Mapping[str, Any]:
        """Return the first line of a curve's label."""
        return {"title": line.title}

    def update(self, view: AdaptiveView) -> None:
        """Show other curves; pale while they are of an earlier setting."""
        self.reach(float(view.batch), float(view.largest_batch), view.x)
        self.show(view, view.curves)
        alpha = 1.0 if view.fresh else FAINT
        for line, dots in zip(self.lines, self.dots, strict=True):
            change(line.glyph, line_alpha=alpha)
            change(dots.glyph, line_alpha=alpha, fill_alpha=alpha)
