"""Figure 7 as a poster."""

from __future__ import annotations

from roofline_app.page.figures.canvas import Canvas, Picture
from roofline_app.page.figures.look import Shown
from roofline_app.page.figures.map.view import map_view, rows_found
from roofline_app.page.theme import FAINT, Palette, ramp, readable
from roofline_app.text import sentence

MAP_LEFT = 62
CELL = 0.96


def poster(shown: Shown, palette: Palette) -> Picture:
    """Return the figure as a poster."""
    view = map_view(rows_found(shown.found), (), evaluation=shown.evaluation, look=shown.look)
    axis = sentence("page.batch_axis", shown.language)
    canvas = Canvas(palette=palette, x=view.x, y=view.y, x_words=axis, left=MAP_LEFT)
    for cell in view.cells:
        colour = ramp(palette.ramp, cell.shade)
        opacity = 1.0 if cell.fits else FAINT / 2
        canvas.cell(cell.column, cell.row, colour, size=CELL, opacity=opacity)
        if cell.fits:
            canvas.words(cell.column, cell.row, cell.text, readable(colour), text_anchor="middle")
    canvas.square(*view.now, palette.text)
    canvas.above(sentence("page.context_axis", shown.language))
    return canvas.picture()
