"""Figure 1 as SVG: as a poster, and as wide as the page before BokehJS draws it."""

from __future__ import annotations

from roofline_app.page.figures.canvas import LABELS_RIGHT, TWO_LINES_ROOM, Canvas, Picture
from roofline_app.page.figures.look import Shown
from roofline_app.page.figures.speedup.chart import HEIGHT, LABEL_ROOM, REPORTED_DASH, WIDE_BORDER
from roofline_app.page.figures.speedup.view import SpeedupView, speedup_view
from roofline_app.page.figures.stretched import Stretched
from roofline_app.page.figures.svg import Surface
from roofline_app.page.theme import Palette, drafter_colour
from roofline_app.text import sentence


def draw(surface: Surface, view: SpeedupView) -> None:
    """Draw the curves, the toy model dashed, best points ringed."""
    surface.one()
    clips = surface.placing.clips
    for index, curve in enumerate(view.curves):
        if not curve.shown:
            continue
        colour = drafter_colour(surface.palette, index, curve.colour)
        points = list(zip(curve.draft_tokens.tolist(), curve.speedup.tolist(), strict=True))
        toy = zip(curve.draft_tokens.tolist(), curve.tokens_per_round.tolist(), strict=True)
        inside = [(x, y) for x, y in toy if clips or y <= view.y.end]
        surface.line(inside, colour, width=1.5, dash="5 4", opacity=0.75)
        surface.line([point for point in points if point[0] <= curve.measured_draft_tokens], colour)
        if curve.reported.size:
            requests = list(zip(curve.draft_tokens.tolist(), curve.reported.tolist(), strict=True))
            surface.line(requests, colour, width=1.8, dash=" ".join(map(str, REPORTED_DASH)))
        beyond = [point for point in points if point[0] >= curve.measured_draft_tokens]
        surface.line(beyond, colour, width=2, dash="1 5")
        for x, y in points:
            surface.dot(x, y, colour)
        surface.ring(curve.best_draft_tokens, curve.best_speedup, colour)
        surface.end_label(view.x.end, curve.label_y, colour, curve.title, curve.label)


def poster(shown: Shown, palette: Palette) -> Picture:
    """Return the figure as a poster."""
    view = speedup_view(shown.evaluation, shown.look, label_room=TWO_LINES_ROOM)
    axis = sentence("page.draft_length_axis", shown.language)
    canvas = Canvas(palette=palette, x=view.x, y=view.y, x_words=axis, right=LABELS_RIGHT)
    draw(canvas, view)
    return canvas.picture()


def first_paint(shown: Shown) -> str:
    """Return the figure as it stands before BokehJS draws it."""
    view = speedup_view(shown.evaluation, shown.look, label_room=LABEL_ROOM)
    axis = sentence("page.draft_length_axis", shown.language)
    surface = Stretched(x=view.x, y=view.y, x_words=axis, height=HEIGHT, right=WIDE_BORDER)
    draw(surface, view)
    return surface.drawing()
