"""Each figure as a picture: the same views as the page's figures show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from roofline_app import format as fmt
from roofline_app.evaluation import evaluate
from roofline_app.page import state
from roofline_app.page.figures.acceptance.view import acceptance_view
from roofline_app.page.figures.axes import Axis
from roofline_app.page.figures.batch.view import batch_view
from roofline_app.page.figures.canvas import Canvas
from roofline_app.page.figures.look import Look
from roofline_app.page.figures.map.view import MapRow, map_view
from roofline_app.page.figures.memory.view import memory_view
from roofline_app.page.figures.payoff.view import payoff_view, payoff_words
from roofline_app.page.figures.race.poster import Race, lines
from roofline_app.page.figures.race.view import RaceView, race_view
from roofline_app.page.figures.rates.view import PLAIN, rates_view
from roofline_app.page.figures.roofline.view import roofline_view
from roofline_app.page.figures.sensitivity.view import strip_view
from roofline_app.page.figures.speedup.view import speedup_view
from roofline_app.page.figures.time.view import time_view
from roofline_app.page.pending.map_rows import PendingMapRows
from roofline_app.page.pending.sensitivities import PendingSensitivities
from roofline_app.page.protocol import KeyEntry
from roofline_app.page.theme import FAINT, Palette, drafter_colour, ramp, readable
from roofline_app.results import Evaluation
from roofline_app.scenario import Scenario
from roofline_app.sensitivity import Sensitivity
from roofline_app.text import sentence

LABELS_RIGHT = 140
WIDE_LEFT = 92
ONE_LINE_ROOM, TWO_LINES_ROOM = 16 / 246, 32 / 246
STRIP_LEFT, STRIP_RIGHT = 150, 150
MAP_LEFT = 62
BAR = 0.44
CELL = 0.96
SETTINGS_KEPT = 4
ROOM_ABOVE_BARS = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A drawn figure.

    Attributes:
        content: SVG.
        said: What it shows besides the headline and the verdict, as text; may be empty.
    """

    content: str
    said: str = ""


def _key(entries: list[KeyEntry]) -> list[tuple[str, str]]:
    return [(entry["colour"], entry["words"]) for entry in entries]


def _one(canvas: Canvas) -> None:
    canvas.line([(canvas.x.start, 1.0), (canvas.x.end, 1.0)], canvas.palette.rule, width=1)


def speedup(evaluation: Evaluation, palette: Palette, language: str) -> Picture:
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
    return Picture(content=canvas.frame())


def batch(evaluation: Evaluation, palette: Palette, language: str) -> Picture:
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
    return Picture(content=canvas.frame())


def acceptance(evaluation: Evaluation, palette: Palette, language: str) -> Picture:
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
    return Picture(content=canvas.frame())


def roofline(evaluation: Evaluation, palette: Palette, language: str) -> Picture:
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
    canvas.key(_key(state.roofline_key(view, palette)))
    return Picture(content=canvas.frame())


def time(evaluation: Evaluation, palette: Palette, language: str) -> Picture:
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
    canvas.key(_key(state.time_key(view, palette)))
    return Picture(content=canvas.frame())


def rates(evaluation: Evaluation, palette: Palette, language: str) -> Picture:
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
    canvas.key(_key(state.rates_key(view, palette)))
    return Picture(content=canvas.frame())


@lru_cache(maxsize=SETTINGS_KEPT)
def _map_rows(scenario: Scenario) -> Mapping[int, MapRow]:
    rows = PendingMapRows()
    rows.aim(scenario)
    while rows.advance():
        pass
    return rows.shown()


def map_(evaluation: Evaluation, palette: Palette, language: str) -> Picture:
    """Return figure 7."""
    view = map_view(_map_rows(evaluation.scenario), (), evaluation=evaluation, look=Look(language=language))
    axis = sentence("page.batch_axis", language)
    canvas = Canvas(palette=palette, x=view.x, y=view.y, x_words=axis, left=MAP_LEFT)
    for cell in view.cells:
        colour = ramp(palette.ramp, cell.shade)
        opacity = 1.0 if cell.fits else FAINT / 2
        canvas.cell(cell.column, cell.row, colour, size=CELL, opacity=opacity)
        if cell.fits:
            canvas.words(cell.column, cell.row, cell.text, readable(colour), text_anchor="middle")
    canvas.ring(*view.now, palette.text)
    canvas.above(sentence("page.context_axis", language))
    return Picture(content=canvas.frame())


