"""Figure 2 drawn: best speedup against batch, the current batch marked, what does not fit shaded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from roofline_app.page.figures.batch.view import BatchCurve, BatchView
from roofline_app.page.figures.chart import change
from roofline_app.page.figures.lines_chart import ReachChart
from roofline_app.page.theme import Palette
from roofline_app.text import sentence

HEIGHT = 280
LABEL_ROOM = 17 / 220
BORDER = 92


class BatchChart(ReachChart):
    """Best speedup against batch, on a log axis."""

    columns = ("batch", "speedup", "draft_tokens", "speedup_at_this_draft_length", "name")

    def __init__(self, palette: Palette, language: str) -> None:
        """Make the figure, without data."""
        super().__init__("batch", palette, language, height=HEIGHT, border=BORDER)
        self.plot.xaxis.axis_label = sentence("page.batch_axis", language)
        self.pinned = self.behind("batch")
        self.lines = self.add_lines("batch", "speedup", line_width=2.5, line_join="round")
        self.dots = self.add_dots("batch", "speedup", 4)
        self.add_labels()
        self.hover(
            self.lines,
            "@name",
            [
                (sentence("page.batch", language), "@batch"),
                (sentence("page.best_speedup", language), "@speedup{0.000}×"),
                (sentence("page.best_draft_length", language), "@draft_tokens"),
                (sentence("page.at_this_length", language), "@speedup_at_this_draft_length{0.000}×"),
            ],
            line_policy="nearest",
        )
        self.add_marks()
        self.restyle(palette)

    def columns_of(self, line: BatchCurve) -> Mapping[str, Any]:
        """Return the columns of a curve's source."""
        return {
            "batch": line.batch,
            "speedup": line.speedup,
            "draft_tokens": line.draft_tokens,
            "speedup_at_this_draft_length": line.speedup_at_this_draft_length,
            "name": [line.name] * len(line.batch),
        }

    def update(self, view: BatchView) -> None:
        """Show other curves."""
        drawn = "speedup_at_this_draft_length" if view.fixed else "speedup"
        for renderer in (*self.lines, *self.dots):
            change(renderer.glyph, y=drawn)
        self.reach(float(view.batch), float(view.largest_batch), view.x)
        self.show(view, view.curves, marks=view.marks, pinned=view.pinned)
