"""Figure 2 drawn: best speedup against batch, the current batch marked, what does not fit shaded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bokeh.core.properties import value
from bokeh.models import ColumnDataSource, MultiLine, Segment

from roofline_app.page.figures.batch.view import BatchCurve, BatchView
from roofline_app.page.figures.chart import LABEL_GAP, change, empty, replace_data
from roofline_app.page.figures.lines_chart import ReachChart
from roofline_app.page.theme import Palette
from roofline_app.text import sentence

HEIGHT = 376
LABEL_ROOM = 17 / 220
BORDER = 104


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
        self._add_strip()
        self.readout(
            self.source_names,
            (sentence("page.batch", language), "batch"),
            [
                ("", "speedup", 2, "×"),
                (sentence("page.best_draft_length", language), "draft_tokens", 0, ""),
                (sentence("page.at_this_length", language), "speedup_at_this_draft_length", 2, "×"),
            ],
            chooses="drag",
        )
        self.add_marks()
        self.restyle(palette)

    def _add_strip(self) -> None:
        self.bounds = empty("x", "top", "bottom")
        ends = Segment(x0="x", x1="x", y0="bottom", y1="top", line_width=1)
        self.bound_lines = self.draw(self.bounds, ends, level="underlay")
        self.thin = ColumnDataSource({"x": [], "y": [], "dash": []}, name="batch-strip")
        self.thin_lines = self.draw(self.thin, MultiLine(xs="x", ys="y", line_width=1.6, line_dash="dash"))
        self.thin_ends = empty("x", "y", "text")
        self.thin_words = self.words(self.thin_ends, "x", "y", "text", x_offset=LABEL_GAP, text_font_size=value("11px"))
        self.why = ColumnDataSource({"x": [], "y": [], "text": []}, name="batch-why")
        self.why_words = self.words(self.why, "x", "y", "text", text_align="center")

    def restyle(self, palette: Palette) -> None:
        """Change to another theme's colours."""
        super().restyle(palette)
        change(self.bound_lines.glyph, line_color=palette.rule)
        change(self.thin_lines.glyph, line_color=palette.muted)
        for words in (self.thin_words, self.why_words):
            change(words.glyph, text_color=palette.muted)

    def _show_strip(self, view: BatchView) -> None:
        strip, batch = view.strip, view.curves[0].batch.astype(float).tolist()
        bottom, count = view.y.start, len(view.strip.lines)
        top = view.y.ticks[0] if view.y.ticks else 0.0
        bounds = list(strip.bounds)
        replace_data(self.bounds, {"x": bounds, "top": [top] * len(bounds), "bottom": [bottom] * len(bounds)})
        dashes = ["solid", "dotted"][:count]
        replace_data(self.thin, {"x": [batch] * count, "y": [line.y.tolist() for line in strip.lines], "dash": dashes})
        ends = {"x": [view.x.end] * count, "y": [line.label_y for line in strip.lines]}
        replace_data(self.thin_ends, {**ends, "text": [line.label for line in strip.lines]})
        words = {name: [getattr(one, name) for one in strip.words] for name in ("x", "y", "text")}
        replace_data(self.why, words)

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
        self._show_strip(view)
        self.show(view, view.curves, marks=view.marks, pinned=view.pinned)
