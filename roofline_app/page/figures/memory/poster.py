"""Figure 9 as a poster."""

from __future__ import annotations

from roofline_app.page.figures.axes import Axis
from roofline_app.page.figures.canvas import Canvas, Picture
from roofline_app.page.figures.look import Shown
from roofline_app.page.figures.memory.view import memory_key, memory_view
from roofline_app.page.theme import Palette
from roofline_app.text import sentence

BAR = 0.44


def poster(shown: Shown, palette: Palette) -> Picture:
    """Return the figure as a poster."""
    view = memory_view(shown.evaluation, shown.language)
    y = Axis(start=1.0, end=-1.0, ticks=(), labels=())
    canvas = Canvas(palette=palette, x=view.x, y=y, x_words=sentence("page.memory_axis", shown.language))
    for segment in view.segments:
        canvas.bar(segment.left, segment.left + segment.bytes, 0.0, palette.memory[segment.part], height=BAR)
    canvas.line([(view.capacity_bytes, -BAR), (view.capacity_bytes, BAR)], palette.text, width=2)
    canvas.key(memory_key(view, palette))
    return canvas.picture()
