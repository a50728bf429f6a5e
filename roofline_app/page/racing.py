"""The race in the page's state: worked out only once it has been seen, with a reader's own runs where wanted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from roofline_app import format as fmt
from roofline_app.measurements import Stream
from roofline_app.page.own_points import OwnStream
from roofline_app.page.theme import Palette, drafter_colour
from roofline_app.page.views.race import OWN, PLAIN, RaceColumn, race_view, replay_column
from roofline_app.results import Evaluation
from roofline_app.text import sentence
from roofline_app.timeline import replay

COMPUTED = -1
COLUMNS = 2


class Racing:
    """The race.

    Attributes:
        seen: Whether the reader has come to it.
        chosen: What each column shows: `COMPUTED`, or the position of a reader's own run.
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

    def state(
        self, evaluation: Evaluation, seed: int, palette: Palette, runs: Sequence[OwnStream]
    ) -> dict[str, object] | None:
        """Return the columns as plain values; None as long as nobody has seen the race."""
        if not self.seen:
            return None
        view = race_view(evaluation, seed, self.language)
        columns, notes = list[dict[str, object]](), [view.note]
        for computed, run in zip(view.columns, self.chosen, strict=True):
            shown = computed
            if run != COMPUTED:
                name, stream = runs[run]
                shown = _replayed(name, stream)
                notes.append(self._note(name, stream))
            columns.append({**self._column(shown, palette), **self._choice(computed, run)})
        return {
            "columns": columns,
            "runs": [name for name, _ in runs],
            "note": " ".join(dict.fromkeys(notes)),
            "pieces": list(view.pieces),
            "tokens": view.tokens,
        }

    def _column(self, column: RaceColumn, palette: Palette) -> dict[str, object]:
        fixed = {PLAIN: palette.muted, OWN: palette.text}
        return {
            "name": column.name,
            "rate": fmt.rate(column.tokens_per_second),
            "colour": fixed.get(column.line) or drafter_colour(palette, column.line, column.colour),
            "bursts": list(column.burst_tokens),
            "pauses": list(column.pauses),
            "finished": column.finished(self.language),
        }

    def _choice(self, computed: RaceColumn, run: int) -> dict[str, object]:
        """Return what the column shows, and the words of what is computed for it."""
        return {"computed": sentence("page.race_computed", self.language, name=computed.name), "run": run}

    def _note(self, name: str, stream: Stream) -> str:
        """Return which request of a run is replayed, and what is not known of it."""
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
