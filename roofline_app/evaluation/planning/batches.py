"""The largest batch at which a node still reaches a target, line by line.

Derived: the more sequences a node decodes together the slower each is, and the less each costs, so that the batch that
reaches the target at least cost is the largest one that reaches it: powers of two first, then what lies between the
last that does and the first that does not, in equal parts, until they are neighbours. Where each group of GPUs has
sequences of its own, a batch of whole groups may cost less than the next larger ones, so that it is tried as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from roofline_app.economics import SECONDS_PER_HOUR, TOKENS_PER_PRICE
from roofline_app.evaluation.planning.alike import Speeds, speeds
from roofline_app.evaluation.planning.held import Held
from roofline_app.scenario import Target

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
LARGEST_BATCH = 4096
_POINTS = 7
# With seven points between its ends, the widest bracket of 2,048 batches is closed after four rounds.
ROUNDS = 5
_ROUNDING = 1e-9
_NONE = np.iinfo(np.int64).max
_POWERS = 1 << np.arange(LARGEST_BATCH.bit_length(), dtype=np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """Nodes alike at batches that were tried, with one line; arrays of shape (nodes, batches).

    Attributes:
        batch: Sequences decoded together.
        speeds: What they reach.
        usd: Per million output tokens.
        first_token: Seconds to the first token; NaN where no prompt is stated.
        short_by: By what factor the worst-met part of the target is missed; 1 or less where it is reached.
    """

    batch: Integers
    speeds: Speeds
    usd: Floats
    first_token: Floats
    short_by: Floats


def coarse_batches(held: Sequence[Held]) -> Integers:
    """Return powers of two, and the most sequences that each node may have; shape (nodes, batches)."""
    return np.stack([np.minimum(_POWERS, one.most) for one in held])


def tried(held: Sequence[Held], batch: Integers, line: int, target: Target) -> Tried:
    """Return what nodes alike reach at batches.

    Args:
        held: The nodes.
        batch: Batches of each, shape (nodes, batches).
        line: 0 for plain decoding, or the position of a line from 1 on.
        target: What is asked for.
    """
    found = speeds([one.resolved for one in held], batch, line)
    price = np.array([one.candidate.usd_per_gpu_hour for one in held])[:, np.newaxis]
    rate = found.tokens_per_second_per_user * batch
    usd = price * found.gpus / SECONDS_PER_HOUR / rate * TOKENS_PER_PRICE
    first = _first_tokens(held, batch, line, found)
    parts: list[Floats] = [np.zeros_like(usd)]
    if target.user is not None:
        parts.append(target.user / found.tokens_per_second_per_user)
    if target.ttft is not None:
        parts.append(first / target.ttft)
    if target.usd is not None:
        parts.append(np.where(usd > 0.0, usd / target.usd if target.usd else np.inf, 0.0))
    return Tried(batch=batch, speeds=found, usd=usd, first_token=first, short_by=np.maximum.reduce(parts))


def _first_tokens(held: Sequence[Held], batch: Integers, line: int, found: Speeds) -> Floats:
    """Return the seconds to the first token; of a setting with another context, from that of its requests."""
    if held[0].request is None:
        return np.full(batch.shape, np.nan)
    if any(one.request is not one.resolved for one in held):
        found = speeds([one.request for one in held if one.request is not None], batch, line)
    first = np.empty(batch.shape)
    for row, one in enumerate(held):
        for column, sequences in enumerate(batch[row].tolist()):
            speculates = bool(found.draft_tokens[row, column])
            first[row, column] = one.first_token(
                sequences,
                line if speculates else 0,
                1.0 / float(found.tokens_per_second_per_user[row, column]),
                float(found.round_seconds[row, column]),
            )
    return first


def between(known: Sequence[Tried], target: Target, groups: int) -> Integers | None:
    """Return batches between the largest that is fast enough and the next that was tried, shape (nodes, batches).

    Args:
        known: What was tried.
        target: What is asked for; the price alone never makes a batch too large.
        groups: Groups of GPUs with sequences of their own: whole groups below the largest batch are tried at the end.

    Returns:
        None where there is nothing left to try.
    """
    batch = np.concatenate([one.batch for one in known], axis=1)
    fast = np.concatenate([fast_enough(one, target) for one in known], axis=1)
    low = np.where(fast, batch, 0).max(axis=1)
    above = np.where(~fast & (batch > low[:, np.newaxis]), batch, _NONE).min(axis=1)
    found = (low > 0) & (above < _NONE)
    start, end = (np.where(found, edge, batch[:, 0])[:, np.newaxis] for edge in (low, above))
    if np.all(end - start <= 1):
        whole = np.maximum(low // groups * groups, batch[:, 0])[:, np.newaxis]
        return None if np.all((batch == whole).any(axis=1)) else whole
    inside = start + np.ceil((end - start) * np.arange(1, _POINTS + 1) / (_POINTS + 1)).astype(np.int64)
    return np.asarray(np.clip(inside, start, np.maximum(end - 1, start)))


def fast_enough(one: Tried, target: Target) -> NDArray[np.bool_]:
    """Return where a target is reached but for its price."""
    reached = np.ones(one.batch.shape, dtype=np.bool_)
    if target.user is not None:
        reached &= one.speeds.tokens_per_second_per_user >= target.user * (1.0 - _ROUNDING)
    if target.ttft is not None:
        reached &= one.first_token <= target.ttft * (1.0 + _ROUNDING)
    return reached


def reached(one: Tried) -> NDArray[np.bool_]:
    """Return where the whole of a target is reached."""
    return np.asarray(one.short_by <= 1.0 + _ROUNDING)
