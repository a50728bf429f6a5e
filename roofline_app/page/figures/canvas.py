"""A frame with axes on a drawing of fixed size, in plain SVG that every renderer and rasteriser understands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape

from roofline_app.page.figures.svg import Pixels, Surface, written
from roofline_app.page.protocol import KeyEntry
from roofline_app.page.theme import FONT, Palette

WIDTH, HEIGHT = 720, 378
LEFT, RIGHT, TOP, BOTTOM = 54, 24, 84, 48
# Pixels right of the frame for labels at the ends of lines, and a label's height as a share of the frame's.
LABELS_RIGHT = 140
ONE_LINE_ROOM, TWO_LINES_ROOM = 16 / 246, 32 / 246
KEY_TOP, KEY_SPACE, LETTER = 74, 26, 6.4
MARGIN, FRAME = 16, 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A drawn figure.

    Attributes:
        content: SVG.
        description: What it shows besides the headline and the verdict, as text; may be empty.
    """

    content: str
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Canvas(Surface):
    """Axes on a poster, and what is drawn between them.

    Attributes:
        left: Pixels left of the frame, for the words at the ticks.
        right: Pixels right of it.
    """

    left: int = LEFT
    right: int = RIGHT

    def __post_init__(self) -> None:
        """Draw lines and marks in the order in which they come."""
        object.__setattr__(self, "lines", self.marks)

    @property
    def placing(self) -> Pixels:
        """The frame on the poster."""
        return Pixels(left=self.left, top=TOP, width=WIDTH - self.left - self.right, height=HEIGHT - BOTTOM - TOP)

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixels of a point of data."""
        return self.placing.at(*self.share(x, y))

    def bar(self, left: float, right: float, row: float, colour: str, *, height: float) -> None:
        """Draw a bar from left to right, around a row."""
        from_x, top = self.place(left, row - height / 2)
        to_x, bottom = self.place(right, row + height / 2)
        self.marks.append(
            f'<rect x="{from_x:.2f}" y="{min(top, bottom):.2f}" width="{to_x - from_x:.2f}" '
            f'height="{abs(bottom - top):.2f}" fill="{colour}" stroke="{self.palette.background}"/>'
        )

    def cell(self, x: float, y: float, colour: str, *, size: float, opacity: float) -> None:
        """Draw a rectangle of some size around a point of data."""
        left, bottom = self.place(x - size / 2, y - size / 2)
        right, top = self.place(x + size / 2, y + size / 2)
        self.marks.append(
            f'<rect x="{left:.2f}" y="{top:.2f}" width="{right - left:.2f}" height="{bottom - top:.2f}" '
            f'fill="{colour}" fill-opacity="{opacity:g}"/>'
        )

    def square(self, x: float, y: float, colour: str) -> None:
        """Draw a square frame around a point of data, wherever the axes end."""
        at_x, at_y = self.place(x, y)
        half = FRAME / 2
        self.marks.append(
            f'<rect x="{at_x - half:.2f}" y="{at_y - half:.2f}" width="{FRAME}" height="{FRAME}" fill="none" '
            f'stroke="{colour}" stroke-width="2.4"/>'
        )

    def above(self, text: str) -> None:
        """Write above the axis at the left what it shows."""
        self.marks.append(written(MARGIN, KEY_TOP, text, self.palette.muted))

    def key(self, entries: Sequence[KeyEntry]) -> None:
        """Write a key of colours and words above the frame, as far as there is room."""
        at = float(self.left)
        for entry in entries:
            colour, words = entry["colour"], entry["words"]
            width = KEY_SPACE + LETTER * text_width(words)
            if at + width > WIDTH:
                return
            self.marks.append(f'<rect x="{at:.1f}" y="{KEY_TOP - 9}" width="10" height="10" rx="2" fill="{colour}"/>')
            self.marks.append(written(at + 15, KEY_TOP, words, self.palette.muted))
            at += width

    def grid_line(self, y: float) -> None:
        """Draw a line of the grid."""
        _, at_y = self.place(self.x.start, y)
        end = WIDTH - self.right
        self.marks.append(f'<path d="M{self.left} {at_y:.2f}H{end}" stroke="{self.palette.grid}"/>')

    def base_line(self) -> None:
        """Draw the axis below."""
        end = WIDTH - self.right
        self.marks.append(f'<path d="M{self.left} {HEIGHT - BOTTOM}H{end}" stroke="{self.palette.rule}"/>')

    def picture(self, description: str = "") -> Picture:
        """Return the scales and all that was drawn on them."""
        behind = replace(self, marks=[])
        behind.scales()
        return Picture(content="".join([*behind.marks, *self.marks]), description=description)


def text_width(text: str) -> int:
    """Return the width of a text in letters; a Chinese character is as wide as two."""
    return sum(2 if ord(character) >= ord("\u2e80") else 1 for character in text)


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
