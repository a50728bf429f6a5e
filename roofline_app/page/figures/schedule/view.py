"""Which line drafts how many tokens where: fields of batch and context, and what coarser schedules lose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from roofline_app import format as fmt
from roofline_app.evaluation.schedule import schedule_batches, schedule_contexts
from roofline_app.page.figures.axes import Axis
from roofline_app.page.figures.look import Shown
from roofline_app.page.figures.rows import Row
from roofline_app.page.figures.schedule.work import found_schedule
from roofline_app.page.figures.tables import Table
from roofline_app.page.protocol import KeyEntry
from roofline_app.page.theme import Palette, drafter_colour, ramp
from roofline_app.results import DrafterSchedule, Integers, Schedule
from roofline_app.text import sentence

EVERY, NARROW_EVERY = 2, 4
PLAIN, NO_FIT = -1, -2
PALEST = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """Neighbouring points with one line and one draft length, by the positions of batches and contexts.

    Attributes:
        line: Position of the line; `PLAIN` for plain decoding, `NO_FIT` for what does not fit into memory.
        name: Its name, or words for the two.
        colour: Six hex digits of the user's colour, or empty.
        draft_tokens: Draft length.
        share: Of the longest draft length that is shown.
        text: Its label.
        batches: First and last batch, as words.
        contexts: First and last context, as words.
    """

    left: int
    right: int
    bottom: int
    top: int
    line: int
    name: str
    colour: str
    draft_tokens: int
    share: float
    text: str
    batches: str
    contexts: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleView:
    """What the figure shows; `now` is the current setting's place."""

    fields: tuple[Field, ...]
    now: tuple[float, float]
    x: Axis
    y: Axis


def schedule_view(shown: Shown) -> ScheduleView:
    """Return the fields, none of them until the whole schedule is there."""
    scenario, narrow = shown.evaluation.scenario, shown.look.narrow
    batch, context = schedule_batches(scenario).tolist(), list(schedule_contexts(scenario))
    found = found_schedule(shown)
    return ScheduleView(
        fields=() if found is None else tuple(_fields(found, shown)),
        now=(_place(scenario.batch, batch), _place(scenario.context, context)),
        x=_axis([fmt.count(one) for one in batch], NARROW_EVERY if narrow else EVERY),
        y=_axis([fmt.tokens(one) for one in context], EVERY if narrow else 1),
    )


def _axis(labels: Sequence[str], every: int) -> Axis:
    ticks = tuple(float(index) for index in range(0, len(labels), every))
    return Axis(start=-0.5, end=len(labels) - 0.5, ticks=ticks, labels=tuple(labels[::every]))


def _place(value: int, values: Sequence[int]) -> float:
    """Return where a value stands among others on a log scale; outside at the edge."""
    if value < values[0]:
        return -0.5
    if value > values[-1]:
        return len(values) - 0.5
    return float(np.interp(np.log(value), np.log(values), np.arange(len(values))))


def setting_at(x: float, y: float, shown: Shown) -> Mapping[str, int] | None:
    """Return the batch and the context of the point at a place; None outside of the frame."""
    batch, context = schedule_batches(shown.evaluation.scenario), schedule_contexts(shown.evaluation.scenario)
    column, row = round(x), round(y)
    if column in range(batch.size) and row in range(len(context)):
        return {"batch": int(batch[column]), "context": context[row]}
    return None


def _lengths(found: Schedule) -> Integers:
    """Return the draft lengths of every line's ranges at each point, shape (lines, contexts, batches)."""
    lengths = np.zeros((len(found.drafters), *found.fits.shape), dtype=np.int64)
    for line, drafter in enumerate(found.drafters):
        for part in drafter.ranges:
            rows = (found.context >= part.first_context) & (found.context <= part.last_context)
            columns = (found.batch >= part.first_batch) & (found.batch <= part.last_batch)
            lengths[line][np.ix_(rows, columns)] = part.draft_tokens
    return lengths


def _points(found: Schedule) -> tuple[Integers, Integers]:
    """Return line and draft length of each point, shape (contexts, batches)."""
    winner = np.maximum(found.winner, 0)
    lengths = np.take_along_axis(_lengths(found), winner[np.newaxis], axis=0)[0]
    drafts = (found.winner >= 0) & (lengths > 0)
    lines = np.where(found.fits, np.where(drafts, found.winner, PLAIN), NO_FIT)
    return lines, np.where(lines >= 0, lengths, 0)


def _fields(found: Schedule, shown: Shown) -> list[Field]:
    lines, lengths = _points(found)
    longest, results = max(int(lengths.max()), 1), shown.evaluation.drafters
    positions = shown.look.shown(len(results))
    words = {
        PLAIN: sentence("page.plain_step", shown.language),
        NO_FIT: sentence("figures.schedule_no_fit", shown.language),
    }
    fields = list[Field]()
    for left, right, bottom, top in _rectangles(lines * (longest + 1) + lengths):
        line, length = int(lines[bottom, left]), int(lengths[bottom, left])
        result = results[positions[line]] if line >= 0 else None
        batches, contexts = found.batch[[left, right]], found.context[[bottom, top]]
        fields.append(
            Field(
                left=left,
                right=right,
                bottom=bottom,
                top=top,
                line=positions[line] if result else line,
                name=result.name if result else words[line],
                colour=result.colour if result else "",
                draft_tokens=length,
                share=length / longest,
                text="" if line == NO_FIT else str(length),
                batches=_span([fmt.count(one) for one in batches.tolist()]),
                contexts=_span([fmt.tokens(one) for one in contexts.tolist()]),
            )
        )
    return fields


