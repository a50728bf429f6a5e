"""Lines with labels at their ends, one per drafter: what all figures of speedups are drawn with."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from bokeh.core.properties import value
from bokeh.models import ColumnDataSource, Line, Model, Scatter, VStrip
from bokeh.models.annotations import Span
from bokeh.models.renderers import GlyphRenderer

from roofline_app.page.figures.axes import Axis
from roofline_app.page.figures.chart import LABEL_GAP, LINES, Chart, change, empty, replace_data
from roofline_app.page.figures.measured_points.layer import MarkLayer
from roofline_app.page.figures.measured_points.points import PlacedMark
from roofline_app.page.figures.pinned_lines import PinnedLine
from roofline_app.page.theme import LABEL_SIZE, Palette, drafter_colour

# Between the baselines of a label's two lines, from the middle of both.
TITLE_RISE = 8
END_COLUMNS = ("end", "label_y", "label", "colour")


class EndLabelled(Protocol):
    """A line as its chart needs it; the figure's own columns come from `LinesChart.columns_of`."""

    @property
    def colour(self) -> str:
        """Six hex digits of the user's colour, or empty."""

    @property
    def shown(self) -> bool:
        """Whether the user wants to see it."""

    @property
    def label(self) -> str:
        """What stands at its end."""

    @property
    def label_y(self) -> float:
        """Where that stands."""


class LinesView(Protocol):
    """What a figure of lines shows."""

    @property
    def x(self) -> Axis:
        """Axis below."""

    @property
    def y(self) -> Axis:
        """Axis at the left."""


