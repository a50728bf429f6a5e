"""The target's passes on one grid: the current batch and thirteen others, times every draft length up to the cap."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from roofline_app.resolved import ResolvedScenario
from roofline_app.results import Bound, Component, Pass, VerifyByBatch
from roofline_app.scenario import Drafter
from roofline_app.speculation.trees import verified_nodes
from roofline_app.timing.pass_time import (
    HOST,
    LAUNCHES,
    MESSAGES,
    PassTime,
    pass_time,
    round_seconds,
    with_host_seconds,
)
from roofline_app.timing.workload import INDEPENDENT, Tokens, experts_touched, pass_tokens, work

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
GRID_AXES = 2
BATCHES = 2 ** np.arange(13, dtype=np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class PassGrid:
    """Passes over batches (the current one first) and draft lengths 0..cap.

    Attributes:
        time: Seconds, in total and by component; broadcastable to (batches, cap + 1).
        seconds: Seconds of each pass, shape (batches, cap + 1).
        step_seconds: Seconds of plain decoding, shape (batches, 1).
        touched: Expected distinct experts, shape (batches, cap + 1).
        touched_independent: The same if tokens chose independently.
        batch: The batches, shape (batches, 1).
        query_tokens: Tokens of one sequence in the pass at each draft length, shape (cap + 1,); 1 at length 0.
    """

    time: PassTime
    seconds: Floats
    step_seconds: Floats
    touched: Floats
    touched_independent: Floats
    batch: Floats
    query_tokens: Integers


def verified_tokens(line: Drafter, cap: int) -> Integers:
    """Return the draft tokens that are verified of a line at draft lengths 0..cap."""
    return np.asarray([verified_nodes(line.topk, line.verified, depth) for depth in range(cap + 1)], dtype=np.int64)


def pass_grid(resolved: ResolvedScenario, nodes: Integers | None = None, batches: Integers | None = None) -> PassGrid:
    """Return the target's passes over the current batch and `BATCHES`, or over others, and over draft lengths 0..cap.

    Args:
        resolved: The scenario.
        nodes: Draft tokens that are verified at each draft length, shape (cap + 1,); None for as many.
        batches: Sequences decoded together, shape (batches,); None for the current batch and `BATCHES`.
    """
    scenario = resolved.scenario
    batch = (np.concatenate(([scenario.batch], BATCHES)) if batches is None else batches)[:, np.newaxis]
    query_tokens = 1 + (np.arange(scenario.cap + 1) if nodes is None else nodes)
    tokens = pass_shape(resolved, batch, query_tokens)
    time = _time(resolved, tokens, tree=nodes is not None)
    seconds = np.broadcast_to(time.seconds, (batch.size, scenario.cap + 1))
    touched = experts_touched(resolved.terms, tokens)
    alone = touched
    if resolved.routing != INDEPENDENT:
        alone = experts_touched(resolved.terms, replace(tokens, routed=tokens.total))
    return PassGrid(
        time=time,
        seconds=seconds,
        step_seconds=seconds[:, :1],
        touched=touched,
        touched_independent=alone,
        batch=tokens.batch,
        query_tokens=query_tokens,
    )


def verifying_seconds(resolved: ResolvedScenario, batch: Floats, query_tokens: Floats) -> Floats:
    """Return the seconds of the target's passes over any number of query tokens per request, whole or not.

    A number that is not whole is the average over requests that verify different numbers. What grows in proportion to
    the tokens (matmuls, attention's arithmetic, states kept) and what is there once per request (its cache) is then
    exact; what grows more slowly (entries that sparse attention chooses, correlated experts) is at most a little too
    much, and kernels that run token by token, which wait for the longest request, too little.

    Args:
        resolved: The scenario.
        batch: Batches, shape (batches, 1).
        query_tokens: Tokens of one request in the pass, at least 1, shape (passes,); 1 is plain decoding.

    Returns:
        Shape (batches, passes).
    """
    time = _time(resolved, pass_shape(resolved, batch, query_tokens), tree=False)
    return np.broadcast_to(time.seconds, (batch.size, query_tokens.size))


def pass_shape(resolved: ResolvedScenario, batch: Floats | Integers, query_tokens: Floats | Integers) -> Tokens:
    """Return the shape of the target's passes at the scenario's context, with its routing."""
    context, routing = resolved.scenario.context, resolved.routing
    return pass_tokens(batch=batch, query_tokens=query_tokens, context_tokens=context, routing=routing)


def _time(resolved: ResolvedScenario, tokens: Tokens, *, tree: bool) -> PassTime:
    constants = resolved.profile.constants
    parts = work(resolved.sharded, tokens)
    time = pass_time(parts, resolved.roof, constants, kv_read=resolved.scenario.kv_read)
    return with_host_seconds(time, round_seconds(tokens, constants, tree=tree))


def _at(values: Floats, column: int) -> float:
    """Return one pass of the current batch from an array that broadcasts to the grid."""
    row = values[0] if values.ndim == GRID_AXES else values
    return float(row[min(column, row.shape[0] - 1)] if row.ndim else row)


def _bound(component: str, memory_seconds: float, compute_seconds: float) -> Bound:
    if component in {LAUNCHES, HOST}:
        return "overhead"
    if component == MESSAGES:
        return "communication"
    return "memory" if memory_seconds >= compute_seconds else "compute"


def pass_at(grid: PassGrid, draft_tokens: int) -> Pass:
    """Return one pass of the current batch.

    Args:
        grid: Passes of the scenario.
        draft_tokens: Draft length of the round that it verifies, 0..cap; 0 is plain decoding.
    """
    column = draft_tokens
    components = []
    for name, part in grid.time.components.items():
        seconds_of_memory, seconds_of_compute = _at(part.memory_seconds, column), _at(part.compute_seconds, column)
        components.append(
            Component(
                name=name,
                bytes=_at(part.bytes, column),
                flops=_at(part.flops, column),
                seconds=_at(part.seconds, column),
                bound=_bound(name, seconds_of_memory, seconds_of_compute),
                memory_seconds=seconds_of_memory,
                compute_seconds=seconds_of_compute,
            )
        )
    seconds = float(grid.seconds[0, column])
    return Pass(
        query_tokens=int(grid.query_tokens[column]),
        seconds=seconds,
        steps=seconds / float(grid.step_seconds[0, 0]),
        experts_touched=float(grid.touched[0, column]),
        experts_touched_independent=float(grid.touched_independent[0, column]),
        components=tuple(components),
    )


def _over_batches(values: Floats, grid: PassGrid, column: int) -> Floats:
    """Return one draft length over `BATCHES` from an array that broadcasts to the grid, shape (batches,)."""
    whole: Floats = np.broadcast_to(values, grid.seconds.shape)[1:, column]
    return whole


def verify_by_batch(grid: PassGrid, draft_tokens: int) -> VerifyByBatch:
    """Return the verify of one draft length, 1..cap, over `BATCHES`, beside plain steps of the same batches."""
    names = tuple(grid.time.components)
    parts = [grid.time.components[name] for name in names]
    grows = [_over_batches(part.seconds, grid, draft_tokens) - _over_batches(part.seconds, grid, 0) for part in parts]
    most = np.argmax(grows, axis=0).tolist()
    waits = [
        tuple(_over_batches(seconds, grid, draft_tokens) for seconds in (part.memory_seconds, part.compute_seconds))
        for part in parts
    ]
    return VerifyByBatch(
        draft_tokens=draft_tokens,
        steps=grid.seconds[1:, draft_tokens] / grid.step_seconds[1:, 0],
        experts_touched=_over_batches(grid.touched, grid, draft_tokens),
        experts_touched_step=_over_batches(grid.touched, grid, 0),
        component=tuple(names[part] for part in most),
        bound=tuple(
            _bound(names[part], float(waits[part][0][row]), float(waits[part][1][row])) for row, part in enumerate(most)
        ),
    )
