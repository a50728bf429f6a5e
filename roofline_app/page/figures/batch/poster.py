"""Figure 2 as SVG: as a poster, and as wide as the page before BokehJS draws it."""

from __future__ import annotations

import math

from roofline_app.page.figures.batch.chart import BORDER, HEIGHT, LABEL_ROOM
from roofline_app.page.figures.batch.view import BatchView, batch_view
from roofline_app.page.figures.canvas import LABELS_RIGHT, ONE_LINE_ROOM, Canvas, Picture
from roofline_app.page.figures.look import Shown
from roofline_app.page.figures.stretched import Stretched
from roofline_app.page.figures.svg import Surface
from roofline_app.page.theme import Palette, drafter_colour
from roofline_app.text import sentence

IS_LOG = (True, False)


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


def poster(shown: Shown, palette: Palette) -> Picture:
    """Return the figure as a poster."""
    view = batch_view(shown.evaluation, shown.look, label_room=ONE_LINE_ROOM)
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
