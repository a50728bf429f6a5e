"""The record of the figure of contexts: best speedup against context, worked out in pieces."""

from __future__ import annotations

from roofline_app import format as fmt
from roofline_app.page.figures.canvas import LABELS_RIGHT, ONE_LINE_ROOM, Canvas, Picture
from roofline_app.page.figures.context.chart import HEIGHT, LABEL_ROOM, ContextChart
from roofline_app.page.figures.context.view import (
    context_at,
    context_rows,
    context_table,
    context_view,
    context_work,
    found_at,
)
from roofline_app.page.figures.figure import Figure
from roofline_app.page.figures.look import Shown
from roofline_app.page.figures.working import ARTICLE, Say, Working, line
from roofline_app.page.theme import Palette, drafter_colour
from roofline_app.results import Evaluation
from roofline_app.text import sentence


def _poster(shown: Shown, palette: Palette) -> Picture:
    view = context_view(shown, label_room=ONE_LINE_ROOM)
    axis = sentence("page.context_axis", shown.language)
    canvas = Canvas(palette=palette, x=view.x, y=view.y, is_log=(True, False), x_words=axis, right=LABELS_RIGHT)
    if view.largest_context < view.x.end:
        beyond = max(view.largest_context, view.x.start)
        canvas.bar(beyond, view.x.end, view.y.end / 2, palette.shade, height=view.y.end)
        canvas.base_line()
    canvas.one()
    canvas.here(view.context)
    for index, curve in enumerate(view.curves):
        colour = drafter_colour(palette, index, curve.colour)
        points = list(zip(curve.context.tolist(), curve.speedup.tolist(), strict=True))
        canvas.line(points, colour)
        for x, y in points:
            canvas.dot(x, y, colour)
        if view.x.start <= view.context <= view.x.end:
            canvas.ring(view.context, curve.now, colour)
        canvas.end_label(view.x.end, curve.label_y, colour, curve.label)
    return canvas.picture()


def _working(evaluation: Evaluation, say: Say, _language: str) -> list[Working]:
    context = fmt.tokens(evaluation.context)
    return [
        line(say("context_formula"), ARTICLE),
        *(
            line(
                say(
                    "context_numbers",
                    name=result.name,
                    context=context,
                    draft=fmt.count(result.best.draft_tokens),
                    speedup=fmt.speedup(result.best.speedup),
                )
            )
            for result in evaluation.drafters
        ),
    ]


def _note(shown: Shown) -> str:
    """Return what is shown, and what the shade means where there is one."""
    said = [sentence("figures.context_note", shown.language)]
    if not all(one.fits for one in found_at(shown).values()):
        said.append(sentence("page.batch_note_shaded", shown.language))
    return " ".join(said)


FIGURE = Figure(
    order=15,
    height=HEIGHT,
    chart=ContextChart,
    view=lambda shown: context_view(shown, label_room=LABEL_ROOM),
    table=context_table,
    rows=context_rows,
    working=_working,
    poster=_poster,
    note=_note,
    choice=context_at,
    work=context_work,
)
