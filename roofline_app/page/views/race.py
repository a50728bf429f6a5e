"""Figure 8: the same text written at the computed rates, token by token and in the bursts of sampled rounds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from roofline_app import format as fmt
from roofline_app.page.views.tables import Table
from roofline_app.results import Evaluation
from roofline_app.text import sentence
from roofline_app.timeline import race
from roofline_app.verdict import best_drafter

TOKENS = 320
FAST_TOKENS_PER_SECOND = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceView:
    """What figure 8 shows.

    Attributes:
        plain: Words above the plain column.
        speculative: Words above the other.
        note: How long a round takes, and what it commits.
        text: What is written.
        tokens: Length of the race in tokens.
        seconds_per_step: One plain step, a token each.
        seconds_per_round: One round, a burst each; a step where no drafter pays.
        burst_tokens: Tokens of each round, in order, until the text is written.
    """

    plain: str
    speculative: str
    note: str
    text: str
    tokens: int
    seconds_per_step: float
    seconds_per_round: float
    burst_tokens: tuple[int, ...]


def race_view(evaluation: Evaluation, seed: int, language: str) -> RaceView:
    """Return the race of the best drafter with plain decoding; the same seed gives the same race."""
    best = best_drafter(evaluation)
    position = evaluation.drafters.index(best)
    step, per_round = evaluation.step.seconds, best.best.seconds_per_round
    bursts = race(evaluation, position, seconds=max(step, per_round) * TOKENS, seed=seed).burst_tokens
    plain = sentence("page.race_column", language, name=sentence("page.plain_step", language), rate=fmt.rate(1 / step))
    rate = fmt.rate(best.best.tokens_per_round / per_round)
    return RaceView(
        plain=plain,
        speculative=sentence("page.race_column", language, name=best.name, rate=rate),
        note=sentence(
            "page.race_note",
            language,
            seconds=fmt.seconds(per_round),
            tokens=fmt.significant(best.best.tokens_per_round),
            fast=fmt.rate(FAST_TOKENS_PER_SECOND),
            needed=fmt.significant(FAST_TOKENS_PER_SECOND * per_round),
        ),
        text=sentence("page.race_text", language),
        tokens=TOKENS,
        seconds_per_step=step,
        seconds_per_round=per_round,
        burst_tokens=tuple(bursts[: int(np.searchsorted(bursts.cumsum(), TOKENS)) + 1].tolist()),
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
        caption=sentence("page.race_caption", language),
        header=tuple(sentence(f"page.{key}", language) for key in header),
        rows=tuple(rows),
    )