def _span(ends: Sequence[str]) -> str:
    return ends[0] if ends[0] == ends[1] else f"{ends[0]}–{ends[1]}"


def _rectangles(values: Integers) -> list[tuple[int, int, int, int]]:
    """Return left, right, bottom and top of rectangles of equal values: runs of a row, joined with those above."""
    done, open_runs = list[tuple[int, int, int, int]](), dict[tuple[int, int, int], int]()
    for row in range(values.shape[0] + 1):
        runs = set(_runs(values[row])) if row < values.shape[0] else set[tuple[int, int, int]]()
        for run in [run for run in open_runs if run not in runs]:
            done.append((run[0], run[1], open_runs.pop(run), row - 1))
        for run in runs:
            open_runs.setdefault(run, row)
    return sorted(done, key=lambda one: (one[2], one[0]))


def _runs(row: Integers) -> list[tuple[int, int, int]]:
    starts = [0, *(np.flatnonzero(np.diff(row)) + 1).tolist(), row.size]
    return [(first, after - 1, int(row[first])) for first, after in pairwise(starts)]


def field_colour(field: Field, palette: Palette) -> str:
    """Return the colour of a field: its line's, paler for shorter drafts."""
    if field.line == NO_FIT:
        return palette.background
    if field.line == PLAIN:
        return palette.shade
    own = drafter_colour(palette, field.line, field.colour)
    return ramp((palette.background, own), PALEST + (1.0 - PALEST) * field.share)


def schedule_key(view: ScheduleView, palette: Palette) -> list[KeyEntry]:
    """Return the key: a colour and a name for each line that is best somewhere, and for plain decoding."""
    names = {field.line: field for field in view.fields if field.line != NO_FIT}
    return [
        {
            "colour": palette.shade if line == PLAIN else drafter_colour(palette, line, field.colour),
            "words": field.name,
        }
        for line, field in sorted(names.items())
    ]


def best_overall(found: Schedule) -> DrafterSchedule | None:
    """Return the line that is the fastest over the load among those that are the fastest somewhere."""
    winners = [found.drafters[line] for line in np.unique(found.winner).tolist() if line >= 0]
    return max(winners, key=lambda one: one.speedups.table, default=None)


def schedule_words(shown: Shown) -> str:
    """Return what the fields are, what coarser schedules lose over the load, and what engines take."""
    language, found = shown.language, found_schedule(shown)
    said = [sentence("figures.schedule_note", language)]
    if found is not None:
        said += _losses(found, language)
    return sentence("figures.schedule_between", language).join([*said, sentence("figures.schedule_engines", language)])


def _losses(found: Schedule, language: str) -> list[str]:
    said, best = list[str](), best_overall(found)
    if best is None:
        return [sentence("figures.schedule_never", language)]
    load = sentence("figures.schedule_even" if found.even else "figures.schedule_stated", language)
    losses = {key: fmt.percent(getattr(best.losses, key)) for key in ("one_length", "by_batch", "ranges")}
    said.append(sentence("figures.schedule_losses", language, name=best.name, load=load, one=best.one_length, **losses))
    if best.behind_winner > 0:
        behind = fmt.percent(best.behind_winner)
        said.append(sentence("figures.schedule_behind", language, name=best.name, loss=behind))
    if not found.fits.any() or not found.load_that_fits:
        said.append(sentence("figures.schedule_nothing_fits", language))
    elif found.load_that_fits < 1.0:
        left_out = fmt.percent(1.0 - found.load_that_fits)
        said.append(sentence("figures.schedule_unfit", language, share=left_out))
    return said


def schedule_table(shown: Shown) -> Table:
    """Return the ranges of every line; none until the whole schedule is there."""
    language, found = shown.language, found_schedule(shown)
    header = tuple(sentence(f"page.{key}", language) for key in ("drafter", "context_typed", "batch", "draft_length"))
    rows = (
        ()
        if found is None
        else tuple(
            (
                drafter.name,
                _span([fmt.tokens(part.first_context), fmt.tokens(part.last_context)]),
                _span([fmt.count(part.first_batch), fmt.count(part.last_batch)]),
                str(part.draft_tokens),
            )
            for drafter in found.drafters
            for part in drafter.ranges
        )
    )
    return Table(caption=sentence("figures.schedule_caption", language), header=header, rows=rows)


def schedule_rows(shown: Shown) -> list[Row]:
    """Return a row per line, context and batch, for files."""
    found = found_schedule(shown)
    if found is None:
        return []
    lengths = _lengths(found)
    return [
        {
            "drafter": drafter.name,
            "context": int(context),
            "batch": int(batch),
            "draft_tokens": int(drafter.draft_tokens[row, column]),
            "speedup": float(drafter.speedup[row, column]),
            "draft_tokens_of_range": int(lengths[line, row, column]),
            "fits": bool(found.fits[row, column]),
            "load": float(found.weight[row, column]),
        }
        for line, drafter in enumerate(found.drafters)
        for row, context in enumerate(found.context)
        for column, batch in enumerate(found.batch)
    ]
