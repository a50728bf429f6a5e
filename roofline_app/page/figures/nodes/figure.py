"""The record of the figure of nodes for a target, worked out in short steps."""

from __future__ import annotations

from roofline_app import format as fmt
from roofline_app.evaluation.planning import nodes
from roofline_app.evaluation.planning.plan import setting_of
from roofline_app.evaluation.planning.words import answer_words, cost_words, node_words, target_words
from roofline_app.page.figures.canvas import Canvas, Picture
from roofline_app.page.figures.figure import Figure
from roofline_app.page.figures.look import Shown
from roofline_app.page.figures.nodes.chart import HEIGHT, NodesChart
from roofline_app.page.figures.nodes.view import (
    curve_colour,
    drafter_words,
    found_nodes,
    nodes_key,
    nodes_note,
    nodes_rows,
    nodes_table,
    nodes_view,
    nodes_work,
)
from roofline_app.page.figures.working import Say, Working, line
from roofline_app.page.theme import Palette
from roofline_app.results import Evaluation
from roofline_app.text import sentence


def _poster(shown: Shown, palette: Palette) -> Picture:
    view = nodes_view(shown)
    axis = sentence("nodes.x_axis", shown.language)
    canvas = Canvas(palette=palette, x=view.x, y=view.y, is_log=(True, True), x_words=axis)
    canvas.above(sentence("nodes.y_axis", shown.language))
    for curve in reversed(view.curves):
        colour = curve_colour(curve.id, palette)
        places = [(point.tokens_per_second_per_user, point.usd_per_million_tokens) for point in curve.points]
        canvas.line(places, colour)
        for (x, y), name in zip(places, curve.names, strict=True):
            canvas.dot(x, y, colour)
            if name:
                canvas.words(x, y, name, palette.text, shift=(6, 14))
    if view.cheapest is not None:
        canvas.ring(view.cheapest.tokens_per_second_per_user, view.cheapest.usd_per_million_tokens, palette.text)
    canvas.key(nodes_key(view, palette, shown.language))
    found = found_nodes(shown)
    return canvas.picture("\n".join(answer_words(found, shown.language)))


def _working(evaluation: Evaluation, say: Say, language: str) -> list[Working]:
    setting = setting_of(evaluation.scenario)
    # The cheapest node's numbers; a whole search, which whoever opens this can wait for.
    found = nodes(setting)
    workings = [line(say("nodes_formula")), line(say("nodes_choice", target=target_words(found.target, language)))]
    for node in found.ranked[:1]:
        point = node.cheapest
        numbers = {
            "node": node_words(point, language),
            "drafter": drafter_words(point, language),
            "rent": fmt.usd(point.usd_per_hour),
            "batch": fmt.count(point.batch),
            "user": fmt.rate(point.tokens_per_second_per_user),
            "usd": cost_words(point.usd_per_million_tokens),
        }
        workings.append(line(say("nodes_numbers", **numbers)))
        if point.joules_per_token is not None:
            joules = fmt.significant(point.joules_per_token)
            workings.append(line(say("nodes_energy", joules=joules)))
    return workings


FIGURE = Figure(
    order=55,
    height=HEIGHT,
    chart=NodesChart,
    view=nodes_view,
    table=nodes_table,
    rows=nodes_rows,
    working=_working,
    poster=_poster,
    note=nodes_note,
    key=lambda view, palette: nodes_key(view, palette, view.language),
    body=('<div class="form in-row" data-form="nodes"></div>',),
    work=nodes_work,
)
