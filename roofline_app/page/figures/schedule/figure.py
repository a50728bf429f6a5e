"""The record of the figure of schedules, worked out a context at a time."""

from __future__ import annotations

from roofline_app import format as fmt
from roofline_app.page.figures.canvas import Canvas, Picture
from roofline_app.page.figures.figure import Figure
from roofline_app.page.figures.look import Shown
from roofline_app.page.figures.schedule.chart import HEIGHT, ScheduleChart
from roofline_app.page.figures.schedule.view import (
    NO_FIT,
    field_colour,
    schedule_key,
    schedule_rows,
    schedule_table,
    schedule_view,
    schedule_words,
    setting_at,
)
from roofline_app.page.figures.schedule.work import schedule_work
from roofline_app.page.figures.working import LEVIATHAN, Say, Working, line
from roofline_app.page.theme import Palette, readable
from roofline_app.results import Evaluation
from roofline_app.text import sentence

LEFT = 62
SIZE = 0.94


def _poster(shown: Shown, palette: Palette) -> Picture:
    view = schedule_view(shown)
    axis = sentence("page.batch_axis", shown.language)
    canvas = Canvas(palette=palette, x=view.x, y=view.y, x_words=axis, left=LEFT)
    for field in view.fields:
        if field.line == NO_FIT:
            continue
        colour, gap = field_colour(field, palette), SIZE / 2
        middle, height = (field.bottom + field.top) / 2, field.top - field.bottom + SIZE
        canvas.bar(field.left - gap, field.right + gap, middle, colour, height=height)
        canvas.words((field.left + field.right) / 2, middle, field.text, readable(colour), text_anchor="middle")
    canvas.square(*view.now, palette.text)
    canvas.key(schedule_key(view, palette))
    return canvas.picture(schedule_words(shown))


def _working(evaluation: Evaluation, say: Say, _language: str) -> list[Working]:
    values = {"batch": fmt.count(evaluation.batch), "context": fmt.tokens(evaluation.context)}
    return [
        line(say("schedule_formula"), LEVIATHAN),
        line(say("schedule_loss_formula")),
        *(
            line(
                say(
                    "map_numbers",
                    name=result.name,
                    draft=fmt.count(result.best.draft_tokens),
                    speedup=fmt.speedup(result.best.speedup),
                    **values,
                )
            )
            for result in evaluation.drafters
        ),
    ]


FIGURE = Figure(
    order=65,
    height=HEIGHT,
    chart=ScheduleChart,
    view=schedule_view,
    table=schedule_table,
    rows=schedule_rows,
    working=_working,
    poster=_poster,
    note=schedule_words,
    body=('<div class="form in-row" data-form="schedule"></div>',),
    key=schedule_key,
    choice=setting_at,
    work=schedule_work,
    is_drawn_whole=True,
)
