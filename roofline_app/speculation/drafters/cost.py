"""Drafting seconds of a line over a grid of batches and draft lengths: as a share of a step, or from its own work."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from roofline_app import registry
from roofline_app.model.to_terms import weight_bytes
from roofline_app.resolved import ResolvedScenario, sharded_terms
from roofline_app.scenario import Drafter, Scenario
from roofline_app.specs import Node
from roofline_app.speculation.drafters.choice import ChosenDrafter, drafter_memory
from roofline_app.speculation.drafting import Round, link_seconds, physical_drafting_seconds, relative_drafting_seconds
from roofline_app.timing.calibrated import calibrated_pass_time
from roofline_app.timing.roofline import Roof, node_roof
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
class _Physical:
    """What a line's own work is computed from."""

    line: Drafter
    drafter: ChosenDrafter
    shape: Round
    scenario: Scenario
    setting: ResolvedScenario

    def seconds(self, roof: Roof) -> Floats:
        """Return drafting seconds on a node, under the setting's profile and layout."""
        constants = self.setting.profile.constants
        layout = self.setting.layout

        def pass_seconds(parts: list[ComponentWork]) -> Floats:
            return calibrated_pass_time(parts, roof, constants, kv_read=self.scenario.kv_read).seconds

        terms = self.drafter.terms
        body, intake = (sharded_terms(part, layout, roof.gpus) for part in (terms.body, terms.intake))
        return physical_drafting_seconds(
            replace(terms, body=body, intake=intake),
            self.shape,
            pass_seconds,
            block=self.line.block,
            passes=self.line.passes,
        )


def drafting_cost(
    line: Drafter,
    drafter: ChosenDrafter | None,
    rounds: Rounds,
    committed_tokens: Floats,
    scenario: Scenario,
    setting: ResolvedScenario,
) -> DraftingCost:
    """Return the drafting seconds of a line.

    Args:
        line: The drafter line.
        drafter: The drafter behind it; None without weights.
        rounds: The grid.
        committed_tokens: Tokens per round at draft lengths 0..cap, which the next round takes in.
        scenario: The setting, with ids.
        setting: The same, resolved.
    """
    shape = (rounds.batch.shape[0], rounds.draft_tokens.size)
    if drafter is None:
        return DraftingCost(seconds=_relative(line, rounds, line.cost or 0.0), physical_seconds=None)
    routing = setting.routing
    everywhere = Round(
        batch=rounds.batch,
        draft_tokens=rounds.draft_tokens,
        committed_tokens=committed_tokens,
        context_tokens=scenario.context,
        routing=routing,
    )
    grid = everywhere if line.cost is None else replace(everywhere, batch=rounds.batch[:1])
    work = _Physical(line=line, drafter=drafter, shape=grid, scenario=scenario, setting=setting)
    same = work.seconds(setting.roof)
    used = np.broadcast_to(same, shape) if line.cost is None else _relative(line, rounds, line.cost)
    if line.placement == "same":
        return DraftingCost(seconds=used, physical_seconds=same[0])
    gpus = _own_gpus(drafter, rounds.batch[:, 0], scenario, setting)
    own = np.empty_like(same)
    counts = gpus[: own.shape[0]]
    for count in np.unique(counts):
        rows = np.flatnonzero(counts == count)
        there = replace(work, shape=replace(grid, batch=rounds.batch[rows]))
        own[rows] = there.seconds(node_roof(Node(gpu=setting.node.gpu, gpus=int(count)), registry.formats()))
    link = _link(line, drafter, everywhere)
    alone = np.broadcast_to(own, shape) if line.cost is None else used
    return DraftingCost(seconds=alone + link, physical_seconds=own[0], same_seconds=used, link_seconds=link, gpus=gpus)


def _relative(line: Drafter, rounds: Rounds, cost: float) -> Floats:
    return relative_drafting_seconds(
        rounds.draft_tokens, cost=cost, block=line.block, step_seconds=rounds.step_seconds, passes=line.passes
    )


def _own_gpus(
    drafter: ChosenDrafter, batch: Floats, scenario: Scenario, setting: ResolvedScenario
) -> NDArray[np.int64]:
    """Return how many of the target's kind of GPU hold a drafter and each batch, with a head of its own there."""
    taken = drafter_memory(drafter.terms, scenario.context)
    needed = taken.weight_bytes + weight_bytes(drafter.terms.head) + batch * taken.bytes_per_sequence
    each = setting.node.gpu.memory_bytes * (1.0 - scenario.reserve)
    return np.asarray(np.maximum(np.ceil(needed / each), 1.0), dtype=np.int64)


def _link(line: Drafter, drafter: ChosenDrafter, shape: Round) -> Floats:
    network = registry.networks()["network"]
    return link_seconds(
        drafter.terms,
        shape,
        latency_seconds=network.latency_seconds if line.link_latency is None else line.link_latency,
        bytes_per_second=network.bytes_per_second if line.link_bandwidth is None else line.link_bandwidth,
    )
