"""Timeline: when the tokens of one sequence appear, without speculation and in the bursts of sampled rounds.

A plain step gives one token. A round gives its accepted draft tokens and the bonus token at once, at its end. Each
round follows the survival of `acceptance`; so that a short race keeps its rate all the same, a few rounds in a row
share out the chances evenly among them.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from roofline_app.results import Evaluation

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
STRATA = 16
# A stream of less has no rate: dividing by it overflows.
SHORTEST_SECONDS = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """A race of one sequence with itself.

    Attributes:
        plain_seconds: When each token appears without speculation, rising.
        speculative_seconds: When each token appears with speculation; tokens of a round share their time.
        burst_tokens: Tokens of each round, from 1 to draft tokens + 1; they add up to the speculative tokens.
        seconds_per_step: One plain step.
        seconds_per_round: One round, drafting included.
    """

    plain_seconds: Floats
    speculative_seconds: Floats
    burst_tokens: Integers
    seconds_per_step: float
    seconds_per_round: float


def _chances(rounds: int, seed: int) -> Floats:
    """Return a number in [0, 1) for each round, uniform in itself: each `STRATA` in a row fall into different parts."""
    generator = random.Random(seed)  # numpy's own generators are more than a page needs to load
    drawn = list[float]()
    while len(drawn) < rounds:
        strata = list(range(STRATA))
        generator.shuffle(strata)
        drawn += [(stratum + generator.random()) / STRATA for stratum in strata]
    return np.array(drawn[:rounds])


def sampled_bursts(survival: Floats, rounds: int, seed: int) -> Integers:
    """Return the tokens that rounds commit, drawn from the survival of their draft positions.

    A round draws one uniform number u and accepts the positions whose survival exceeds it, which is a prefix, as
    survival never rises; so position i commits with exactly its chance.

    Args:
        survival: Chance that each draft position commits, shape (draft_tokens,), never rising.
        rounds: Number of rounds.
        seed: The same seed gives the same rounds; more rounds begin with those of fewer.

    Returns:
        Committed tokens, bonus token included, shape (rounds,).
    """
    # Survival sorted upwards: what is left above u is what is accepted.
    rejected = np.searchsorted(survival[::-1], _chances(rounds, seed), side="right")
    return np.asarray(1 + survival.size - rejected, dtype=np.int64)


def race(evaluation: Evaluation, drafter: int, *, seconds: float, seed: int) -> Timeline:
    """Return when tokens appear within a time, without speculation and with one drafter at its best draft length.

    Args:
        evaluation: The setting.
        drafter: Position of the drafter in the evaluation.
        seconds: Length of the race, at least 0.
        seed: Of the sampled rounds; the same seed gives the same race.

    Returns:
        Token times up to `seconds`. Where the drafter does not gain, both sides are alike.

    Raises:
        ValueError: When the length is negative or not finite.

    Examples:
        An ideal drafter has committed six times as many tokens after a second:

        >>> timeline = race(evaluate(Scenario()), 0, seconds=1.0, seed=0)
        >>> round(timeline.speculative_seconds.size / timeline.plain_seconds.size)
        6
    """
    if not (math.isfinite(seconds) and seconds >= 0):
        message = f"a race cannot last {seconds} seconds"
        raise ValueError(message)
    line, step = evaluation.drafters[drafter], evaluation.step.seconds
    per_round, draft_tokens = line.best.seconds_per_round, line.best.draft_tokens
    survival = np.minimum.accumulate(np.clip(np.diff(line.tokens_per_round[: draft_tokens + 1]), 0.0, 1.0))
    bursts = sampled_bursts(survival, math.floor(seconds / per_round), seed)
    rounds_before = np.searchsorted(bursts.cumsum(), np.arange(bursts.sum()), side="right")  # by token
    return Timeline(
        plain_seconds=step * np.arange(1, math.floor(seconds / step) + 1, dtype=np.float64),
        speculative_seconds=per_round * (1.0 + rounds_before),
        burst_tokens=bursts,
        seconds_per_step=step,
        seconds_per_round=per_round,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """A measured stream, after its first token.

    Attributes:
        burst_tokens: Tokens of each burst, shape (bursts,); they add up to the stream's.
        pauses: Seconds before each burst, shape (bursts,), at least 0.
    """

    burst_tokens: Integers
    pauses: Floats

    @property
    def tokens_per_second(self) -> float:
        """Mean rate."""
        return float(self.burst_tokens.sum() / self.pauses.sum())


def replay(pauses: Floats, tokens: int, *, shared: bool = False) -> Replay:
    """Return a measured stream in bursts.

    How many tokens each chunk held is not known: they are spread as evenly as whole tokens can be.

    Args:
        pauses: Seconds between the chunks of a stream, shape (chunks,).
        tokens: Tokens that came in these chunks, at least 1.
        shared: Whether the client has shared a chunk's time out among its tokens, a pause each: equal pauses in a row
            are one burst then.

    Raises:
        ValueError: When there is no pause, one is negative or not finite, less than a
            nanosecond passes, or no token comes.

    Examples:
        Six tokens in three chunks of a tenth of a second:

        >>> stream = replay(np.array([0.1, 0.1, 0.1]), 6)
        >>> stream.burst_tokens.tolist(), round(stream.tokens_per_second, 6)
        ([2, 2, 2], 20.0)
    """
    if tokens < 1 or not (
        pauses.size and np.all(np.isfinite(pauses) & (pauses >= 0)) and pauses.sum() >= SHORTEST_SECONDS
    ):
        message = "a stream takes pauses that are finite, not negative and not all 0, and at least one token"
        raise ValueError(message)
    if shared:
        starts = np.flatnonzero(np.diff(pauses, prepend=-1.0))
        return Replay(
            burst_tokens=np.diff(starts, append=pauses.size).astype(np.int64), pauses=np.add.reduceat(pauses, starts)
        )
    there = np.arange(1, pauses.size + 1, dtype=np.int64) * tokens // pauses.size
    return Replay(burst_tokens=np.diff(there, prepend=0).astype(np.int64), pauses=pauses)
