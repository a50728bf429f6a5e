"""The race in the page's state: computed only once it has been seen, with the user's own runs where wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from roofline_app import format as fmt
from roofline_app.calibration.benchmarks import Stream
from roofline_app.page.figures.race.view import RaceColumn, RaceView, column_colour, race_view, replay_column
from roofline_app.page.protocol import RaceColumnWords, RaceWords
from roofline_app.page.theme import Palette
from roofline_app.results import Evaluation
from roofline_app.speculation.timeline import replay
from roofline_app.text import sentence

# A user's own run: its name, and what was streamed.
Run = tuple[str, Stream]
COMPUTED = -1
COLUMNS = 2


class RaceColumns:
    """The race.

    Attributes:
        seen: Whether the user has come to it.
        chosen: What each column shows: `COMPUTED`, or the position of a user's own run.
    """

    def __init__(self, language: str) -> None:
        """Start unseen, with the computed columns."""
        self.language = language
        self.seen = False
        self.reset()

    def choose(self, column: object, run: object, runs: int) -> None:
        """Show one of some runs in a column, or what is computed; anything else is ignored."""
        if isinstance(column, int) and column in range(COLUMNS) and isinstance(run, int) and COMPUTED <= run < runs:
            self.chosen[column] = run

    def reset(self) -> None:
        """Show what is computed in every column."""
        self.chosen = [COMPUTED] * COLUMNS

    def view(self, evaluation: Evaluation, seed: int, runs: Sequence[Run]) -> RaceView:
        """Return the race that the user has chosen."""
        return self._with_runs(race_view(evaluation, seed, self.language), runs)

    def state(self, evaluation: Evaluation, seed: int, palette: Palette, runs: Sequence[Run]) -> RaceWords | None:
        """Return the columns as plain values; None as long as nobody has seen the race."""
        if not self.seen:
            return None
        computed = race_view(evaluation, seed, self.language)
        view = self._with_runs(computed, runs)
        return {
            "columns": [
                self._column(shown, palette, computed=without.name, run=run)
                for shown, without, run in zip(view.columns, computed.columns, self.chosen, strict=True)
            ],
            "runs": [name for name, _ in runs],
            "note": view.note,
            "pieces": list(view.pieces),
            "tokens": view.tokens,
        }

    def _with_runs(self, computed: RaceView, runs: Sequence[Run]) -> RaceView:
        """Return a computed race with the user's own runs in the columns that show one."""
        left, right = (
            column if run == COMPUTED else _replayed(*runs[run])
            for column, run in zip(computed.columns, self.chosen, strict=True)
        )
        notes = [computed.note, *(self._note(*runs[run]) for run in self.chosen if run != COMPUTED)]
        return replace(computed, columns=(left, right), note=" ".join(dict.fromkeys(notes)))

    def _column(self, column: RaceColumn, palette: Palette, *, computed: str, run: int) -> RaceColumnWords:
        """Return the content of a column, and the label of its computed race."""
        return {
            "name": column.name,
            "rate": fmt.rate(column.tokens_per_second),
            "colour": column_colour(column, palette),
            "bursts": list(column.burst_tokens),
            "pauses": list(column.pauses),
            "finished": column.finished(self.language),
            "computed": sentence("page.race_computed", self.language, name=computed),
            "run": run,
        }

    def _note(self, name: str, stream: Stream) -> str:
        """Return a note on the request that is replayed, and its missing data."""
        said = sentence(
            "page.race_request", self.language, name=name, request=stream.request, requests=fmt.count(stream.requests)
        )
        if stream.shared or stream.tokens == len(stream.pauses):
            return said
        spread = fmt.significant(stream.tokens / len(stream.pauses))
        return f"{said} {sentence('page.race_spread', self.language, tokens=spread)}"


def _replayed(name: str, stream: Stream) -> RaceColumn:
    pauses = np.array(stream.pauses, dtype=np.float64)
    return replay_column(name, replay(pauses, stream.tokens, shared=stream.shared))