def race(evaluation: Evaluation, palette: Palette, language: str) -> Picture:
    """Return figure 8, which moves."""
    return moving_race(race_view(evaluation, evaluation.scenario.seed, language), palette, language)


def moving_race(view: RaceView, palette: Palette, language: str) -> Picture:
    """Return a race that moves."""
    drawn = Race(view=view, lines=lines(view.pieces), palette=palette, language=language)
    return Picture(content=drawn.moving(), said=_race_words(view, language))


def still_race(view: RaceView, palette: Palette, language: str) -> Picture:
    """Return the moment of a race in which the faster column is done."""
    drawn = Race(view=view, lines=lines(view.pieces), palette=palette, language=language)
    return Picture(content=drawn.still(), said=_race_words(view, language))


def _race_words(view: RaceView, language: str) -> str:
    said = [
        sentence("page.race_said", language, name=one.name, rate=fmt.rate(one.tokens_per_second))
        for one in view.columns
    ]
    return " ".join([*said, view.note])


def memory(evaluation: Evaluation, palette: Palette, language: str) -> Picture:
    """Return figure 9."""
    view = memory_view(evaluation, language)
    y = Axis(start=1.0, end=-1.0, ticks=(), labels=())
    canvas = Canvas(palette=palette, x=view.x, y=y, x_words=sentence("page.memory_axis", language))
    for segment in view.segments:
        canvas.bar(segment.left, segment.left + segment.bytes, 0.0, palette.memory[segment.part], height=BAR)
    canvas.line([(view.capacity_bytes, -BAR), (view.capacity_bytes, BAR)], palette.text, width=2)
    canvas.key(_key(state.memory_key(view, palette)))
    return Picture(content=canvas.frame())


def payoff(evaluation: Evaluation, palette: Palette, language: str) -> Picture:
    """Return figure 10."""
    view = payoff_view(evaluation, Look(language=language))
    axis = sentence("page.tokens_per_round_axis", language)
    canvas = Canvas(palette=palette, x=view.x, y=view.y, x_words=axis, left=MAP_LEFT)
    colour = drafter_colour(palette, view.line, view.colour)
    canvas.line(zip(view.tokens_per_round.tolist(), view.cost.tolist(), strict=True), colour)
    for point in view.points:
        canvas.dot(point.tokens_per_round, point.cost, colour, radius=6, hollow=True)
        label = f"{point.words} {point.text}"
        canvas.words(point.tokens_per_round, point.cost, label, colour, shift=(10, -8), font_weight="bold")
    canvas.above(view.cost_words)
    return Picture(content=canvas.frame(), said=payoff_words(evaluation, language) if evaluation.payoff else "")


@lru_cache(maxsize=SETTINGS_KEPT)
def _sensitivities(scenario: Scenario) -> tuple[int, tuple[Sensitivity, ...]]:
    """Return the position of the best drafter of a scenario, and what moves its speedup."""
    changing = PendingSensitivities()
    changing.aim(scenario, evaluate(scenario))
    while changing.advance():
        pass
    return changing.line, changing.found()


def sensitivity(evaluation: Evaluation, palette: Palette, language: str) -> Picture:
    """Return the strip of what moves the speedup most."""
    line, found = _sensitivities(evaluation.scenario)
    view = strip_view(found, evaluation.drafters[line], Look(language=language), line=line)
    axis = sentence("page.best_speedup", language)
    canvas = Canvas(palette=palette, x=view.x, y=view.y, x_words=axis, left=STRIP_LEFT, right=STRIP_RIGHT)
    canvas.line([(view.now, view.y.start), (view.now, view.y.end)], palette.rule, width=1.5, dash="2 3")
    for row in view.rows:
        colour = palette.text if row.improvement else drafter_colour(palette, view.line, view.colour)
        ends = (row.low, row.high, view.now)
        canvas.line([(min(ends), row.y), (max(ends), row.y)], colour)
        canvas.dot(row.low, row.y, colour, radius=4, hollow=True)
        canvas.dot(row.high, row.y, colour, radius=5)
        canvas.words(view.x.end, row.y, row.label, palette.muted, shift=(10, 4))
    return Picture(
        content=canvas.frame(), said=sentence("page.sensitivity_note", language, name=evaluation.drafters[line].name)
    )


FIGURES: Mapping[str, Callable[[Evaluation, Palette, str], Picture]] = {
    "speedup": speedup,
    "batch": batch,
    "acceptance": acceptance,
    "roofline": roofline,
    "time": time,
    "rates": rates,
    "map": map_,
    "race": race,
    "memory": memory,
    "payoff": payoff,
    "sensitivity": sensitivity,
}
