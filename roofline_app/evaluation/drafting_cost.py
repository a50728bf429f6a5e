"""Drafting seconds of a line over a grid of batches and draft lengths: as a share of a step, or from its own work."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from roofline_app.evaluation.memory import drafter_memory
from roofline_app.model.to_terms import weight_bytes
from roofline_app.resolved import ChosenDrafter, ResolvedDrafter, ResolvedScenario, sharded_terms
from roofline_app.scenario import Drafter
from roofline_app.speculation.drafting import Round, link_seconds, physical_drafting_seconds, relative_drafting_seconds
from roofline_app.timing.pass_time import pass_time
from roofline_app.timing.roofline import Roof
from roofline_app.timing.workload import ComponentWork

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rounds:
    """The grid that a line is evaluated on.

    Attributes:
        batch: Batches, the current one first; shape (batches, 1).
        draft_tokens: Draft lengths 0..cap, shape (cap + 1,).
        step_seconds: Seconds of plain decoding, shape (batches, 1).
    """

    batch: Floats
    draft_tokens: NDArray[np.int64]
    step_seconds: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftingCost:
    """Drafting seconds of a line.

    Attributes:
        seconds: As used, link included; shape (batches, cap + 1).
        physical_seconds: From the drafter's own work on the GPUs that draft, for the current batch; None without
            weights. Shape (cap + 1,).
        same_seconds: As `seconds`, on the target's GPUs; None where the drafter is there anyway.
        link_seconds: Of the link to GPUs of its own, shape (batches, cap + 1); None without one.
        gpus: GPUs of its own at each batch, shape (batches,); None on the target's.
    """

    seconds: Floats
    physical_seconds: Floats | None
    same_seconds: Floats | None = None
    link_seconds: Floats | None = None
    gpus: NDArray[np.int64] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _OwnWork:
    """A line's own work on a grid of rounds."""

    line: Drafter
    drafter: ChosenDrafter
    shape: Round
    resolved: ResolvedScenario

    def seconds(self, roof: Roof) -> Floats:
        """Return drafting seconds on a node, under the scenario's profile and layout."""
        constants, kv_read = self.resolved.profile.constants, self.resolved.scenario.kv_read

        def pass_seconds(parts: list[ComponentWork]) -> Floats:
            return pass_time(parts, roof, constants, kv_read=kv_read, drafting=True).seconds

        terms, layout = self.drafter.terms, self.resolved.layout
        body, intake = (sharded_terms(part, layout, roof.gpus) for part in (terms.body, terms.intake))
        return physical_drafting_seconds(
            replace(terms, body=body, intake=intake),
            self.shape,
            pass_seconds,
            block=self.line.block,
            passes=self.line.passes,
        )


def drafting_cost(
    drafter: ResolvedDrafter, rounds: Rounds, committed_tokens: Floats, resolved: ResolvedScenario
) -> DraftingCost:
    """Return the drafting seconds of a line.

    Args:
        drafter: The drafter line.
        rounds: The grid.
        committed_tokens: Tokens per round at draft lengths 0..cap, which the next round takes in; broadcastable to
            (batches, cap + 1).
        resolved: The scenario.
    """
    line, chosen = drafter.line, drafter.chosen
    shape = (rounds.batch.shape[0], rounds.draft_tokens.size)
    if chosen is None:
        return DraftingCost(seconds=_relative(line, rounds, line.cost or 0.0), physical_seconds=None)
    everywhere = Round(
        batch=rounds.batch,
        draft_tokens=rounds.draft_tokens,
        committed_tokens=committed_tokens,
        context_tokens=resolved.scenario.context,
        routing=resolved.routing,
        branches=line.topk,
    )
    committed = np.broadcast_to(committed_tokens, shape)
    rows = slice(None) if line.cost is None else slice(1)
    grid = replace(everywhere, batch=rounds.batch[rows], committed_tokens=committed[rows])
    work = _OwnWork(line=line, drafter=chosen, shape=grid, resolved=resolved)
    same = work.seconds(resolved.roof)
    used = np.broadcast_to(same, shape) if line.cost is None else _relative(line, rounds, line.cost)
    if line.placement == "same":
        return DraftingCost(seconds=used, physical_seconds=same[0])
    gpus = _own_gpus(chosen, rounds.batch[:, 0], resolved)
    own = np.empty_like(same)
    counts = gpus[: own.shape[0]]
    for count in np.unique(counts):
        at = np.flatnonzero(counts == count)
        there = replace(work, shape=replace(grid, batch=rounds.batch[at], committed_tokens=committed[at]))
        own[at] = there.seconds(resolved.roof_of(int(count)))
    link = _link(drafter, chosen, everywhere)
    alone = np.broadcast_to(own, shape) if line.cost is None else used
    return DraftingCost(seconds=alone + link, physical_seconds=own[0], same_seconds=used, link_seconds=link, gpus=gpus)


def _relative(line: Drafter, rounds: Rounds, cost: float) -> Floats:
    return relative_drafting_seconds(
        rounds.draft_tokens, cost=cost, block=line.block, step_seconds=rounds.step_seconds, passes=line.passes
    )


def _own_gpus(chosen: ChosenDrafter, batch: Floats, resolved: ResolvedScenario) -> NDArray[np.int64]:
    """Return the number of GPUs, of the target's kind, that hold a drafter with a head of its own, and each batch."""
    taken = drafter_memory(chosen.terms, resolved.scenario.context)
    needed = taken.weight_bytes + weight_bytes(chosen.terms.head) + batch * taken.bytes_per_sequence
    each = resolved.node.gpu.memory_bytes * (1.0 - resolved.scenario.reserve)
    return np.asarray(np.maximum(np.ceil(needed / each), 1.0), dtype=np.int64)


def _link(drafter: ResolvedDrafter, chosen: ChosenDrafter, shape: Round) -> Floats:
    line, network = drafter.line, drafter.network
    return link_seconds(
        chosen.terms,
        shape,
        latency_seconds=network.latency_seconds if line.link_latency is None else line.link_latency,
        bytes_per_second=network.bytes_per_second if line.link_bandwidth is None else line.link_bandwidth,
    )
