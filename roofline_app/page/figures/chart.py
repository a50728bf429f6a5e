"""The base of all charts: frame, axes, theme, and updates of only what has changed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import numpy as np
from bokeh.core.properties import value as constant
from bokeh.models import (
    AllIndices,
    AllLabels,
    Axis as BokehAxis,
    ColumnDataSource,
    FixedTicker,
    HoverTool,
    Model,
    MultiLine,
    Range1d,
    Text,
    UnionRenderers,
)
from bokeh.models.glyph import Glyph
from bokeh.models.renderers import GlyphRenderer
from bokeh.plotting import figure

from roofline_app.page.figures.axes import Axis
from roofline_app.page.figures.pinned_lines import PinnedLine
from roofline_app.page.theme import FONT, TEXT_SIZE, Palette, drafter_colour
from roofline_app.scenario import MOST_DRAFTERS

LINES = range(MOST_DRAFTERS)
LABEL_GAP = 10
TOUCH_BORDER = 8
PINNED_ALPHA = 0.75


def change(model: Model, **properties: object) -> None:
    """Set the properties of a Bokeh model that differ from what they are; send nothing for the others."""
    for name, wanted in properties.items():
        if getattr(model, name) != wanted:
            setattr(model, name, wanted)


def _same(old: Any, new: Any) -> bool:
    if isinstance(new, np.ndarray):
        return isinstance(old, np.ndarray) and np.array_equal(old, new, equal_nan=True)
    return isinstance(old, list) and old == new


def replace_data(source: ColumnDataSource, data: Mapping[str, Any]) -> None:
    """Replace all columns of a source at once, unless every column is what it was."""
    old = source.data
    if old.keys() == data.keys() and all(_same(old[name], column) for name, column in data.items()):
        return
    source.data = dict(data)


def empty(*columns: str) -> ColumnDataSource:
    """Return a source with these columns and no rows."""
    return ColumnDataSource({column: [] for column in columns})


def share_parts(plots: Iterable[Model]) -> None:
    """Share models without a state of their own between figures: a browser builds every model that there is."""
    shared: dict[type[Model], Model] = {}
    models = {model.id: model for plot in plots for model in plot.references()}
    for _, model in sorted(models.items()):  # the same are kept whenever a page is built
        for name in ("filter", "selection_policy", "major_label_policy"):
            part = getattr(model, name, None)
            if isinstance(part, AllIndices | AllLabels | UnionRenderers):
                setattr(model, name, shared.setdefault(type(part), part))


class Chart(ABC):
    """A figure and its theme; subclasses add glyphs and `update(view)`.

    Attributes:
        plot: The Bokeh figure, a root of the page's document.
        palette: Colours in use.
        narrow: Whether the page is as narrow as a phone.
    """

    def __init__(self, name: str, palette: Palette, *, height: int, **options: Any) -> None:
        """Make an empty figure.

        Args:
            name: Name of the root, by which the page places it.
            palette: Colours to start with.
            height: Height in pixels.
            options: More properties of a Bokeh figure.
        """
        self.palette = palette
        self.narrow = False
        self._shown_axes: tuple[Axis, Axis] | None = None
        self.plot = figure(
            name=f"figure-{name}",
            height=height,
            sizing_mode="stretch_width",
            toolbar_location=None,
            tools="",
            x_range=Range1d(start=0, end=1),
            y_range=Range1d(start=0, end=1),
            min_border_top=TOUCH_BORDER,
            min_border_left=0,
            outline_line_color=None,
            lod_threshold=None,
            **options,
        )
        for axis in self.axes():
            axis.ticker = FixedTicker(ticks=[])
            axis.axis_label_text_font = axis.major_label_text_font = FONT
            axis.axis_label_text_font_size = axis.major_label_text_font_size = TEXT_SIZE
            axis.axis_label_text_font_style = "normal"
            axis.minor_tick_line_color = axis.major_tick_line_color = None
        self.plot.xgrid.visible = False

    @abstractmethod
    def update(self, view: Any) -> None:
        """Show another view."""

    def axes(self) -> tuple[BokehAxis, BokehAxis]:
        """Return the axis below and the axis at the left."""
        return cast("BokehAxis", self.plot.below[0]), cast("BokehAxis", self.plot.left[0])

    def restyle(self, palette: Palette) -> None:
        """Change to another theme's colours."""
        self.palette = palette
        change(self.plot, background_fill_color=palette.background, border_fill_color=palette.background)
        for axis in self.axes():
            change(
                axis,
                axis_label_text_color=palette.muted,
                major_label_text_color=palette.muted,
                axis_line_color=palette.rule,
            )
        for grid in self.plot.ygrid:
            change(grid, grid_line_color=palette.grid)
        self.axes()[1].axis_line_color = None

    def set_axes(self, x: Axis, y: Axis) -> None:
        """Set ends, ticks and their words of both axes."""
        if self._shown_axes == (x, y):
            return
        self._shown_axes = (x, y)
        for axis, bokeh_range, values in zip(self.axes(), (self.plot.x_range, self.plot.y_range), (x, y), strict=True):
            change(bokeh_range, start=values.start, end=values.end)
            change(cast("FixedTicker", axis.ticker), ticks=list(values.ticks))
            change(axis, major_label_overrides=dict(zip(values.ticks, values.labels, strict=True)))

    def draw(self, source: ColumnDataSource, glyph: Glyph, level: str = "glyph") -> GlyphRenderer[Any]:
        """Draw a source; at the level `annotation` also what stands outside of the frame."""
        alike = dict.fromkeys(("selection_glyph", "nonselection_glyph", "muted_glyph"))  # nothing here can be selected
        return self.plot.add_glyph(source, glyph, level=level, **alike)

    def behind(self, name: str) -> ColumnDataSource:
        """Add thin lines for pinned settings; set them with `show_behind`."""
        source = ColumnDataSource({"x": [], "y": [], "name": [], "colour": []}, name=f"{name}-pinned")
        lines = MultiLine(xs="x", ys="y", line_color="colour", line_width=1.2, line_alpha=PINNED_ALPHA)
        self.hover([self.draw(source, lines)], "@name", [], line_policy="nearest")
        return source

    def show_behind(self, source: ColumnDataSource, lines: Sequence[PinnedLine]) -> None:
        """Set the lines of pinned settings, in the colours of their drafters; of several, in each one's own."""
        colours = [self._colour_behind(line) for line in lines]
        replace_data(
            source,
            {
                "x": [line.x.tolist() for line in lines],
                "y": [line.y.tolist() for line in lines],
                "name": [line.name for line in lines],
                "colour": colours,
            },
        )

    def _colour_behind(self, line: PinnedLine) -> str:
        if line.setting is not None:
            return self.palette.pinned[line.setting]
        return self.palette.muted if line.line is None else drafter_colour(self.palette, line.line, line.colour)

    def words(self, source: ColumnDataSource, x: str, y: str, text: str, **options: Any) -> GlyphRenderer[Any]:
        """Draw words that may stand outside of the frame; `options` are properties of a text glyph."""
        style: dict[str, Any] = {
            "text_font": constant(FONT),
            "text_font_size": constant(TEXT_SIZE),
            "text_baseline": "middle",
        }
        return self.draw(source, Text(x=x, y=y, text=text, **(style | options)), level="annotation")

    def readout(
        self,
        sources: Sequence[str],
        key: tuple[str, str],
        rows: Sequence[tuple[str, str, int, str]],
        **options: Any,
    ) -> None:
        """Say what the page reads where the chart is touched, and by arrow keys; columns are never read as markup.

        Args:
            sources: Names of the sources, one per line; each has a column `name`.
            key: Words and column of what is the same for all lines at one place.
            rows: Words, column, digits and unit of what is said of each line.
            options: `x`, `y`, `said`, `plane`, `chooses`, as in `static/crosshair.js`.
        """
        words, column = key
        said = [{"words": name, "column": of, "digits": digits, "suffix": unit} for name, of, digits, unit in rows]
        plain = {"x": column, "y": "", "said": "", "plane": False, "chooses": ""}
        readout = {**plain, "sources": list(sources), "key": column, "words": words, "rows": said, **options}
        self.plot.tags = [{"readout": readout}]

    def hover(
        self, renderers: Sequence[GlyphRenderer[Any]], title: str, rows: list[tuple[str, str]], **options: Any
    ) -> None:
        """Add exact values on hover; columns are named as in `@column{format}` and are never read as markup.

        Args:
            renderers: What to hover over.
            title: Column or words at the top.
            rows: Words and value of each line.
            options: More properties of the hover tool.
        """
        lines = "".join(f'<div><span style="color:var(--muted)">{words}</span> {value}</div>' for words, value in rows)
        self.plot.add_tools(
            HoverTool(renderers=list(renderers), tooltips=f"<div><b>{title}</b></div>{lines}", **options)
        )
