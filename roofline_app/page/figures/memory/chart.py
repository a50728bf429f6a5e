"""Figure 9 drawn: a bar of bytes by use, and the capacity as a line."""

from __future__ import annotations

from bokeh.models.annotations import Span

from roofline_app import format as fmt
from roofline_app.page.figures.bars import BarChart
from roofline_app.page.figures.chart import change, replace_data
from roofline_app.page.figures.memory.view import MemoryView
from roofline_app.page.theme import FAINT, Palette
from roofline_app.text import sentence

HEIGHT = 120


class MemoryChart(BarChart):
    """Bytes of the node's memory by use, and its capacity."""

    def __init__(self, palette: Palette, language: str) -> None:
        """Make the figure, without data."""
        super().__init__("memory", palette, height=HEIGHT, columns=("part", "words", "bytes", "text"))
        self.plot.xaxis.axis_label = sentence("page.memory_axis", language)
        self.capacity = Span(location=0, dimension="height", line_width=2)
        self.plot.add_layout(self.capacity)
        self.hover([self.bars], "@words", [("", "@text")])
        self.restyle(palette)

    def restyle(self, palette: Palette) -> None:
        """Change to another theme's colours."""
        super().restyle(palette)
        if hasattr(self, "capacity"):
            change(self.capacity, line_color=palette.text)

    def update(self, view: MemoryView) -> None:
        """Show another bar."""
        self.show(view.x, ("",))
        change(self.capacity, location=view.capacity_bytes)
        change(self.bars.glyph, fill_alpha=1.0 if view.fits else FAINT)
        replace_data(
            self.source,
            {
                "part": [segment.part for segment in view.segments],
                "words": [segment.words for segment in view.segments],
                "bytes": [segment.bytes for segment in view.segments],
                "text": [fmt.bytes_(segment.bytes) for segment in view.segments],
                "row": [0] * len(view.segments),
                "left": [segment.left for segment in view.segments],
                "right": [segment.left + segment.bytes for segment in view.segments],
                "colour": [self.palette.memory[segment.part] for segment in view.segments],
            },
        )
