"""Figures as SVG: lines, dots and words at points of data, placed in pixels or as shares of a frame that stretches."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import ClassVar, Protocol

from roofline_app.page.figures.axes import Axis
from roofline_app.page.theme import Palette

TICK_GAP = 18
LABEL_GAP = 10
Points = Iterable[tuple[float, float]]


class Placing(Protocol):
    """How a point becomes markup; points are shares of the frame's width and height, from its bottom left."""

    @property
    def stroke(self) -> str:
        """Attributes of every line."""

    @property
    def clips(self) -> bool:
        """Whether what lies outside of the frame is cut off."""

    def path(self, across: float, up: float) -> str:
        """Return a point of a line."""

    def centre(self, across: float, up: float) -> str:
        """Return the attributes of a dot's place."""

    def anchor(self, across: float, up: float, shift: tuple[float, float]) -> str:
        """Return the attributes of the place of words, moved by some pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pixels:
    """A frame of fixed size."""

    left: float
    top: float
    width: float
    height: float
    stroke: str = 'stroke-linejoin="round" stroke-linecap="round"'
    clips: bool = False

    def at(self, across: float, up: float) -> tuple[float, float]:
        """Return a point's pixels."""
        return self.left + across * self.width, self.top + self.height - up * self.height

    def path(self, across: float, up: float) -> str:
        """Return a point of a line."""
        x, y = self.at(across, up)
        return f"{x:.2f},{y:.2f}"

    def centre(self, across: float, up: float) -> str:
        """Return the attributes of a dot's place."""
        x, y = self.at(across, up)
        return f'cx="{x:.2f}" cy="{y:.2f}"'

    def anchor(self, across: float, up: float, shift: tuple[float, float]) -> str:
        """Return the attributes of the place of words, moved by some pixels."""
        x, y = self.at(across, up)
        return f'x="{x + shift[0]:.2f}" y="{y + shift[1]:.2f}"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """A frame as wide as its page: lines lie on a stretched drawing of size 1, dots and words keep their shape."""

    stroke: str = 'vector-effect="non-scaling-stroke"'
    clips: bool = True

    def path(self, across: float, up: float) -> str:
        """Return a point of a line."""
        return f"{across:.5g},{1 - up:.5g}"

    def centre(self, across: float, up: float) -> str:
        """Return the attributes of a dot's place."""
        return f'cx="{across:.2%}" cy="{1 - up:.2%}"'

    def anchor(self, across: float, up: float, shift: tuple[float, float]) -> str:
        """Return the attributes of the place of words, moved by some pixels."""
        return f'x="{across:.2%}" y="{1 - up:.2%}" dx="{shift[0]:g}" dy="{shift[1]:g}"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Surface(ABC):
    """What is drawn within a pair of axes.

    Attributes:
        palette: Colours.
        x: Axis below.
        y: Axis at the left.
        is_log: Whether the axis below, and the one at the left, is logarithmic.
        x_words: What the axis below shows.
        lines: SVG of what stretches with the frame, back to front.
        marks: SVG of what keeps its shape.
    """

    DOT: ClassVar[float] = 2.2
    RING: ClassVar[float] = 6
    RING_STROKE: ClassVar[float] = 2.4
    WORDS_GAP: ClassVar[float] = 38
    TITLE_RISE: ClassVar[float] = -3
    TITLE: ClassVar[Mapping[str, str]] = {"font_weight": "bold"}

    palette: Palette
    x: Axis
    y: Axis
    is_log: tuple[bool, bool] = (False, False)
    x_words: str = ""
    lines: list[str] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)

    @property
    @abstractmethod
    def placing(self) -> Placing:
        """How a point becomes markup."""

    def share(self, x: float, y: float) -> tuple[float, float]:
        """Return a point of data as shares of the frame's width and height, from its bottom left."""
        return _share(x, self.x, is_log=self.is_log[0]), _share(y, self.y, is_log=self.is_log[1])

    def line(self, points: Points, colour: str, *, width: float = 2.5, dash: str = "", opacity: float = 1.0) -> None:
        """Draw a line through points; those that are not finite are left out."""
        path = " ".join(self.placing.path(*self.share(x, y)) for x, y in points if math.isfinite(y))
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.lines.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}"{dashes} '
            f'stroke-opacity="{opacity:g}" {self.placing.stroke}/>'
        )

    def dot(self, x: float, y: float, colour: str, *, radius: float | None = None) -> None:
        """Draw a dot."""
        self._circle(x, y, self.DOT if radius is None else radius, f'fill="{colour}"')

    def ring(self, x: float, y: float, colour: str, *, radius: float | None = None) -> None:
        """Draw a ring."""
        style = f'fill="{self.palette.background}" stroke="{colour}" stroke-width="{self.RING_STROKE:g}"'
        self._circle(x, y, self.RING if radius is None else radius, style)

    def _circle(self, x: float, y: float, radius: float, style: str) -> None:
        self.marks.append(f'<circle {self.placing.centre(*self.share(x, y))} r="{radius:g}" {style}/>')

    def words(
        self, x: float, y: float, text: str, colour: str, *, shift: tuple[float, float] = (0, 4), **style: str
    ) -> None:
        """Write words at a point of data, moved by some pixels."""
        self._words(self.share(x, y), text, colour, shift, style)

    def _words(
        self,
        share: tuple[float, float],
        text: str,
        colour: str,
        shift: tuple[float, float],
        style: Mapping[str, str],
    ) -> None:
        place = self.placing.anchor(*share, shift)
        self.marks.append(f'<text {place} fill="{colour}"{attributes(style)}>{escape(text)}</text>')

    def grid_line(self, y: float) -> None:
        """Draw a line of the grid."""
        self.line([(self.x.start, y), (self.x.end, y)], self.palette.grid, width=1)

    @abstractmethod
    def base_line(self) -> None:
        """Draw the axis below, where it is drawn."""

    def scales(self) -> None:
        """Draw the grid, both axes and their words."""
        muted, middle = self.palette.muted, {"text_anchor": "middle"}
        for tick, label in zip(self.y.ticks, self.y.labels, strict=True):
            self.grid_line(tick)
            self.words(self.x.start, tick, label, muted, shift=(-8, 4), text_anchor="end")
        self.base_line()
        for tick, label in zip(self.x.ticks, self.x.labels, strict=True):
            if self.x.start <= tick <= self.x.end:
                self.words(tick, self.y.start, label, muted, shift=(0, TICK_GAP), **middle)
        self._words((0.5, 0.0), self.x_words, muted, (0, self.WORDS_GAP), middle)

    def one(self) -> None:
        """Draw the line of plain decoding."""
        self.line([(self.x.start, 1.0), (self.x.end, 1.0)], self.palette.rule, width=1)

    def here(self, x: float) -> None:
        """Draw a dotted line at the current setting, where it lies within the axis."""
        if self.x.start <= x <= self.x.end:
            self.line([(x, self.y.start), (x, self.y.end)], self.palette.rule, width=1.5, dash="2 3")

    def end_label(self, x: float, y: float, colour: str, title: str, label: str = "") -> None:
        """Write a line's name beside its end, with a second line where there is one."""
        if label:
            self.words(x, y, title, colour, shift=(LABEL_GAP, self.TITLE_RISE), **self.TITLE)
            self.words(x, y, label, colour, shift=(LABEL_GAP, 12))
        else:
            self.words(x, y, title, colour, shift=(LABEL_GAP, 4), font_weight="bold")


def _share(value: float, axis: Axis, *, is_log: bool) -> float:
    if is_log:
        return (math.log(value) - math.log(axis.start)) / (math.log(axis.end) - math.log(axis.start))
    return (value - axis.start) / (axis.end - axis.start)


def attributes(style: Mapping[str, str]) -> str:
    """Return SVG's attributes of a style, each after a space."""
    return "".join(f' {name.replace("_", "-")}="{value}"' for name, value in style.items())


def written(x: float, y: float, text: str, colour: str, **style: str) -> str:
    """Return words at a place in pixels."""
    return f'<text x="{x:.2f}" y="{y:.2f}" fill="{colour}"{attributes(style)}>{escape(text)}</text>'
