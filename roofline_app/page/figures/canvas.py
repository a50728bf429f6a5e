"""A frame with axes on a drawing of fixed size, in plain SVG that every renderer and rasteriser understands."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape

from roofline_app.page.figures.axes import Axis
from roofline_app.page.theme import FONT, Palette

WIDTH, HEIGHT = 720, 378
LEFT, RIGHT, TOP, BOTTOM = 54, 24, 84, 48
KEY_TOP, KEY_SPACE, LETTER = 74, 26, 6.4
TICK_GAP, WORDS_GAP = 18, 38
MARGIN, RING = 16, 20
ROUND = 'stroke-linejoin="round" stroke-linecap="round"'
Points = Iterable[tuple[float, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Canvas:
    """Where data lies on a drawing, and what is drawn on it.

    Attributes:
        palette: Colours.
        x: Axis below.
        y: Axis at the left.
        is_log: Whether the axis below, and the one at the left, is logarithmic.
        x_words: What the axis below shows.
        left: Pixels left of the frame, for the words at the ticks.
        right: Pixels right of it.
        parts: SVG of what is drawn, back to front.
    """

    palette: Palette
    x: Axis
    y: Axis
    is_log: tuple[bool, bool] = (False, False)
    x_words: str = ""
    left: int = LEFT
    right: int = RIGHT
    parts: list[str] = field(default_factory=list)

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixels of a point of data."""
        across = _share(x, self.x, is_log=self.is_log[0])
        up = _share(y, self.y, is_log=self.is_log[1])
        return self.left + across * (WIDTH - self.left - self.right), HEIGHT - BOTTOM - up * (HEIGHT - BOTTOM - TOP)

    def line(self, points: Points, colour: str, *, width: float = 2.5, dash: str = "", opacity: float = 1.0) -> None:
        """Draw a line through points; those that are not finite are left out."""
        places = [self.place(x, y) for x, y in points if math.isfinite(y)]
        path = " ".join(f"{x:.2f},{y:.2f}" for x, y in places)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}"{dashes} '
            f'stroke-opacity="{opacity:g}" {ROUND}/>'
        )

    def dot(self, x: float, y: float, colour: str, *, radius: float = 2.2, hollow: bool = False) -> None:
        """Draw a dot, or a ring."""
        at_x, at_y = self.place(x, y)
        style = (
            f'fill="{self.palette.background}" stroke="{colour}" stroke-width="2.4"' if hollow else f'fill="{colour}"'
        )
        self.parts.append(f'<circle cx="{at_x:.2f}" cy="{at_y:.2f}" r="{radius:g}" {style}/>')

    def bar(self, left: float, right: float, row: float, colour: str, *, height: float) -> None:
        """Draw a bar from left to right, around a row."""
        from_x, top = self.place(left, row - height / 2)
        to_x, bottom = self.place(right, row + height / 2)
        self.parts.append(
            f'<rect x="{from_x:.2f}" y="{min(top, bottom):.2f}" width="{to_x - from_x:.2f}" '
            f'height="{abs(bottom - top):.2f}" fill="{colour}" stroke="{self.palette.background}"/>'
        )

    def cell(self, x: float, y: float, colour: str, *, size: float, opacity: float) -> None:
        """Draw a rectangle of some size around a point of data."""
        left, bottom = self.place(x - size / 2, y - size / 2)
        right, top = self.place(x + size / 2, y + size / 2)
        self.parts.append(
            f'<rect x="{left:.2f}" y="{top:.2f}" width="{right - left:.2f}" height="{bottom - top:.2f}" '
            f'fill="{colour}" fill-opacity="{opacity:g}"/>'
        )

    def ring(self, x: float, y: float, colour: str) -> None:
        """Draw a square frame around a point of data, wherever the axes end."""
        at_x, at_y = self.place(x, y)
        half = RING / 2
        self.parts.append(
            f'<rect x="{at_x - half:.2f}" y="{at_y - half:.2f}" width="{RING}" height="{RING}" fill="none" '
            f'stroke="{colour}" stroke-width="2.4"/>'
        )

    def above(self, text: str) -> None:
        """Write above the axis at the left what it shows."""
        self.parts.append(written(MARGIN, KEY_TOP, text, self.palette.muted))

    def words(
        self, x: float, y: float, text: str, colour: str, *, shift: tuple[float, float] = (0, 4), **style: str
    ) -> None:
        """Write words at a point of data, moved by some pixels."""
        at_x, at_y = self.place(x, y)
        self.parts.append(written(at_x + shift[0], at_y + shift[1], text, colour, **style))

    def key(self, entries: Sequence[tuple[str, str]]) -> None:
        """Write a key of colours and words above the frame, as far as there is room."""
        at = float(self.left)
        for colour, words in entries:
            width = KEY_SPACE + LETTER * text_width(words)
            if at + width > WIDTH:
                return
            self.parts.append(f'<rect x="{at:.1f}" y="{KEY_TOP - 9}" width="10" height="10" rx="2" fill="{colour}"/>')
            self.parts.append(written(at + 15, KEY_TOP, words, self.palette.muted))
            at += width

    def frame(self) -> str:
        """Return SVG of the grid, the ticks and all that was drawn."""
        muted, parts = self.palette.muted, []
        for tick, label in zip(self.y.ticks, self.y.labels, strict=True):
            _, at_y = self.place(self.x.start, tick)
            parts.append(f'<path d="M{self.left} {at_y:.2f}H{WIDTH - self.right}" stroke="{self.palette.grid}"/>')
            parts.append(written(self.left - 8, at_y + 4, label, muted, text_anchor="end"))
        bottom = HEIGHT - BOTTOM
        parts.append(f'<path d="M{self.left} {bottom}H{WIDTH - self.right}" stroke="{self.palette.rule}"/>')
        for tick, label in zip(self.x.ticks, self.x.labels, strict=True):
            if self.x.start <= tick <= self.x.end:
                at_x, _ = self.place(tick, self.y.start)
                parts.append(written(at_x, bottom + TICK_GAP, label, muted, text_anchor="middle"))
        middle = self.left + (WIDTH - self.left - self.right) / 2
        parts.append(written(middle, bottom + WORDS_GAP, self.x_words, muted, text_anchor="middle"))
        return "".join([*parts, *self.parts])


def _share(value: float, axis: Axis, *, is_log: bool) -> float:
    if is_log:
        return (math.log(value) - math.log(axis.start)) / (math.log(axis.end) - math.log(axis.start))
    return (value - axis.start) / (axis.end - axis.start)


def text_width(text: str) -> int:
    """Return how many letters a text is wide; a Chinese character is as wide as two."""
    return sum(2 if ord(character) >= ord("\u2e80") else 1 for character in text)


def written(x: float, y: float, text: str, colour: str, **style: str) -> str:
    """Return words at a place in pixels."""
    attributes = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in style.items())
    return f'<text x="{x:.2f}" y="{y:.2f}" fill="{colour}"{attributes}>{escape(text)}</text>'


def drawing(title: str, description: str, palette: Palette, content: str) -> str:
    """Return a whole SVG file.

    Args:
        title: What it shows.
        description: The same numbers as text.
        palette: Colours.
        content: SVG of what is drawn.
    """
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'role="img" aria-label="{escape(title)}" font-family="{escape(FONT)}" font-size="12">'
        f"<title>{escape(title)}</title><desc>{escape(description)}</desc>"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{palette.background}"/>{content}</svg>\n'
    )
