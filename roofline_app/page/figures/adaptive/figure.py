"""The record of the figure of adaptive verification."""

from __future__ import annotations

import numpy as np

from roofline_app import format as fmt
from roofline_app.evaluation import adaptive
from roofline_app.page.figures.adaptive.chart import HEIGHT, LABEL_ROOM, AdaptiveChart
from roofline_app.page.figures.adaptive.view import (
    DASHES,
    WIDTHS,
    adaptive_note,
    adaptive_rows,
    adaptive_scenario,
    adaptive_table,
    adaptive_view,
    adaptive_work,
    line_name,
    rounds_of,
)
from roofline_app.page.figures.canvas import LABELS_RIGHT, TWO_LINES_ROOM, Canvas, Picture
from roofline_app.page.figures.figure import Figure
from roofline_app.page.figures.look import Shown
from roofline_app.page.figures.working import Say, Working, line
from roofline_app.page.theme import Palette, drafter_colour
from roofline_app.results import Evaluation
from roofline_app.text import sentence

DSPARK = ("Cheng et al., DSpark, 2026", "https://arxiv.org/abs/2607.05147")


def _poster(shown: Shown, palette: Palette) -> Picture:
    view = adaptive_view(shown, label_room=TWO_LINES_ROOM)
    axis = sentence("page.batch_axis", shown.language)
    canvas = Canvas(palette=palette, x=view.x, y=view.y, is_log=(True, False), x_words=axis, right=LABELS_RIGHT)
    canvas.above(sentence("figures.adaptive_axis", shown.language, name=line_name(shown.evaluation)))
    canvas.here(view.batch)
    for index, curve in enumerate(view.curves):
        if curve.rounds is None:
            continue
        colour = drafter_colour(palette, index, curve.colour)
        canvas.end_label(view.x.end, curve.label_y, colour, curve.title, curve.label)
        points = list(zip(curve.batch.tolist(), curve.speedup.tolist(), strict=True))
        canvas.line(points, colour, width=WIDTHS[index], dash=DASHES[index])
        for batch, speedup in points:
            canvas.dot(batch, speedup, colour)
    return canvas.picture(adaptive_note(shown))


def _working(evaluation: Evaluation, say: Say, _language: str) -> list[Working]:
    found = adaptive(adaptive_scenario(evaluation.scenario))
    one, row = found.drafters[0], int(np.searchsorted(found.batch, evaluation.batch))
    words = {
        "name": line_name(evaluation),
        "batch": fmt.count(evaluation.batch),
        "spread": fmt.decimal(one.spread),
        "confidence": fmt.decimal(one.confidence),
    }
    workings = [line(say("adaptive_requests", **words)), line(say("adaptive_formula"), DSPARK)]
    for way, rounds in rounds_of(one).items():
        workings.append(
            line(
                say(
                    "adaptive_numbers",
                    **words,
                    way=say(f"adaptive_{way}"),
                    draft=fmt.count(int(rounds.draft_tokens[row])),
                    verified=fmt.significant(float(rounds.verified_tokens[row])),
                    tokens=fmt.significant(float(rounds.tokens_per_round[row])),
                    seconds=fmt.seconds(float(rounds.seconds_per_round[row])),
                    speedup=fmt.speedup(float(rounds.speedup[row])),
                )
            )
        )
    return workings


FIGURE = Figure(
    order=27,
    height=HEIGHT,
    chart=AdaptiveChart,
    view=lambda shown: adaptive_view(shown, label_room=LABEL_ROOM),
    table=adaptive_table,
    rows=adaptive_rows,
    working=_working,
    poster=_poster,
    note=adaptive_note,
    body=('<div class="form in-row" data-form="adaptive"></div>',),
    work=adaptive_work,
)
