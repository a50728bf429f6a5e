"""Figure 7's values a piece at a time, a row or some lines of one, so that a reader's next change never waits long."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from roofline_app.evaluation import evaluate
from roofline_app.page.figures.map.view import CONTEXTS, MapRow
from roofline_app.resolved import drafter_names, real_drafters
from roofline_app.results import Evaluation
from roofline_app.scenario import Drafter, Presentation, Scenario

# Draft lengths of all lines together that one piece evaluates; a piece has at least one line.
PIECE = 85


class PendingMapRows:
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
        self._pieces: tuple[tuple[Drafter, ...], ...] = ()
        self._found: list[Evaluation] = []

    @property
    def pieces(self) -> int:
        """How often `advance` has to be called until no row waits."""
        return len(self.waiting) * len(self._pieces) - len(self._found)

    def aim(self, scenario: Scenario) -> None:
        """Take another setting; what it shares with the last one at all batches and contexts stays."""
        setting = _setting(scenario)
        if setting != self._setting:
            self._setting, self._pieces, self._found = setting, _pieces(setting), []
            self.revision += 1
            distance = {context: abs(np.log2(context / scenario.context)) for context in CONTEXTS}
            self.waiting = tuple(sorted(CONTEXTS, key=distance.__getitem__))

    def advance(self) -> bool:
        """Compute the next piece; return whether a row is complete with it."""
        setting = self._setting
        if setting is None or not self.waiting:
            return False
        context, *rest = self.waiting
        lines = self._pieces[len(self._found)]
        self._found.append(evaluate(replace(setting, context=context, drafters=lines)))
        if len(self._found) < len(self._pieces):
            return False
        self.rows[context] = _row(self._found, drafter_names(setting.drafters))
        self.waiting, self._found = tuple(rest), []
        return True

    def shown(self) -> Mapping[int, MapRow]:
        """Return the rows that are there, by context, in order."""
        return {context: self.rows[context] for context in CONTEXTS if context in self.rows}


def _setting(scenario: Scenario) -> Scenario:
    """Return the scenario without what the map does not depend on; an ideal drafter only where there is no other."""
    plain = Scenario()
    return replace(
        scenario,
        drafters=real_drafters(scenario.drafters),
        batch=plain.batch,
        context=plain.context,
        compare="",
        seed=plain.seed,
        traffic=None,
        after=None,
        training=None,
        presentation=Presentation(),
    )


def _pieces(setting: Scenario) -> tuple[tuple[Drafter, ...], ...]:
    """Return a setting's lines in groups that do not take long to evaluate."""
    size = max(PIECE // (setting.cap + 1), 1)
    lines = setting.drafters
    return tuple(lines[start : start + size] for start in range(0, len(lines), size))


def _row(pieces: Sequence[Evaluation], names: Sequence[str]) -> MapRow:
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
