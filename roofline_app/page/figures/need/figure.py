"""The record of the figure of needed acceptances, worked out line by line."""

from __future__ import annotations

import math

from roofline_app import format as fmt
from roofline_app.page.figures.canvas import LABELS_RIGHT, TWO_LINES_ROOM, Canvas, Picture
from roofline_app.page.figures.figure import Figure
from roofline_app.page.figures.look import Shown
from roofline_app.page.figures.need.chart import HEIGHT, LABEL_ROOM, PAYING_DOT, NeedChart
from roofline_app.page.figures.need.view import (
    DIGITS,
    LineNeed,
    line_needs,
    need_rows,
    need_table,
    need_view,
    need_work,
)
from roofline_app.page.figures.working import LEVIATHAN, Say, Working, line
from roofline_app.page.theme import Palette, drafter_colour
from roofline_app.results import Evaluation
from roofline_app.text import sentence


def _stretches(one: LineNeed) -> list[list[tuple[float, float]]]:
    """Return the points of a line, apart where nothing is enough between them."""
    found: list[list[tuple[float, float]]] = [[]]
    for batch, acceptance in zip(one.batch.tolist(), one.acceptance.tolist(), strict=True):
        if not math.isnan(acceptance):
            found[-1].append((batch, acceptance))
        elif found[-1]:
            found.append([])
    return [stretch for stretch in found if stretch]


def _poster(shown: Shown, palette: Palette) -> Picture:
    view = need_view(shown, label_room=TWO_LINES_ROOM)
    axis = sentence("page.batch_axis", shown.language)
    canvas = Canvas(palette=palette, x=view.x, y=view.y, is_log=(True, False), x_words=axis, right=LABELS_RIGHT)
    canvas.above(sentence("figures.need_axis", shown.language))
    canvas.here(view.batch)
    said = list[str]()
    for index, curve in enumerate(view.curves):
        colour, one = drafter_colour(palette, index, curve.colour), curve.need
        canvas.end_label(view.x.end, curve.label_y, colour, curve.title, curve.label)
        if one is None:
            continue
        said.append(sentence("figures.need_description", shown.language, **_numbers(one, shown.language)))
        for stretch in _stretches(one):
            canvas.line(stretch, colour)
        for batch, acceptance, pays in zip(one.batch.tolist(), one.acceptance.tolist(), one.pays.tolist(), strict=True):
            if not math.isnan(acceptance):
                canvas.dot(batch, acceptance, colour, radius=PAYING_DOT / 2 if pays else None)
        if view.x.start <= view.batch <= view.x.end:
            canvas.ring(view.batch, one.own_now, colour)
    return canvas.picture("\n".join(said))


def _numbers(one: LineNeed, language: str) -> dict[str, str]:
    """Return what a line needs and has at the current batch, as words."""
    nothing = sentence("figures.need_not_now", language)
    return {
        "name": one.name,
        "batch": fmt.count(one.batch_now),
        "draft": fmt.count(one.draft_tokens_now),
        "tokens": fmt.significant(one.tokens_now),
        "acceptance": nothing if math.isnan(one.now) else fmt.significant(one.now, DIGITS),
        "own": fmt.significant(one.own_now, DIGITS),
    }


def _working(evaluation: Evaluation, say: Say, language: str) -> list[Working]:
    workings = [line(say("need_formula"), LEVIATHAN)]
    for one in line_needs(evaluation.scenario):
        numbers = "need_none" if math.isnan(one.now) else "need_numbers"
        workings.append(line(say(numbers, **_numbers(one, language))))
    return workings


FIGURE = Figure(
    order=25,
    height=HEIGHT,
    chart=NeedChart,
    view=lambda shown: need_view(shown, label_room=LABEL_ROOM),
    table=need_table,
    rows=need_rows,
    working=_working,
    poster=_poster,
    note="need_note",
    work=need_work,
)