class LinesChart(Chart):
    """One line per drafter, with a label at its end; subclasses add what is theirs and `update(view)`.

    Attributes:
        sources: The values of each line, by its position.
        lines: The renderer of each line.
        ends: What stands at the lines: rings and labels.
    """

    columns: tuple[str, ...] = ()
    end_columns: tuple[str, ...] = ()

    def __init__(self, name: str, palette: Palette, language: str, *, height: int, border: int, **options: Any) -> None:
        """Make the figure without lines: call `add_lines`, `add_ends` and the like in the order of drawing.

        Args:
            name: Of the figure.
            palette: Colours to start with.
            language: Of the words.
            height: Pixels.
            border: Pixels beside the frame, for the labels.
            options: More properties of a Bokeh figure.
        """
        super().__init__(name, palette, height=height, min_border_right=border, **options)
        self.name, self.language = name, language
        self.one = Span(location=1, dimension="width", line_width=1, level="underlay")
        self.plot.add_layout(self.one)
        self.sources = [ColumnDataSource({column: [] for column in self.columns}, name=f"{name}-{i}") for i in LINES]
        self.ends = ColumnDataSource({column: [] for column in (*END_COLUMNS, *self.end_columns)})
        self.pinned: ColumnDataSource | None = None
        self.rings: GlyphRenderer[Any] | None = None
        self._by_line: list[list[GlyphRenderer[Any]]] = []

    @property
    def source_names(self) -> list[str]:
        """Names of the sources, by line."""
        return [f"{self.name}-{line}" for line in LINES]

    def add_lines(self, x: str, y: str, **style: Any) -> list[GlyphRenderer[Any]]:
        """Draw a line through two columns of each source."""
        return self._added([self.draw(source, Line(x=x, y=y, **style)) for source in self.sources])

    def add_dots(self, x: str, y: str, size: int) -> list[GlyphRenderer[Any]]:
        """Draw a dot at each value."""
        return self._added(
            [self.draw(source, Scatter(x=x, y=y, size=size), level="annotation") for source in self.sources]
        )

    def _added(self, renderers: list[GlyphRenderer[Any]]) -> list[GlyphRenderer[Any]]:
        self._by_line.append(renderers)
        return renderers

    def add_rings(self) -> None:
        """Draw a ring at one point of each line: columns `x` and `y` of `ends`."""
        ring = Scatter(x="x", y="y", size=13, line_width=2.6, line_color="colour")
        self.rings = self.draw(self.ends, ring, level="annotation")

    def add_labels(self, **style: Any) -> GlyphRenderer[Any]:
        """Write the label of each line beside its end, below a title where `end_columns` has one."""
        place = {"x_offset": LABEL_GAP, "text_color": "colour"}
        if "title" not in self.end_columns:
            return self.words(self.ends, "end", "label_y", "label", **place, text_font_style="bold", **style)
        title = {"y_offset": -TITLE_RISE, "text_font_size": value(LABEL_SIZE), "text_font_style": "bold"}
        self.words(self.ends, "end", "label_y", "title", **place, **title)
        return self.words(self.ends, "end", "label_y", "label", **place, y_offset=TITLE_RISE, **style)

    def add_marks(self) -> None:
        """Draw measured points."""
        self.measured = MarkLayer(self.name, self, self.language)

    def restyle(self, palette: Palette) -> None:
        """Change to another theme's colours."""
        super().restyle(palette)
        change(self.one, line_color=palette.rule)
        if self.rings:
            change(self.rings.glyph, fill_color=palette.background)

    @abstractmethod
    def columns_of(self, line: Any) -> Mapping[str, Any]:
        """Return the columns of a line's source."""

    def ends_of(self, _line: Any) -> Mapping[str, Any]:
        """Return a line's values of `end_columns`."""
        return {}

    def paint(self, index: int, colour: str) -> None:
        """Give a line its colour."""
        for renderers in self._by_line:
            glyph: Model = renderers[index].glyph
            change(glyph, line_color=colour)
            if isinstance(glyph, Scatter):
                change(glyph, fill_color=colour)

    def show(
        self,
        view: LinesView,
        lines: Sequence[EndLabelled],
        *,
        marks: Sequence[PlacedMark] = (),
        pinned: Sequence[PinnedLine] = (),
    ) -> None:
        """Show other lines, and measured points and a pinned setting's lines where the figure has those."""
        self.set_axes(view.x, view.y)
        if hasattr(self, "measured"):
            self.measured.update(marks, [line.colour for line in lines])
        if self.pinned:
            self.show_behind(self.pinned, pinned)
        for index, source in enumerate(self.sources):
            if index >= len(lines):
                replace_data(source, {column: [] for column in self.columns})
                continue
            line = lines[index]
            for renderers in self._by_line:
                change(renderers[index], visible=line.shown)
            self.paint(index, drafter_colour(self.palette, index, line.colour))
            replace_data(source, self.columns_of(line))
        colours = [drafter_colour(self.palette, index, line.colour) for index, line in enumerate(lines)]
        rows = [
            {
                "end": view.x.end,
                "label_y": line.label_y,
                "label": line.label,
                "colour": colour,
                **self.ends_of(line),
            }
            for line, colour in zip(lines, colours, strict=True)
            if line.shown
        ]
        replace_data(self.ends, {column: [row[column] for row in rows] for column in self.ends.column_names})


class ReachChart(LinesChart):
    """Lines against a log axis of settings: the current one marked, those that do not fit shaded."""

    def __init__(self, name: str, palette: Palette, language: str, *, height: int, border: int) -> None:
        """Make the figure without lines."""
        super().__init__(name, palette, language, height=height, border=border, x_axis_type="log")
        self.beyond = empty("from", "to")
        self.shade = self.draw(self.beyond, VStrip(x0="from", x1="to", line_color=None), level="underlay")
        self.now = Span(location=1, dimension="height", line_width=1.5, line_dash=[2, 3], level="underlay")
        self.plot.add_layout(self.now)

    def restyle(self, palette: Palette) -> None:
        """Change to another theme's colours."""
        super().restyle(palette)
        change(self.now, line_color=palette.muted)
        change(self.shade.glyph, fill_color=palette.shade)

    def reach(self, now: float, largest: float, x: Axis) -> None:
        """Mark the current setting, and shade what lies beyond the largest that fits."""
        change(self.now, location=now)
        beyond = [max(largest, x.start)] if largest < x.end else []
        replace_data(self.beyond, {"from": beyond, "to": [x.end] * len(beyond)})
