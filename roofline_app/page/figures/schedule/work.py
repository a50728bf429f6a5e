"""The schedule's work: a context at a time, or some lines of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial

import numpy as np

from roofline_app.evaluation.schedule import schedule_batches, schedule_contexts, schedule_of, schedule_row
from roofline_app.page.figures.look import Shown
from roofline_app.page.figures.pieces import Work, groups_of_lines
from roofline_app.results import Evaluation, Schedule, ScheduleRow
from roofline_app.scenario import Scenario, decoding_alone

_KEPT = 4


def schedule_work(evaluation: Evaluation) -> Work:
    """Return the rows of all contexts, the shortest first."""
    scenario, plain = evaluation.scenario, Scenario()
    setting = replace(decoding_alone(scenario), batch=plain.batch, context=plain.context)
    batches, contexts = schedule_batches(scenario), schedule_contexts(scenario)
    groups = groups_of_lines(setting)
    return Work(
        setting=(setting, tuple(batches.tolist()), contexts),
        parts={
            context: tuple(replace(setting, context=context, drafters=lines) for lines in groups)
            for context in contexts
        },
        join=_joined,
        compute=partial(schedule_row, batches=batches),
    )


def _joined(pieces: Sequence[ScheduleRow]) -> ScheduleRow:
    return ScheduleRow(
        context=pieces[0].context,
        speedups=np.concatenate([piece.speedups for piece in pieces]),
        largest_batch=min(piece.largest_batch for piece in pieces),
    )


def found_schedule(shown: Shown) -> Schedule | None:
    """Return the schedule of the lines that are shown; None until all rows are there."""
    scenario, values = shown.evaluation.scenario, shown.found.values
    contexts = schedule_contexts(scenario)
    if shown.found.waiting or any(context not in values for context in contexts):
        return None
    return _schedule(scenario, tuple(values[context] for context in contexts), shown.look.shown(len(scenario.drafters)))


@lru_cache(maxsize=_KEPT)
def _schedule(scenario: Scenario, rows: tuple[ScheduleRow, ...], lines: tuple[int, ...]) -> Schedule:
    shown = replace(scenario, drafters=tuple(scenario.drafters[line] for line in lines))
    return schedule_of(shown, [replace(row, speedups=row.speedups[list(lines)]) for row in rows])
