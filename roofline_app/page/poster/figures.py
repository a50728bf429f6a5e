"""Each figure drawn on a canvas: the same views as the page's figures show."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from roofline_app import format as fmt
from roofline_app.page import words
from roofline_app.page.poster.canvas import Canvas
from roofline_app.page.theme import Palette, drafter_colour
from roofline_app.page.views.acceptance import acceptance_view
from roofline_app.page.views.axes import Axis
from roofline_app.page.views.batch import batch_view
from roofline_app.page.views.look import Look
from roofline_app.page.views.memory import memory_view
from roofline_app.page.views.rates import PLAIN, rates_view
from roofline_app.page.views.roofline import roofline_view
from roofline_app.page.views.speedup import speedup_view
from roofline_app.page.views.time import time_view
from roofline_app.results import Evaluation
from roofline_app.text import sentence

LABELS_RIGHT = 140
WIDE_LEFT = 92
ONE_LINE_ROOM, TWO_LINES_ROOM = 16 / 246, 32 / 246
BAR = 0.44
ROOM_ABOVE_BARS = 0.3


def _key(entries: list[words.Words]) -> list[tuple[str, str]]:
    return [(str(entry["colour"]), str(entry["words"])) for entry in entries]


def _one(canvas: Canvas) -> None:
    canvas.line([(canvas.x.start, 1.0), (canvas.x.end, 1.0)], canvas.palette.rule, width=1)


def speedup(evaluation: Evaluation, palette: Palette, language: str) -> Canvas:
    """Return figure 1."""
    view = speedup_view(evaluation, Look(language=language), label_room=TWO_LINES_ROOM)
    axis = sentence("page.draft_length_axis", language)
    canvas = Canvas(palette=palette, x=view.x, y=view.y, x_words=axis, right=LABELS_RIGHT)
    _one(canvas)
    for index, curve in enumerate(view.curves):
        colour = drafter_colour(palette, index, curve.colour)
        points = list(zip(curve.draft_tokens.tolist(), curve.speedup.tolist(), strict=True))
        toy = zip(curve.draft_tokens.tolist(), curve.tokens_per_round.tolist(), strict=True)
        canvas.line([(x, y) for x, y in toy if y <= view.y.end], colour, width=1.5, dash="5 4", opacity=0.75)
        canvas.line([point for point in points if point[0] <= curve.measured_draft_tokens], colour)
        canvas.line([point for point in points if point[0] >= curve.measured_draft_tokens], colour, width=2, dash="1 5")
        for x, y in points:
            canvas.dot(x, y, colour)
        canvas.dot(curve.best_draft_tokens, curve.best_speedup, colour, radius=6, hollow=True)
        canvas.words(view.x.end, curve.label_y, curve.title, colour, shift=(10, -3), font_weight="bold")
        canvas.words(view.x.end, curve.label_y, curve.label, colour, shift=(10, 12))
    return canvas


def batch(evaluation: Evaluation, palette: Palette, language: str) -> Canvas:
    """Return figure 2."""
    view = batch_view(evaluation, Look(language=language), label_room=ONE_LINE_ROOM)
    axis = sentence("page.batch_axis", language)
    canvas = Canvas(palette=palette, x=view.x, y=view.y, is_log=(True, False), x_words=axis, right=LABELS_RIGHT)
    _one(canvas)
    if view.x.start <= view.batch <= view.x.end:
        canvas.line([(view.batch, view.y.start), (view.batch, view.y.end)], palette.rule, width=1.5, dash="2 3")
    for index, curve in enumerate(view.curves):
        colour = drafter_colour(palette, index, curve.colour)
        points = list(zip(curve.batch.tolist(), curve.speedup.tolist(), strict=True))
        canvas.line(points, colour)
        for x, y in points:
            canvas.dot(x, y, colour)
        canvas.words(view.x.end, curve.label_y, curve.label, colour, shift=(10, 4), font_weight="bold")
    return canvas


def acceptance(evaluation: Evaluation, palette: Palette, language: str) -> Canvas:
    """Return figure 3."""
    view = acceptance_view(evaluation, Look(language=language), label_room=ONE_LINE_ROOM)
    axis = sentence("page.tokens_per_round_axis", language)
    canvas = Canvas(palette=palette, x=view.x, y=view.y, x_words=axis, right=LABELS_RIGHT)
    _one(canvas)
    end = min(view.x.end, view.y.end)
    canvas.line([(1.0, 1.0), (end, end)], palette.muted, width=1.5, dash="5 4")
    for index, line in enumerate(view.lines):
        colour = drafter_colour(palette, index, line.colour)
        canvas.line(zip(line.tokens_per_round.tolist(), line.speedup.tolist(), strict=True), colour)
        canvas.dot(line.own_tokens_per_round, line.own_speedup, colour, radius=6, hollow=True)
        end_x = float(line.tokens_per_round[-1])
        canvas.words(max(end_x, view.x.end), line.label_y, line.label, colour, shift=(10, 4), font_weight="bold")
    return canvas


def roofline(evaluation: Evaluation, palette: Palette, language: str) -> Canvas:
    """Return figure 4."""
    view = roofline_view(evaluation, language)
    axis = sentence("page.intensity_axis", language)
    canvas = Canvas(palette=palette, x=view.x, y=view.y, is_log=(True, True), x_words=axis, left=WIDE_LEFT)
    for roof in view.roofs:
        inside = zip(roof.flops_per_byte, roof.flops_per_second, strict=True)
        canvas.line([(x, max(y, view.y.start)) for x, y in inside], palette.rule, width=1.5)
        place = (roof.flops_per_byte[-1], roof.flops_per_second[-1])
        canvas.words(*place, roof.format, palette.muted, shift=(-4, -5), text_anchor="end")
    for point in view.points:
        colour = palette.components[point.component]
        canvas.line([point.step, point.verify], colour, width=1.5, opacity=0.7)
        canvas.dot(*point.step, colour, radius=5, hollow=True)
        canvas.dot(*point.verify, colour, radius=5)
    canvas.key(_key(words.roofline_key(view, palette)))
    return canvas


def time(evaluation: Evaluation, palette: Palette, language: str) -> Canvas:
    """Return figure 5."""
    view = time_view(evaluation, language)
    rows = len(view.rows)
    y = Axis(start=rows - 0.5, end=-0.5 - ROOM_ABOVE_BARS, ticks=(), labels=())
    canvas = Canvas(palette=palette, x=view.x, y=y, x_words=sentence("page.time_axis", language))
    for segment in view.segments:
        colour = palette.components[segment.component]
        canvas.bar(segment.left, segment.left + segment.seconds, segment.row, colour, height=BAR)
    for row, (name, total) in enumerate(zip(view.rows, view.totals, strict=True)):
        canvas.words(0.0, row - BAR / 2, f"{name} · {fmt.seconds(total)}", palette.text, shift=(0, -4))
    canvas.key(_key(words.time_key(view, palette)))
    return canvas


def rates(evaluation: Evaluation, palette: Palette, language: str) -> Canvas:
    """Return figure 6."""
    view = rates_view(evaluation, Look(language=language))
    axis = sentence("page.per_user_axis", language)
    canvas = Canvas(palette=palette, x=view.x, y=view.y, is_log=(True, True), x_words=axis)
    for curve in view.curves:
        colour = palette.muted if curve.line == PLAIN else drafter_colour(palette, curve.line, curve.colour)
        points = list(zip(curve.per_user.tolist(), curve.per_gpu.tolist(), strict=True))
        canvas.line(points, colour)
        for x, y in points:
            canvas.dot(x, y, colour)
        now = curve.now
        canvas.dot(now.tokens_per_second_per_user, now.tokens_per_second_per_gpu, colour, radius=6, hollow=True)
    for x, y, name in view.named:
        canvas.words(x, y, name, palette.muted, shift=(-6, 12), text_anchor="end")
    canvas.key(_key(words.rates_key(view, palette)))
    return canvas


def memory(evaluation: Evaluation, palette: Palette, language: str) -> Canvas:
    """Return figure 9."""
    view = memory_view(evaluation, language)
    y = Axis(start=1.0, end=-1.0, ticks=(), labels=())
    canvas = Canvas(palette=palette, x=view.x, y=y, x_words=sentence("page.memory_axis", language))
    for segment in view.segments:
        canvas.bar(segment.left, segment.left + segment.bytes, 0.0, palette.memory[segment.part], height=BAR)
    canvas.line([(view.capacity_bytes, -BAR), (view.capacity_bytes, BAR)], palette.text, width=2)
    canvas.key(_key(words.memory_key(view, palette)))
    return canvas


FIGURES: Mapping[str, Callable[[Evaluation, Palette, str], Canvas]] = {
    "speedup": speedup,
    "batch": batch,
    "acceptance": acceptance,
    "roofline": roofline,
    "time": time,
    "rates": rates,
    "memory": memory,
}
