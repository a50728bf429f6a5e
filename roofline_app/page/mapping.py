"""Figure 7's values: a row per context, computed one at a time, so that a reader's next change never waits for all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from roofline_app.evaluation import evaluate
from roofline_app.page.views.map import CONTEXTS, MapRow
from roofline_app.results import Evaluation
from roofline_app.scenario import Presentation, Scenario
from roofline_app.verdict import IDEAL


class MapRows:
    """The rows of the map of one setting.

    Attributes:
        rows: Rows by context; those in `waiting` are of an earlier setting.
        waiting: Contexts whose row is still to be computed, nearest to the current one first.
        revision: How many settings there were.
    """

    def __init__(self) -> None:
        """Start without rows."""
        self.rows: dict[int, MapRow] = {}
        self.waiting: tuple[int, ...] = ()
        self.revision = 0
        self._setting: Scenario | None = None

    def aim(self, scenario: Scenario) -> None:
        """Take another setting; what it shares with the last one at all batches and contexts stays."""
        setting = _setting(scenario)
        if setting != self._setting:
            self._setting = setting
            self.revision += 1
            distance = {context: abs(np.log2(context / scenario.context)) for context in CONTEXTS}
            self.waiting = tuple(sorted(CONTEXTS, key=distance.__getitem__))

    def advance(self) -> bool:
        """Compute the next row; return whether there was one."""
        if self._setting is None or not self.waiting:
            return False
        context, *rest = self.waiting
        self.waiting = tuple(rest)
        self.rows[context] = _row(evaluate(replace(self._setting, context=context)))
        return True

    def shown(self) -> Mapping[int, MapRow]:
        """Return the rows that are there, by context, in order."""
        return {context: self.rows[context] for context in CONTEXTS if context in self.rows}


def _setting(scenario: Scenario) -> Scenario:
    """Return the scenario without what the map does not depend on; an ideal drafter only where there is no other."""
    real = tuple(line for line in scenario.drafters if line.kind != IDEAL) or scenario.drafters
    plain = Scenario()
    return replace(
        scenario,
        drafters=real,
        batch=plain.batch,
        context=plain.context,
        compare="",
        seed=plain.seed,
        traffic=None,
        after=None,
        training=None,
        presentation=Presentation(),
    )


def _row(evaluation: Evaluation) -> MapRow:
    by_batch = evaluation.best_by_batch
    speedups = np.stack([line.speedup for line in by_batch.drafters])
    best = speedups.argmax(axis=0)
    columns = np.arange(best.size)
    lengths = np.stack([line.draft_tokens for line in by_batch.drafters])
    limit = evaluation.model.max_context_tokens
    reach = evaluation.memory.largest_batch if not limit or evaluation.context <= limit else 0
    return MapRow(
        batch=by_batch.batch,
        speedup=speedups[best, columns],
        draft_tokens=lengths[best, columns],
        names=tuple(by_batch.drafters[line].name for line in best),
        fits=by_batch.batch <= reach,
    )
