"""Figure 5 as a poster."""

from __future__ import annotations

from roofline_app import format as fmt
from roofline_app.page.figures.axes import Axis
from roofline_app.page.figures.canvas import Canvas, Picture
from roofline_app.page.figures.look import Shown
from roofline_app.page.figures.time.view import time_key, time_view
from roofline_app.page.theme import Palette
from roofline_app.text import sentence

BAR, ROOM_ABOVE_BARS = 0.44, 0.3


def poster(shown: Shown, palette: Palette) -> Picture:
    """Return the figure as a poster."""
    view = time_view(shown.evaluation, shown.language)
    rows = len(view.rows)
    y = Axis(start=rows - 0.5, end=-0.5 - ROOM_ABOVE_BARS, ticks=(), labels=())
    canvas = Canvas(palette=palette, x=view.x, y=y, x_words=sentence("page.time_axis", shown.language))
    for segment in view.segments:
        colour = palette.components[segment.component]
        canvas.bar(segment.left, segment.left + segment.seconds, segment.row, colour, height=BAR)
    for row, (name, total) in enumerate(zip(view.rows, view.totals, strict=True)):
        canvas.words(0.0, row - BAR / 2, f"{name} · {fmt.seconds(total)}", palette.text, shift=(0, -4))
    canvas.key(time_key(view, palette))
    return canvas.picture()
