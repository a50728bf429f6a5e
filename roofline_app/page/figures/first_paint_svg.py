"""Figures as SVG, for the moment before BokehJS draws them. Pure Python; positions follow the width of the page.

Places along the width are shares of the frame, so that one drawing fits every screen; colours are the style sheet's
variables, so that it fits both themes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from roofline_app.page.figures.axes import Axis
from roofline_app.page.figures.batch.view import BatchView
from roofline_app.page.figures.speedup.view import SpeedupView
from roofline_app.page.theme import DARK, FONT, LIGHT, Palette

LEFT, TOP, BOTTOM = 39, 8, 52
TICK_GAP = 18
Points = Iterable[tuple[float, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Where data lies on a drawing.

    Attributes:
        x: Axis below.
        y: Axis at the left.
        is_log: Whether the axis below is logarithmic.
        height: Pixels of the drawing.
        right: Pixels beside the frame, for labels.
        x_words: What the axis below shows.
    """

    x: Axis
    y: Axis
    is_log: bool
    height: int
    right: int
    x_words: str

    def share(self, x: float, y: float) -> tuple[float, float]:
        """Return a point as shares of the frame's width and height, from its top left."""
        along = math.log if self.is_log else float
        start = along(self.x.start)
        return (
            (along(x) - start) / (along(self.x.end) - start),
            1 - (y - self.y.start) / (self.y.end - self.y.start),
        )

    def line(self, points: Points, colour: str, *, width: float = 2.5, dash: str = "", opacity: float = 1) -> str:
        """Return a line through points; those that are not finite are left out."""
        shares = [self.share(x, y) for x, y in points if math.isfinite(y)]
        path = " ".join(f"{x:.5g},{y:.5g}" for x, y in shares)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        return (
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}"{dashes} '
            f'stroke-opacity="{opacity:g}" vector-effect="non-scaling-stroke"/>'
        )

    def dot(self, x: float, y: float, colour: str, *, ring: bool = False) -> str:
        """Return a point, or a ring around one."""
        at_x, at_y = self.share(x, y)
        style = f'r="6.5" fill="var(--page)" stroke="{colour}" stroke-width="2.6"' if ring else f'r="2" fill="{colour}"'
        return f'<circle cx="{at_x:.2%}" cy="{at_y:.2%}" {style}/>'

    def words(self, x: float, y: float, text: str, colour: str, **attributes: str) -> str:
        """Return words at a point."""
        at_x, at_y = self.share(x, y)
        style = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items())
        return f'<text x="{at_x:.2%}" y="{at_y:.2%}" fill="{colour}"{style}>{escape(text)}</text>'

    def drawing(self, lines: Sequence[str], marks: Sequence[str]) -> str:
        """Return the whole drawing: grid, axes, lines, and what keeps its shape at any width."""
        height = self.height - TOP - BOTTOM
        bottom, left, muted = self.y.start, self.x.start, "var(--muted)"
        grid = [self.line([(left, y), (self.x.end, y)], "var(--rule)", width=1) for y in self.y.ticks]
        ticks = [
            *(self.words(left, y, label, muted, dx="-8", dy="4", text_anchor="end") for y, label in _of(self.y)),
            *(self.words(x, bottom, label, muted, dy=str(TICK_GAP), text_anchor="middle") for x, label in _of(self.x)),
            f'<text x="50%" y="100%" dy="{2 * TICK_GAP}" fill="{muted}" text-anchor="middle">'
            f"{escape(self.x_words)}</text>",
        ]
        stretched = 'viewBox="0 0 1 1" preserveAspectRatio="none" width="100%" height="100%"'
        return (
            f'<div class="first-paint" aria-hidden="true" style="padding:{TOP}px {self.right}px {BOTTOM}px {LEFT}px">'
            f'<svg width="100%" height="{height}" font-family=\'{FONT}\' font-size="12">'
            f"<svg {stretched}>{''.join([*grid, *lines])}</svg>{''.join([*ticks, *marks])}</svg></div>"
        )


def _of(axis: Axis) -> Iterable[tuple[float, str]]:
    return zip(axis.ticks, axis.labels, strict=True)


def colour_of(index: int, chosen: str) -> str:
    """Return a line's colour: the reader's, else the theme's."""
    return f"#{chosen}" if chosen else f"var(--drafter-{index})"


def colours() -> str:
    """Return the style sheet's variables for both themes."""

    def variables(palette: Palette) -> str:
        return "".join(f"--drafter-{index}:{colour};" for index, colour in enumerate(palette.drafters))

    return f':root{{{variables(LIGHT)}}}:root[data-theme="dark"]{{{variables(DARK)}}}'


def speedup_svg(view: SpeedupView, *, height: int, right: int, x_words: str) -> str:
    """Return figure 1 as SVG; sizes in pixels as its Bokeh twin has them."""
    frame = Frame(x=view.x, y=view.y, is_log=False, height=height, right=right, x_words=x_words)
    lines = [frame.line([(view.x.start, 1), (view.x.end, 1)], "var(--muted)", width=1)]
    marks = []
    for index, curve in enumerate(view.curves):
        if not curve.shown:
            continue
        colour = colour_of(index, curve.colour)
        points = [(float(x), float(y)) for x, y in zip(curve.draft_tokens, curve.speedup, strict=True)]
        toy = [(float(x), float(y)) for x, y in zip(curve.draft_tokens, curve.tokens_per_round, strict=True)]
        lines += [
            frame.line(toy, colour, width=1.5, dash="5 4", opacity=0.75),
            frame.line([p for p in points if p[0] <= curve.measured_draft_tokens], colour),
            frame.line([p for p in points if p[0] >= curve.measured_draft_tokens], colour, width=2, dash="1 5"),
        ]
        marks += [frame.dot(x, y, colour) for x, y in points]
        marks.append(frame.dot(curve.best_draft_tokens, curve.best_speedup, colour, ring=True))
        marks.append(
            frame.words(
                view.x.end, curve.label_y, curve.title, colour, dx="10", dy="-4", font_weight="bold", font_size="13"
            )
        )
        marks.append(frame.words(view.x.end, curve.label_y, curve.label, colour, dx="10", dy="12"))
    return frame.drawing(lines, marks)


def batch_svg(view: BatchView, *, height: int, right: int, x_words: str) -> str:
    """Return figure 2 as SVG; sizes in pixels as its Bokeh twin has them."""
    frame = Frame(x=view.x, y=view.y, is_log=True, height=height, right=right, x_words=x_words)
    lines = [
        frame.line([(view.x.start, 1), (view.x.end, 1)], "var(--muted)", width=1),
        frame.line([(view.batch, view.y.start), (view.batch, view.y.end)], "var(--muted)", width=1.5, dash="2 3"),
    ]
    marks = []
    for index, curve in enumerate(view.curves):
        if not curve.shown:
            continue
        colour = colour_of(index, curve.colour)
        drawn = curve.speedup_at_this_draft_length if view.fixed else curve.speedup
        points = [(float(x), float(y)) for x, y in zip(curve.batch, drawn, strict=True)]
        lines.append(frame.line(points, colour))
        marks += [frame.dot(x, y, colour) for x, y in points if math.isfinite(y)]
        style = {"dx": "10", "dy": "4", "font_weight": "bold"}
        marks.append(frame.words(view.x.end, curve.label_y, curve.label, colour, **style))
    return frame.drawing(lines, marks)
