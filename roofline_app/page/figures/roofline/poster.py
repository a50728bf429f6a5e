"""Figure 4 as a poster."""

from __future__ import annotations

from roofline_app.page.figures.canvas import Canvas, Picture
from roofline_app.page.figures.look import Shown
from roofline_app.page.figures.roofline.view import roofline_key, roofline_view
from roofline_app.page.theme import Palette
from roofline_app.text import sentence

WIDE_LEFT = 92


def poster(shown: Shown, palette: Palette) -> Picture:
    """Return the figure as a poster."""
    view = roofline_view(shown.evaluation, shown.language)
    axis = sentence("page.intensity_axis", shown.language)
    canvas = Canvas(palette=palette, x=view.x, y=view.y, is_log=(True, True), x_words=axis, left=WIDE_LEFT)
    for roof in view.roofs:
        inside = zip(roof.flops_per_byte, roof.flops_per_second, strict=True)
        canvas.line([(x, max(y, view.y.start)) for x, y in inside], palette.rule, width=1.5)
        place = (roof.flops_per_byte[-1], roof.flops_per_second[-1])
        canvas.words(*place, roof.format, palette.muted, shift=(-4, -5), text_anchor="end")
    for point in view.points:
        colour = palette.components[point.component]
        canvas.line([point.step, point.verify], colour, width=1.5, opacity=0.7)
        canvas.ring(*point.step, colour, radius=5)
        canvas.dot(*point.verify, colour, radius=5)
    canvas.key(roofline_key(view, palette))
    return canvas.picture()
