"""Figure 2 as SVG: as a poster, and as wide as the page before BokehJS draws it."""

from __future__ import annotations

import math

from roofline_app.page.figures.batch.chart import BORDER, HEIGHT, LABEL_ROOM
from roofline_app.page.figures.batch.strip import FRAME, STRIP
from roofline_app.page.figures.batch.view import BatchView, batch_view
from roofline_app.page.figures.canvas import (
    BOTTOM,
    HEIGHT as POSTER_HEIGHT,
    LABELS_RIGHT,
    LEFT,
    ONE_LINE_ROOM,
    TOP,
    WIDTH,
    Canvas,
    Picture,
)
from roofline_app.page.figures.look import Shown
from roofline_app.page.figures.stretched import Stretched
from roofline_app.page.figures.svg import LABEL_GAP, Surface
from roofline_app.page.theme import Palette, drafter_colour
from roofline_app.text import sentence

IS_LOG = (True, False)
SHRUNK = (FRAME + STRIP) / FRAME  # the curves share the poster's height with the strip
POSTER_FRAME = (float(WIDTH - LEFT - LABELS_RIGHT), (POSTER_HEIGHT - TOP - BOTTOM) / SHRUNK)


def draw(surface: Surface, view: BatchView) -> None:
    """Draw the curves and the current batch."""
    surface.one()
    surface.here(view.batch)
    for index, curve in enumerate(view.curves):
        if not curve.shown:
            continue
        colour = drafter_colour(surface.palette, index, curve.colour)
        drawn = curve.speedup_at_this_draft_length if view.fixed else curve.speedup
        points = list(zip(curve.batch.tolist(), drawn.tolist(), strict=True))
        surface.line(points, colour)
        for x, y in points:
            if math.isfinite(y):
                surface.dot(x, y, colour)
        surface.end_label(view.x.end, curve.label_y, colour, curve.label)
    _draw_strip(surface, view)


def _draw_strip(surface: Surface, view: BatchView) -> None:
    palette, batch, top = surface.palette, view.curves[0].batch.tolist(), view.y.ticks[0]
    for bound in view.strip.bounds:
        surface.line([(bound, view.y.start), (bound, top)], palette.rule, width=1)
    for line, dash in zip(view.strip.lines, ("", "1 3"), strict=False):
        surface.line(zip(batch, line.y.tolist(), strict=True), palette.muted, width=1.6, dash=dash)
        surface.words(view.x.end, line.label_y, line.label, palette.muted, shift=(LABEL_GAP, 4), font_size="11")
    for one in view.strip.words:
        surface.words(one.x, one.y, one.text, palette.muted, text_anchor="middle")


def poster(shown: Shown, palette: Palette) -> Picture:
    """Return the figure as a poster."""
    view = batch_view(shown.evaluation, shown.look, label_room=ONE_LINE_ROOM * SHRUNK, frame=POSTER_FRAME)
    axis = sentence("page.batch_axis", shown.language)
    canvas = Canvas(palette=palette, x=view.x, y=view.y, is_log=IS_LOG, x_words=axis, right=LABELS_RIGHT)
    draw(canvas, view)
    return canvas.picture()


def first_paint(shown: Shown) -> str:
    """Return the figure as it stands before BokehJS draws it."""
    view = batch_view(shown.evaluation, shown.look, label_room=LABEL_ROOM)
    axis = sentence("page.batch_axis", shown.language)
    surface = Stretched(x=view.x, y=view.y, is_log=IS_LOG, x_words=axis, height=HEIGHT, right=BORDER)
    draw(surface, view)
    return surface.drawing()
