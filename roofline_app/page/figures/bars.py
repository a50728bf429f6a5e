"""Figures 5 and 9 drawn: stacked bars of time and of memory."""

from __future__ import annotations

from bokeh.models import ColumnDataSource, HBar
from bokeh.models.annotations import Span

from roofline_app import format as fmt
from roofline_app.page.figures.axes import Axis
from roofline_app.page.figures.chart import Chart, change, empty, replace_data
from roofline_app.page.figures.memory.view import MemoryView
from roofline_app.page.figures.time.view import TimeView
from roofline_app.page.theme import FAINT, Palette
from roofline_app.text import sentence

TIME_HEIGHT = 280
MEMORY_HEIGHT = 120
BAR = 0.42
ROOM_FOR_WORDS = 0.25


class BarChart(Chart):
    """Horizontal bars with words above them; row 0 is at the top."""

    def __init__(self, name: str, palette: Palette, *, height: int, columns: tuple[str, ...]) -> None:
        """Make the figure, without data; `columns` are the source's columns beside those of place and colour."""
        super().__init__(name, palette, height=height, min_border_right=14)
        self.source = ColumnDataSource(
            {column: [] for column in (*columns, "row", "left", "right", "colour")}, name=name
        )
        bar = HBar(y="row", left="left", right="right", height=BAR, fill_color="colour", line_width=1)
        self.bars = self.draw(self.source, bar)
        self.rows = empty("x", "row", "text")
        self.labels = self.words(self.rows, "x", "row", "text", text_baseline="bottom")
        self.plot.ygrid.visible = False
        self.axes()[1].visible = False
        self.restyle(palette)

    def restyle(self, palette: Palette) -> None:
        """Take another theme's colours."""
        super().restyle(palette)
        change(self.bars.glyph, line_color=palette.background)
        change(self.labels.glyph, text_color=palette.text)

    def show(self, x: Axis, words: tuple[str, ...]) -> None:
        """Set the axis and the words above each bar."""
        rows = len(words)
        room = ROOM_FOR_WORDS if any(words) else 0.0
        self.set_axes(x, Axis(start=rows - 0.5, end=-0.5 - room, ticks=(), labels=()))
        tops = [row - BAR / 2 - 0.06 for row in range(rows)]
        replace_data(self.rows, {"x": [0.0] * rows, "row": tops, "text": list(words)})


class TimeChart(BarChart):
    """Seconds per committed token, by component."""

    def __init__(self, palette: Palette, language: str) -> None:
        """Make the figure, without data."""
        super().__init__("time", palette, height=TIME_HEIGHT, columns=("component", "words", "seconds", "bar", "text"))
        self.plot.xaxis.axis_label = sentence("page.time_axis", language)
        self.hover([self.bars], "@bar", [("@words", "@text")])

    def update(self, view: TimeView) -> None:
        """Show other bars."""
        words = tuple(f"{name} · {fmt.seconds(total)}" for name, total in zip(view.rows, view.totals, strict=True))
        self.show(view.x, words)
        replace_data(
            self.source,
            {
                "component": [segment.component for segment in view.segments],
                "words": [segment.words for segment in view.segments],
                "seconds": [segment.seconds for segment in view.segments],
                "bar": [view.rows[segment.row] for segment in view.segments],
                "text": [fmt.seconds(segment.seconds) for segment in view.segments],
                "row": [segment.row for segment in view.segments],
                "left": [segment.left for segment in view.segments],
                "right": [segment.left + segment.seconds for segment in view.segments],
                "colour": [self.palette.components[segment.component] for segment in view.segments],
            },
        )


class MemoryChart(BarChart):
    """Bytes of the node's memory by use, and its capacity."""

    def __init__(self, palette: Palette, language: str) -> None:
        """Make the figure, without data."""
        super().__init__("memory", palette, height=MEMORY_HEIGHT, columns=("part", "words", "bytes", "text"))
        self.plot.xaxis.axis_label = sentence("page.memory_axis", language)
        self.capacity = Span(location=0, dimension="height", line_width=2)
        self.plot.add_layout(self.capacity)
        self.hover([self.bars], "@words", [("", "@text")])
        self.restyle(palette)

    def restyle(self, palette: Palette) -> None:
        """Take another theme's colours."""
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
