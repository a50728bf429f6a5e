"""Figure 6 as a poster."""

from __future__ import annotations

from roofline_app.page.figures.canvas import Canvas, Picture
from roofline_app.page.figures.look import Shown
from roofline_app.page.figures.rates.view import PLAIN, rates_key, rates_view
from roofline_app.page.theme import Palette, drafter_colour
from roofline_app.text import sentence


def poster(shown: Shown, palette: Palette) -> Picture:
    """Return the figure as a poster."""
    view = rates_view(shown.evaluation, shown.look)
    axis = sentence("page.per_user_axis", shown.language)
    canvas = Canvas(palette=palette, x=view.x, y=view.y, is_log=(True, True), x_words=axis)
    for curve in view.curves:
        colour = palette.muted if curve.line == PLAIN else drafter_colour(palette, curve.line, curve.colour)
        points = list(zip(curve.per_user.tolist(), curve.per_gpu.tolist(), strict=True))
        canvas.line(points, colour)
        for x, y in points:
            canvas.dot(x, y, colour)
        now = curve.now
        canvas.ring(now.tokens_per_second_per_user, now.tokens_per_second_per_gpu, colour)
    for x, y, name in view.named:
        canvas.words(x, y, name, palette.muted, shift=(-6, 12), text_anchor="end")
    canvas.key(rates_key(view, palette))
    return canvas.picture()
