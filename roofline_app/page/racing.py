"""The race as the page's state holds it: worked out only once it has been seen."""

from __future__ import annotations

from roofline_app import format as fmt
from roofline_app.page.theme import Palette, drafter_colour
from roofline_app.page.views.race import PLAIN, RaceColumn, race_view
from roofline_app.results import Evaluation


class Racing:
    """The race.

    Attributes:
        seen: Whether the reader has come to it.
    """

    def __init__(self, language: str) -> None:
        """Start unseen."""
        self.language = language
        self.seen = False

    def state(self, evaluation: Evaluation, seed: int, palette: Palette) -> dict[str, object] | None:
        """Return the columns as plain values; None as long as nobody has seen the race."""
        if not self.seen:
            return None
        view = race_view(evaluation, seed, self.language)
        return {
            "columns": [self._column(column, palette) for column in view.columns],
            "note": view.note,
            "pieces": list(view.pieces),
            "tokens": view.tokens,
        }

    def _column(self, column: RaceColumn, palette: Palette) -> dict[str, object]:
        plain = column.line == PLAIN
        return {
            "name": column.name,
            "rate": fmt.rate(column.tokens_per_second),
            "colour": palette.muted if plain else drafter_colour(palette, column.line, column.colour),
            "bursts": list(column.burst_tokens),
            "pauses": list(column.pauses),
            "finished": column.finished(self.language),
        }
