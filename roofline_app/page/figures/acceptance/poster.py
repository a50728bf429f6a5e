"""Figure 3 as a poster."""

from __future__ import annotations

from roofline_app.page.figures.acceptance.view import acceptance_view
from roofline_app.page.figures.canvas import LABELS_RIGHT, ONE_LINE_ROOM, Canvas, Picture
from roofline_app.page.figures.look import Shown
from roofline_app.page.theme import Palette, drafter_colour
from roofline_app.text import sentence


def poster(shown: Shown, palette: Palette) -> Picture:
    """Return the figure as a poster."""
    view = acceptance_view(shown.evaluation, shown.look, label_room=ONE_LINE_ROOM)
    axis = sentence("page.tokens_per_round_axis", shown.language)
    canvas = Canvas(palette=palette, x=view.x, y=view.y, x_words=axis, right=LABELS_RIGHT)
    canvas.one()
    end = min(view.x.end, view.y.end)
    canvas.line([(1.0, 1.0), (end, end)], palette.muted, width=1.5, dash="5 4")
    for index, line in enumerate(view.lines):
        colour = drafter_colour(palette, index, line.colour)
        canvas.line(zip(line.tokens_per_round.tolist(), line.speedup.tolist(), strict=True), colour)
        canvas.ring(line.own_tokens_per_round, line.own_speedup, colour)
        end_x = float(line.tokens_per_round[-1])
        canvas.end_label(max(end_x, view.x.end), line.label_y, colour, line.label)
    return canvas.picture()
