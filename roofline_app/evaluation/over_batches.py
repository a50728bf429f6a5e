"""One setting at many batches at once: the best of every line at each, without the breakdowns of `evaluate`."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from roofline_app.evaluation.drafting_cost import Rounds, drafting_cost
from roofline_app.evaluation.line_acceptance import line_acceptance
from roofline_app.evaluation.memory import memory
from roofline_app.evaluation.passes import PassGrid, pass_grid, verified_tokens
from roofline_app.resolved import ResolvedDrafter, ResolvedScenario, resolve
from roofline_app.results import Memory
from roofline_app.scenario import Scenario
from roofline_app.speculation.speedup import best_draft_tokens, speedup

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class LineOverBatches:
    """One drafter line at its best draft length; arrays of shape (batches,).

    Attributes:
        name: Name of the line.
        kind: Id of its kind.
        hypothetical: Whether it is a bound on what speculation can give, not a drafter that can be built.
        draft_tokens: The shortest draft length that reaches the largest speedup.
        speedup: Over plain decoding.
        tokens_per_round: Bonus token included.
        seconds_per_round: Drafting and verifying.
        gpus: GPUs in use, those that only draft included.
    """

    name: str
    kind: str
    hypothetical: bool
    draft_tokens: Integers
    speedup: Floats
    tokens_per_round: Floats
    seconds_per_round: Floats
    gpus: Integers


@dataclass(frozen=True, slots=True, kw_only=True)
class OverBatches:
    """One setting at many batches.

    Attributes:
        resolved: The setting; its own batch plays no part.
        step_seconds: Seconds of plain decoding, shape (batches,).
        memory: What fits, at each batch.
        lines: The drafter lines, in order.
    """

    resolved: ResolvedScenario
    step_seconds: Floats
    memory: tuple[Memory, ...]
    lines: tuple[LineOverBatches, ...]


def over_batches(scenario: Scenario, batches: Integers) -> OverBatches:
    """Return what `evaluate` says of a scenario at each of many batches.

    Args:
        scenario: The choices but for the batch.
        batches: Sequences decoded together, shape (batches,).

    Raises:
        SpecError: When an id is unknown or a custom config cannot be read.
    """
    resolved = resolve(scenario)
    grid = pass_grid(resolved, batches=batches)
    return OverBatches(
        resolved=resolved,
        step_seconds=grid.step_seconds[:, 0],
        memory=tuple(memory(replace(resolved, scenario=replace(scenario, batch=batch))) for batch in map(int, batches)),
        lines=tuple(_line(drafter, resolved, grid, batches) for drafter in resolved.drafters),
    )


def _line(drafter: ResolvedDrafter, resolved: ResolvedScenario, grid: PassGrid, batches: Integers) -> LineOverBatches:
    cap, line = resolved.scenario.cap, drafter.line
    rounds = Rounds(batch=grid.batch, draft_tokens=np.arange(cap + 1), step_seconds=grid.step_seconds)
    tokens = line_acceptance(drafter, cap, resolved.scenario.context).tokens_per_round
    drafts = drafting_cost(drafter, rounds, tokens, resolved)
    if line.topk > 1:
        grid = pass_grid(resolved, verified_tokens(line, cap), batches)
    speedups = speedup(
        tokens, step_seconds=grid.step_seconds, verifying_seconds=grid.seconds, drafting_seconds=drafts.seconds
    )
    best, rows = best_draft_tokens(speedups), np.arange(batches.size)
    own_gpus = 0 if drafts.gpus is None else np.where(best > 0, drafts.gpus, 0)
    return LineOverBatches(
        name=drafter.name,
        kind=drafter.kind.id,
        hypothetical=drafter.kind.hypothetical,
        draft_tokens=best,
        speedup=speedups[rows, best],
        tokens_per_round=tokens[best],
        seconds_per_round=(grid.seconds + drafts.seconds)[rows, best],
        gpus=np.asarray(resolved.node.gpus + np.broadcast_to(own_gpus, best.shape), dtype=np.int64),
    )
