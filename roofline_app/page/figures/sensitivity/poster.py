"""The sensitivity strip as a poster."""

from __future__ import annotations

from roofline_app.page.figures.canvas import Canvas, Picture
from roofline_app.page.figures.look import Shown
from roofline_app.page.figures.sensitivity.view import strip_note, strip_shown
from roofline_app.page.theme import Palette, drafter_colour
from roofline_app.text import sentence

STRIP_LEFT, STRIP_RIGHT = 150, 150


def poster(shown: Shown, palette: Palette) -> Picture:
    """Return the figure as a poster."""
    view = strip_shown(shown)
    axis = sentence("page.best_speedup", shown.language)
    canvas = Canvas(palette=palette, x=view.x, y=view.y, x_words=axis, left=STRIP_LEFT, right=STRIP_RIGHT)
    canvas.line([(view.now, view.y.start), (view.now, view.y.end)], palette.rule, width=1.5, dash="2 3")
    for row in view.rows:
        colour = palette.text if row.improvement else drafter_colour(palette, view.line, view.colour)
        ends = (row.low, row.high, view.now)
        canvas.line([(min(ends), row.y), (max(ends), row.y)], colour)
        canvas.ring(row.low, row.y, colour, radius=4)
        canvas.dot(row.high, row.y, colour, radius=5)
        canvas.words(view.x.end, row.y, row.label, palette.muted, shift=(10, 4))
    return canvas.picture(strip_note(shown))
