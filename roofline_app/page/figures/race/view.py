"""Figure 8: the same text written at the computed rates, token by token and in the bursts of sampled rounds."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from roofline_app import format as fmt
from roofline_app.page.figures.rows import Row
from roofline_app.page.figures.tables import Table
from roofline_app.page.theme import Palette, drafter_colour
from roofline_app.results import Evaluation
from roofline_app.speculation.timeline import Floats, Integers, Replay, race
from roofline_app.text import sentence

TOKENS = 320
FAST_TOKENS_PER_SECOND = 1000
PLAIN, OWN = -1, -2
# About a token: at most six letters with the space before them, or two characters of a script without spaces.
_PIECE = re.compile(r"\s*(?:[\u2e80-\uffff]{1,2}|[^\s\u2e80-\uffff]{1,6})")


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceColumn:
    """One column: bursts of tokens, each after a pause.

    Attributes:
        name: Who writes.
        tokens_per_second: How fast on average.
        line: Position of the drafter, or `PLAIN`, or `OWN` for a user's own run.
        colour: Six hex digits of the user's colour, or empty.
        burst_tokens: Tokens of each burst, in order; they reach the race's tokens, or the column ends before.
        pauses: Seconds before each burst; a single one where all are alike.
    """

    name: str
    tokens_per_second: float
    line: int
    colour: str
    burst_tokens: tuple[int, ...]
    pauses: tuple[float, ...]

    @property
    def tokens(self) -> int:
        """Tokens that the column writes."""
        return min(sum(self.burst_tokens), TOKENS)

    def seconds(self) -> Floats:
        """Return when each burst is there, shape (bursts,)."""
        pauses = self.pauses * len(self.burst_tokens) if len(self.pauses) == 1 else self.pauses
        return np.cumsum(pauses, dtype=np.float64)

    def finished(self, language: str) -> str:
        """Return the sentence for a column that is done."""
        seconds = fmt.seconds(float(self.seconds()[-1]))
        return sentence("page.race_finished", language, tokens=fmt.count(self.tokens), seconds=seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceView:
    """What figure 8 shows.

    Attributes:
        columns: The two that are shown.
        note: How long a round takes, and what it commits.
        pieces: What is written, a token each; it starts again where it ends.
        tokens: Length of the race in tokens.
    """

    columns: tuple[RaceColumn, RaceColumn]
    note: str
    pieces: tuple[str, ...]
    tokens: int


def column_colour(column: RaceColumn, palette: Palette) -> str:
    """Return the colour of a column: its drafter's, or that of plain decoding, or of text for a user's own run."""
    fixed = {PLAIN: palette.muted, OWN: palette.text}
    return fixed.get(column.line) or drafter_colour(palette, column.line, column.colour)


def needed_bursts(burst_tokens: Integers) -> int:
    """Return the number of bursts that the race needs, of shape (bursts,)."""
    return min(int(np.searchsorted(burst_tokens.cumsum(), TOKENS)) + 1, burst_tokens.size)


def plain_column(evaluation: Evaluation, language: str) -> RaceColumn:
    """Return the column of plain decoding: a token per step."""
    step = evaluation.step.seconds
    return RaceColumn(
        name=sentence("page.plain_step", language),
        tokens_per_second=1 / step,
        line=PLAIN,
        colour="",
        burst_tokens=(1,) * TOKENS,
        pauses=(step,),
    )


def speculative_column(evaluation: Evaluation, seed: int) -> RaceColumn:
    """Return the column of the best drafter: a burst per round; the same seed gives the same bursts."""
    best = evaluation.best_drafter
    position, per_round = evaluation.drafters.index(best), best.best.seconds_per_round
    # A round commits a token at least, so that so many rounds are always enough.
    bursts = race(evaluation, position, seconds=per_round * (TOKENS + 0.5), seed=seed).burst_tokens
    return RaceColumn(
        name=best.name,
        tokens_per_second=best.best.tokens_per_round / per_round,
        line=position,
        colour=best.colour,
        burst_tokens=tuple(bursts[: needed_bursts(bursts)].tolist()),
        pauses=(per_round,),
    )


def replay_column(name: str, stream: Replay) -> RaceColumn:
    """Return the column of a measured stream; it ends where the stream does."""
    needed = needed_bursts(stream.burst_tokens)
    return RaceColumn(
        name=name,
        tokens_per_second=stream.tokens_per_second,
        line=OWN,
        colour="",
        burst_tokens=tuple(stream.burst_tokens[:needed].tolist()),
        pauses=tuple(stream.pauses[:needed].tolist()),
    )


def pieces(text: str) -> tuple[str, ...]:
    """Return a text cut into about as many pieces as it has tokens; joined again they are the text."""
    return tuple(_PIECE.findall(text))


def race_note(evaluation: Evaluation, language: str) -> str:
    """Return a note on a round's time and tokens, and on the time that a fast reader would need."""
    best = evaluation.best_drafter.best
    return sentence(
        "page.race_note",
        language,
        seconds=fmt.seconds(best.seconds_per_round),
        tokens=fmt.significant(best.tokens_per_round),
        fast=fmt.rate(FAST_TOKENS_PER_SECOND),
        needed=fmt.significant(FAST_TOKENS_PER_SECOND * best.seconds_per_round),
    )


def race_view(evaluation: Evaluation, seed: int, language: str) -> RaceView:
    """Return the race of the best drafter with plain decoding; the same seed gives the same race."""
    return RaceView(
        columns=(plain_column(evaluation, language), speculative_column(evaluation, seed)),
        note=race_note(evaluation, language),
        pieces=pieces(sentence("page.race_text", language)),
        tokens=TOKENS,
    )


def race_rows(view: RaceView) -> list[Row]:
    """Return a row per burst of each column: when it is there, its tokens, and all tokens so far."""
    rows = list[Row]()
    for number, column in enumerate(view.columns, start=1):
        tokens = np.minimum(np.cumsum(column.burst_tokens), view.tokens)
        rows += [
            {"column": number, "name": column.name, "seconds": seconds, "burst_tokens": burst, "tokens": total}
            for seconds, burst, total in zip(
                column.seconds().tolist(), np.diff(tokens, prepend=0).tolist(), tokens.tolist(), strict=True
            )
        ]
    return rows


def columns_table(view: RaceView, language: str) -> Table:
    """Return a table of the columns: tokens, time and rate."""
    header = ("race_column", "race_tokens", "race_seconds", "race_rate")
    return Table(
        caption=sentence("page.race_columns_caption", language),
        header=tuple(sentence(f"page.{key}", language) for key in header),
        rows=tuple(
            (
                column.name,
                fmt.count(column.tokens),
                fmt.seconds(float(column.seconds()[-1])),
                fmt.rate(column.tokens_per_second),
            )
            for column in view.columns
        ),
    )


def race_table(evaluation: Evaluation, language: str) -> Table:
    """Return seconds, tokens and rate of a step and of each drafter's best round."""
    header = ("drafter", "race_pass", "tokens_per_round", "race_rate")
    step = evaluation.step.seconds
    rows = [(sentence("page.plain_step", language), fmt.seconds(step), "1", fmt.rate(1 / step))]
    for result in evaluation.drafters:
        best = result.best
        rate = fmt.rate(best.tokens_per_round / best.seconds_per_round)
        tokens = fmt.significant(best.tokens_per_round)
        rows.append((result.name, fmt.seconds(best.seconds_per_round), tokens, rate))
    return Table(
        caption=sentence("figures.race_caption", language),
        header=tuple(sentence(f"page.{key}", language) for key in header),
        rows=tuple(rows),
    )
