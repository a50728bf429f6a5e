"""The map's work: a row at a time, or some lines of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from roofline_app.page.figures.map.view import CONTEXTS, MapRow
from roofline_app.page.figures.pieces import Work, groups_of_lines
from roofline_app.resolved import drafter_names, real_drafters
from roofline_app.results import Evaluation
from roofline_app.scenario import Scenario, decoding_alone


def map_work(evaluation: Evaluation) -> Work:
    """Return the rows, nearest to the current context first; those of an earlier setting stay until then."""
    setting = _setting(evaluation.scenario)
    distance = {context: abs(np.log2(context / evaluation.scenario.context)) for context in CONTEXTS}
    groups = groups_of_lines(setting)
    return Work(
        setting=setting,
        parts={
            context: tuple(replace(setting, context=context, drafters=lines) for lines in groups)
            for context in sorted(CONTEXTS, key=distance.__getitem__)
        },
        join=partial(_row, names=drafter_names(setting.drafters)),
        keeps=True,
    )


def _setting(scenario: Scenario) -> Scenario:
    """Return the scenario without what the map does not depend on; an ideal drafter only where there is no other."""
    plain = Scenario()
    return replace(
        decoding_alone(scenario),
        drafters=real_drafters(scenario.drafters),
        batch=plain.batch,
        context=plain.context,
    )


def _row(pieces: Sequence[Evaluation], *, names: Sequence[str]) -> MapRow:
    """Return a row from the evaluations of its lines."""
    first = pieces[0]
    by_batch = [line for evaluation in pieces for line in evaluation.best_by_batch.drafters]
    speedups = np.stack([line.speedup for line in by_batch])
    best = speedups.argmax(axis=0)
    columns = np.arange(best.size)
    lengths = np.stack([line.draft_tokens for line in by_batch])
    limit = first.model.max_context_tokens
    largest = min(evaluation.memory.largest_batch for evaluation in pieces)
    reach = largest if not limit or first.context <= limit else 0
    return MapRow(
        batch=first.best_by_batch.batch,
        speedup=speedups[best, columns],
        draft_tokens=lengths[best, columns],
        names=tuple(names[line] for line in best),
        fits=first.best_by_batch.batch <= reach,
    )
