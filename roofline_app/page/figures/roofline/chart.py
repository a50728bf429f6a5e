"""Figure 4 drawn: roofs by precision, components of the step and of the verify, joined."""

from __future__ import annotations

from bokeh.models import ColumnDataSource, MultiLine, Scatter, Segment

from roofline_app import format as fmt
from roofline_app.page.figures.chart import LABEL_GAP, Chart, change, empty, replace_data
from roofline_app.page.figures.roofline.view import RooflineView
from roofline_app.page.theme import Palette
from roofline_app.text import sentence

HEIGHT = 340
BORDER = 78
LARGEST_DOT = 15
SMALLER_BY = 2.5


class RooflineChart(Chart):
    """FLOP/s against FLOP per byte, both logarithmic."""

    def __init__(self, palette: Palette, language: str) -> None:
        """Make the figure, without data."""
        super().__init__(
            "roofline", palette, height=HEIGHT, min_border_right=BORDER, x_axis_type="log", y_axis_type="log"
        )
        self.plot.xaxis.axis_label = sentence("page.intensity_axis", language)
        self.roofs = ColumnDataSource(
            {"format": [], "flops_per_byte": [], "flops_per_second": [], "peak": []}, name="roofline-roofs"
        )
        self.roof_lines = self.draw(self.roofs, MultiLine(xs="flops_per_byte", ys="flops_per_second", line_width=2))
        self.roof_words = empty("x", "y", "text")
        self.points = ColumnDataSource(
            {name: [] for name in ("component", "words", "colour", "size", *_PLACES)}, name="roofline-points"
        )
        join = Segment(x0="step_x", y0="step_y", x1="verify_x", y1="verify_y", line_color="colour", line_width=1.5)
        hollow = Scatter(x="step_x", y="step_y", size="size", line_color="colour", line_width=2.2)
        filled = Scatter(x="verify_x", y="verify_y", size="size", fill_color="colour", line_color="colour")
        self.draw(self.points, join, level="annotation")
        self.hollow = self.draw(self.points, hollow, level="annotation")
        self.filled = self.draw(self.points, filled, level="annotation")
        self.peaks = self.words(self.roof_words, "x", "y", "text", x_offset=LABEL_GAP)
        for renderer, name in ((self.hollow, "step"), (self.filled, "verify")):
            self.hover(
                [renderer],
                "@words",
                [
                    (sentence("page.pass", language), sentence(f"page.{name}", language)),
                    (sentence("page.intensity", language), f"@{name}_x{{0.[00]}}"),
                    (sentence("page.achieved", language), f"@{name}_text"),
                ],
            )
        self.hover([self.roof_lines], "@format", [("", "@peak")])
        self.restyle(palette)

    def restyle(self, palette: Palette) -> None:
        """Change to another theme's colours."""
        super().restyle(palette)
        change(self.roof_lines.glyph, line_color=palette.rule)
        change(self.hollow.glyph, fill_color=palette.background)
        change(self.peaks.glyph, text_color=palette.muted)

    def update(self, view: RooflineView) -> None:
        """Show another node or other components."""
        self.set_axes(view.x, view.y)
        roofs, points = view.roofs, view.points
        replace_data(
            self.roofs,
            {
                "format": [roof.format for roof in roofs],
                "flops_per_byte": [list(roof.flops_per_byte) for roof in roofs],
                "flops_per_second": [list(roof.flops_per_second) for roof in roofs],
                "peak": [fmt.scaled(roof.flops_per_second[-1], "FLOP/s") for roof in roofs],
            },
        )
        peaks = [roof.flops_per_second[-1] for roof in roofs]
        replace_data(
            self.roof_words, {"x": [view.x.end] * len(roofs), "y": peaks, "text": [roof.format for roof in roofs]}
        )
        replace_data(
            self.points,
            {
                "component": [point.component for point in points],
                "words": [point.words for point in points],
                "colour": [self.palette.components[point.component] for point in points],
                "size": [max(LARGEST_DOT - SMALLER_BY * index, 5.0) for index in range(len(points))],
                "step_x": [point.step[0] for point in points],
                "step_y": [point.step[1] for point in points],
                "step_text": [fmt.scaled(point.step[1], "FLOP/s") for point in points],
                "verify_x": [point.verify[0] for point in points],
                "verify_y": [point.verify[1] for point in points],
                "verify_text": [fmt.scaled(point.verify[1], "FLOP/s") for point in points],
            },
        )


_PLACES = ("step_x", "step_y", "step_text", "verify_x", "verify_y", "verify_text")
