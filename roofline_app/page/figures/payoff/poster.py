"""Figure 10 as a poster."""

from __future__ import annotations

from roofline_app.page.figures.canvas import Canvas, Picture
from roofline_app.page.figures.look import Shown
from roofline_app.page.figures.payoff.view import payoff_view, payoff_words
from roofline_app.page.theme import Palette, drafter_colour
from roofline_app.text import sentence

PAYOFF_LEFT = 62


def poster(shown: Shown, palette: Palette) -> Picture:
    """Return the figure as a poster."""
    view = payoff_view(shown.evaluation, shown.look)
    axis = sentence("page.tokens_per_round_axis", shown.language)
    canvas = Canvas(palette=palette, x=view.x, y=view.y, x_words=axis, left=PAYOFF_LEFT)
    colour = drafter_colour(palette, view.line, view.colour)
    canvas.line(zip(view.tokens_per_round.tolist(), view.cost.tolist(), strict=True), colour)
    for point in view.points:
        canvas.ring(point.tokens_per_round, point.cost, colour)
        label = f"{point.words} {point.text}"
        canvas.words(point.tokens_per_round, point.cost, label, colour, shift=(10, -8), font_weight="bold")
    canvas.above(view.cost_words)
    return canvas.picture(payoff_words(shown.evaluation, shown.language) if shown.evaluation.payoff else "")
