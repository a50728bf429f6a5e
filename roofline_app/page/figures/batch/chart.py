"""Figure 2 drawn: best speedup against batch, the current batch marked, what does not fit shaded."""

from __future__ import annotations

from bokeh.models import ColumnDataSource, Line, Scatter, VStrip
from bokeh.models.annotations import Span

from roofline_app.page.figures.batch.view import BatchCurve, BatchView
from roofline_app.page.figures.chart import LABEL_GAP, LINES, Chart, change, empty, replace_data
from roofline_app.page.figures.measured_points.layer import MarkLayer
from roofline_app.page.theme import Palette, drafter_colour
from roofline_app.text import sentence

HEIGHT = 280
LABEL_ROOM = 17 / 220
BORDER = 92
COLUMNS = ("batch", "speedup", "draft_tokens", "speedup_at_this_draft_length", "name")


class BatchChart(Chart):
    """Best speedup against batch, on a log axis."""

    def __init__(self, palette: Palette, language: str) -> None:
        """Make the figure, without data."""
        super().__init__("batch", palette, height=HEIGHT, min_border_right=BORDER, x_axis_type="log")
        self.plot.xaxis.axis_label = sentence("page.batch_axis", language)
        self.beyond = empty("from", "to")
        self.shade = self.draw(self.beyond, VStrip(x0="from", x1="to", line_color=None), level="underlay")
        self.one = Span(location=1, dimension="width", line_width=1, level="underlay")
        self.now = Span(location=1, dimension="height", line_width=1.5, line_dash=[2, 3], level="underlay")
        for annotation in (self.one, self.now):
            self.plot.add_layout(annotation)
        self.pinned = self.behind("batch")
        self.sources = [ColumnDataSource({column: [] for column in COLUMNS}, name=f"batch-{i}") for i in LINES]
        self.lines = [
            self.draw(source, Line(x="batch", y="speedup", line_width=2.5, line_join="round"))
            for source in self.sources
        ]
        self.dots = [
            self.draw(source, Scatter(x="batch", y="speedup", size=4), level="annotation") for source in self.sources
        ]
        self.marks = empty("end", "label_y", "label", "colour")
        style = {"text_color": "colour", "text_font_style": "bold"}
        self.words(self.marks, "end", "label_y", "label", x_offset=LABEL_GAP, **style)
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
        self.measured = MarkLayer("batch", self, language)
        self.restyle(palette)

    def restyle(self, palette: Palette) -> None:
        """Take another theme's colours."""
        super().restyle(palette)
        change(self.one, line_color=palette.rule)
        change(self.now, line_color=palette.muted)
        change(self.shade.glyph, fill_color=palette.shade)

    def update(self, view: BatchView) -> None:
        """Show other curves."""
        self.set_axes(view.x, view.y)
        self.measured.update(view.marks, [curve.colour for curve in view.curves])
        self.show_behind(self.pinned, view.pinned)
        change(self.now, location=float(view.batch))
        beyond = [max(float(view.largest_batch), view.x.start)] if view.largest_batch < view.x.end else []
        replace_data(self.beyond, {"from": beyond, "to": [view.x.end] * len(beyond)})
        for index in LINES:
            self._curve(index, view.curves[index] if index < len(view.curves) else None, fixed=view.fixed)
        colours = [drafter_colour(self.palette, index, curve.colour) for index, curve in enumerate(view.curves)]
        shown = [(curve, colour) for curve, colour in zip(view.curves, colours, strict=True) if curve.shown]
        replace_data(
            self.marks,
            {
                "end": [view.x.end] * len(shown),
                "label_y": [curve.label_y for curve, _ in shown],
                "label": [curve.label for curve, _ in shown],
                "colour": [colour for _, colour in shown],
            },
        )

    def _curve(self, index: int, curve: BatchCurve | None, *, fixed: bool) -> None:
        if curve is None:
            replace_data(self.sources[index], {column: [] for column in COLUMNS})
            return
        colour = drafter_colour(self.palette, index, curve.colour)
        shown = "speedup_at_this_draft_length" if fixed else "speedup"
        for renderer in (self.lines[index], self.dots[index]):
            change(renderer, visible=curve.shown)
        change(self.lines[index].glyph, line_color=colour, y=shown)
        change(self.dots[index].glyph, fill_color=colour, line_color=colour, y=shown)
        replace_data(
            self.sources[index],
            {
                "batch": curve.batch,
                "speedup": curve.speedup,
                "draft_tokens": curve.draft_tokens,
                "speedup_at_this_draft_length": curve.speedup_at_this_draft_length,
                "name": [curve.name] * len(curve.batch),
            },
        )
