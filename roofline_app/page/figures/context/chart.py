"""Best speedup against context drawn: this context ringed, what does not fit shaded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from roofline_app import format as fmt
from roofline_app.page.figures.chart import change
from roofline_app.page.figures.context.view import ContextCurve, ContextView
from roofline_app.page.figures.lines_chart import ReachChart
from roofline_app.page.theme import FAINT, Palette
from roofline_app.text import sentence

HEIGHT = 280
LABEL_ROOM = 17 / 220
BORDER = 92


class ContextChart(ReachChart):
    """Best speedup against context, on a log axis."""

    columns = ("context", "speedup", "draft_tokens", "said", "name")
    end_columns = ("x", "y")

    def __init__(self, palette: Palette, language: str) -> None:
        """Make the figure, without data."""
        super().__init__("context", palette, language, height=HEIGHT, border=BORDER)
        self.plot.xaxis.axis_label = sentence("page.context_axis", language)
        self.ends.name = "context-now"
        self.lines = self.add_lines("context", "speedup", line_width=2.5, line_join="round")
        self.dots = self.add_dots("context", "speedup", 4)
        self.add_rings()
        self.add_labels()
        self.readout(
            self.source_names,
            (sentence("page.context_typed", language), "context"),
            [("", "speedup", 2, "×"), (sentence("page.best_draft_length", language), "draft_tokens", 0, "")],
            said="said",
            chooses="key",
        )
        self.restyle(palette)

    def columns_of(self, line: ContextCurve) -> Mapping[str, Any]:
        """Return the columns of a curve's source."""
        return {
            "context": line.context,
            "speedup": line.speedup,
            "draft_tokens": line.draft_tokens,
            "said": [fmt.tokens(context) for context in line.context.tolist()],
            "name": [line.name] * len(line.context),
        }

    def ends_of(self, line: ContextCurve) -> Mapping[str, Any]:
        """Return the point of this setting."""
        return {"x": self.now.location, "y": line.now}

    def update(self, view: ContextView) -> None:
        """Show other curves; pale while values of an earlier setting are among them."""
        self.reach(float(view.context), view.largest_context, view.x)
        self.show(view, view.curves)
        alpha = 1.0 if view.fresh else FAINT
        for line, dot in zip(self.lines, self.dots, strict=True):
            change(line.glyph, line_alpha=alpha)
            change(dot.glyph, line_alpha=alpha, fill_alpha=alpha)
