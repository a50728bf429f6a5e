"""The record of the figure of differences: the pinned setting, the shown one, and what lies between them."""

from __future__ import annotations

from roofline_app import format as fmt
from roofline_app.page.figures.axes import Axis
from roofline_app.page.figures.canvas import Canvas, Picture
from roofline_app.page.figures.difference.chart import HEIGHT, DifferenceChart, bar_colour
from roofline_app.page.figures.difference.view import (
    difference_note,
    difference_rows,
    difference_table,
    difference_view,
    difference_work,
)
from roofline_app.page.figures.figure import Figure
from roofline_app.page.figures.look import Shown
from roofline_app.page.figures.working import Say, Working, line, round_numbers
from roofline_app.page.theme import Palette
from roofline_app.results import Evaluation
from roofline_app.text import sentence

BAR, ROOM_ABOVE_BARS = 0.44, 0.3
SHAPLEY = ("Shapley, 1953", "https://doi.org/10.1515/9781400881970-018")


def _poster(shown: Shown, palette: Palette) -> Picture:
    view = difference_view(shown)
    rows = max(len(view.bars), 1)
    y = Axis(start=rows - 0.5, end=-0.5 - ROOM_ABOVE_BARS, ticks=(), labels=())
    canvas = Canvas(palette=palette, x=view.x, y=y, x_words=sentence("page.time_axis", shown.language))
    for row, bar in enumerate(view.bars):
        canvas.bar(bar.left, bar.right, row, bar_colour(bar, palette), height=BAR)
        canvas.words(0.0, row - BAR / 2, bar.words, palette.text, shift=(0, -4))
    if not view.bars:
        canvas.words(0.0, 0.0, difference_note(shown), palette.text)
    return canvas.picture()


def _working(evaluation: Evaluation, say: Say, _language: str) -> list[Working]:
    numbers = round_numbers(evaluation.best_drafter, evaluation)
    seconds = fmt.seconds(1.0 / float(max(evaluation.best_drafter.tokens_per_second_per_user)))
    return [line(say("difference_formula"), SHAPLEY), line(say("difference_numbers", seconds=seconds, **numbers))]


FIGURE = Figure(
    order=95,
    height=HEIGHT,
    chart=DifferenceChart,
    view=difference_view,
    table=difference_table,
    rows=difference_rows,
    working=_working,
    poster=_poster,
    note=difference_note,
    work=difference_work,
    is_drawn_whole=True,
)
