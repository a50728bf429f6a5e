"""Figure 6 drawn: a curve over batch for plain decoding and for each drafter, dollars on the axis at the right."""

from __future__ import annotations

from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, FixedTicker, Line, LogAxis, Scatter

from roofline_app.page.figures.chart import LINES, Chart, change, empty, replace_data
from roofline_app.page.figures.rates.view import PLAIN, RatesCurve, RatesView
from roofline_app.page.theme import FAINT, FONT, TEXT_SIZE, Palette, drafter_colour
from roofline_app.text import sentence

HEIGHT = 340
COLUMNS = ("batch", "tokens_per_second_per_user", "tokens_per_second_per_gpu", "fitting", "price", "name")
CURVES = (PLAIN, *LINES)


def _price_axis(ticker: FixedTicker, language: str) -> LogAxis:
    """Return the axis of dollars at the right."""
    at: dict[str, Any] = {"ticker": ticker}
    return LogAxis(
        axis_label=sentence("page.per_million", language),
        **at,
        axis_label_text_font=FONT,
        major_label_text_font=FONT,
        axis_label_text_font_size=TEXT_SIZE,
        major_label_text_font_size=TEXT_SIZE,
        axis_label_text_font_style="normal",
        minor_tick_line_color=None,
        major_tick_line_color=None,
        axis_line_color=None,
    )


class RatesChart(Chart):
    """Tokens per second per user against per GPU, both logarithmic."""

    def __init__(self, palette: Palette, language: str) -> None:
        """Make the figure, without data."""
        super().__init__("rates", palette, height=HEIGHT, x_axis_type="log", y_axis_type="log")
        self.plot.xaxis.axis_label = sentence("page.per_user_axis", language)
        self.axes()[1].axis_label = sentence("page.per_gpu_axis", language)
        self.ticker = FixedTicker(ticks=[])
        self.price = _price_axis(self.ticker, language)
        self.plot.add_layout(self.price, "right")
        self.pinned = self.behind("rates")
        names = {line: "rates-plain" if line == PLAIN else f"rates-{line}" for line in CURVES}
        self.sources = {
            line: ColumnDataSource({column: [] for column in COLUMNS}, name=name) for line, name in names.items()
        }
        x, y = "tokens_per_second_per_user", "tokens_per_second_per_gpu"
        self.faint = {
            line: self.draw(source, Line(x=x, y=y, line_width=2, line_alpha=FAINT, line_dash=[2, 3]))
            for line, source in self.sources.items()
        }
        self.solid = {
            line: self.draw(source, Line(x=x, y="fitting", line_width=2.5, line_join="round"))
            for line, source in self.sources.items()
        }
        self.dots = {
            line: self.draw(source, Scatter(x=x, y=y, size=5), level="annotation")
            for line, source in self.sources.items()
        }
        self.named = empty("x", "y", "text")
        self.batches = self.words(self.named, "x", "y", "text", x_offset=-6, y_offset=8, text_align="right")
        self.now = empty("x", "y", "colour")
        ring = Scatter(x="x", y="y", size=13, line_width=2.6, line_color="colour", fill_color=None)
        self.draw(self.now, ring, level="annotation")
        self.readout(
            list(names.values()),
            (sentence("page.batch", language), "batch"),
            [("", x, 1, " tok/s"), (sentence("page.per_gpu", language), y, 0, " tok/s"), ("", "price", 0, "")],
            x=x,
            y=y,
            plane=True,
        )
        self.restyle(palette)

    def restyle(self, palette: Palette) -> None:
        """Change to another theme's colours."""
        super().restyle(palette)
        change(self.price, axis_label_text_color=palette.muted, major_label_text_color=palette.muted)
        change(self.batches.glyph, text_color=palette.muted)

    def update(self, view: RatesView) -> None:
        """Show other curves."""
        self.set_axes(view.x, view.y)
        self.show_behind(self.pinned, view.pinned)
        change(self.price, visible=bool(view.price.ticks))
        change(self.ticker, ticks=list(view.price.ticks))
        change(self.price, major_label_overrides=dict(zip(view.price.ticks, view.price.labels, strict=True)))
        curves = {curve.line: curve for curve in view.curves}
        for line in CURVES:
            self._curve(line, curves.get(line), view.largest_batch)
        replace_data(
            self.named,
            {
                "x": [x for x, _, _ in view.named],
                "y": [y for _, y, _ in view.named],
                "text": [text for _, _, text in view.named],
            },
        )
        shown = [curve for curve in view.curves if curve.shown]
        replace_data(
            self.now,
            {
                "x": [curve.now.tokens_per_second_per_user for curve in shown],
                "y": [curve.now.tokens_per_second_per_gpu for curve in shown],
                "colour": [self._colour(curve) for curve in shown],
            },
        )

    def _colour(self, curve: RatesCurve) -> str:
        return self.palette.muted if curve.line == PLAIN else drafter_colour(self.palette, curve.line, curve.colour)

    def _curve(self, line: int, curve: RatesCurve | None, largest_batch: int) -> None:
        if curve is None:
            replace_data(self.sources[line], {column: [] for column in COLUMNS})
            return
        colour = self._colour(curve)
        for renderer in (self.faint[line], self.solid[line], self.dots[line]):
            change(renderer, visible=curve.shown)
        change(self.faint[line].glyph, line_color=colour)
        change(self.solid[line].glyph, line_color=colour)
        change(self.dots[line].glyph, fill_color=colour, line_color=colour)
        replace_data(
            self.sources[line],
            {
                "batch": curve.batch,
                "tokens_per_second_per_user": curve.per_user,
                "tokens_per_second_per_gpu": curve.per_gpu,
                "fitting": np.where(curve.batch <= largest_batch, curve.per_gpu, np.nan),
                "price": [price or "–" for price in curve.price],
                "name": [curve.name] * len(curve.batch),
            },
        )
