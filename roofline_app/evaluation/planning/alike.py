"""Nodes that differ in what they can move and compute per second alone, evaluated together: their rows are one grid."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from roofline_app.evaluation.drafting_cost import DraftingCost, Rounds, drafting_cost
from roofline_app.evaluation.line_acceptance import line_acceptance
from roofline_app.evaluation.passes import pass_grid, verified_tokens
from roofline_app.resolved import ResolvedScenario
from roofline_app.speculation.speedup import best_draft_tokens, speedup
from roofline_app.timing.roofline import Roof

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
PLAIN = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Speeds:
    """What nodes reach at batches, each line at its best draft length; arrays of shape (nodes, batches).

    Attributes:
        tokens_per_second_per_user: Of one sequence.
        draft_tokens: The draft length; 0 without speculation.
        round_seconds: Of a round, or of a step.
        gpus: All GPUs in use, a drafter's own among them.
    """

    tokens_per_second_per_user: Floats
    draft_tokens: Integers
    round_seconds: Floats
    gpus: Integers


def likeness(resolved: ResolvedScenario) -> Hashable:
    """Return what nodes have in common that can be evaluated together.

    A drafter on GPUs of its own takes as many as its memory needs, so that such nodes are evaluated one by one.
    """
    roof, scenario = resolved.roof, resolved.scenario
    separate = any(drafter.line.placement == "separate" for drafter in resolved.drafters)
    return (
        scenario.gpus,
        scenario.weights,
        resolved.layout,
        resolved.profile.id,
        np.greater(roof.interconnect_bytes_per_second, 0.0).item(),
        roof.emulated,
        roof.quantising,
        roof.fused,
        scenario.gpu if separate else "",
    )


def speeds(nodes: Sequence[ResolvedScenario], batch: Integers, line: int) -> Speeds:
    """Return what nodes alike reach at batches.

    Args:
        nodes: Scenarios with one `likeness`.
        batch: Batches of each node, shape (nodes, batches).
        line: `PLAIN`, or the position of a drafter line from 1 on.
    """
    first = nodes[0]
    shape, rows = batch.shape, batch.reshape(-1)
    cap = 0 if line == PLAIN else first.scenario.cap
    stacked = replace(
        first,
        scenario=replace(first.scenario, batch=int(rows[0]), cap=cap),
        roof=_stacked([node.roof for node in nodes], shape[1]),
    )
    grid = pass_grid(stacked, batches=rows)
    if line == PLAIN:
        step = grid.step_seconds.reshape(shape)
        return Speeds(
            tokens_per_second_per_user=1.0 / step,
            draft_tokens=np.zeros(shape, dtype=np.int64),
            round_seconds=step,
            gpus=np.full(shape, first.scenario.gpus),
        )
    drafter = stacked.drafters[line - 1]
    tokens = line_acceptance(drafter, cap, first.scenario.context).tokens_per_round
    rounds = Rounds(batch=grid.batch, draft_tokens=np.arange(cap + 1), step_seconds=grid.step_seconds)
    drafts = drafting_cost(drafter, rounds, tokens, stacked)
    verifying = grid.seconds
    if drafter.line.topk > 1:
        verifying = pass_grid(stacked, verified_tokens(drafter.line, cap), batches=rows).seconds
    best = _best(tokens, grid.step_seconds, verifying, drafts)
    return replace(
        best,
        **{
            name: getattr(best, name).reshape(shape)
            for name in ("tokens_per_second_per_user", "draft_tokens", "round_seconds")
        },
        gpus=(first.scenario.gpus + best.gpus).reshape(shape),
    )


def _best(tokens: Floats, step: Floats, verifying: Floats, drafts: DraftingCost) -> Speeds:
    """Return rows at their best draft lengths, shape (rows,), with the GPUs that only draft."""
    gains = speedup(tokens, step_seconds=step, verifying_seconds=verifying, drafting_seconds=drafts.seconds)
    lengths = best_draft_tokens(gains)
    at = (np.arange(lengths.size), lengths)
    own = np.zeros_like(lengths) if drafts.gpus is None else drafts.gpus
    return Speeds(
        tokens_per_second_per_user=gains[at] / step[:, 0],
        draft_tokens=lengths,
        round_seconds=np.where(lengths > 0, (verifying + drafts.seconds)[at], step[:, 0]),
        gpus=np.where(lengths > 0, own, 0),
    )


def _stacked(roofs: Sequence[Roof], times: int) -> Roof:
    """Return one roof whose figures have a row for each node and batch."""
    first = roofs[0]
    if len(roofs) == 1:
        return first

    def rows(values: Sequence[float | Floats]) -> Floats:
        return np.repeat(np.asarray(values, dtype=np.float64), times)[:, np.newaxis]

    return replace(
        first,
        memory_bytes_per_second=rows([roof.memory_bytes_per_second for roof in roofs]),
        flops_per_second={key: rows([roof.flops_per_second[key] for roof in roofs]) for key in first.flops_per_second},
        interconnect_bytes_per_second=rows([roof.interconnect_bytes_per_second for roof in roofs]),
        network_latency_seconds=rows([roof.network_latency_seconds for roof in roofs]),
    )
