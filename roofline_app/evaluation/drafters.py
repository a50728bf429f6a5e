"""One drafter line evaluated: its curves over draft lengths and batches, and its best point."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from roofline_app import economics
from roofline_app.evaluation import drafter_facts
from roofline_app.evaluation.drafting_cost import DraftingCost, Rounds, drafting_cost
from roofline_app.evaluation.line_acceptance import LineAcceptance, line_acceptance, rejected_share
from roofline_app.evaluation.passes import BATCHES, PassGrid, pass_at, pass_grid, verify_by_batch
from roofline_app.resolved import ResolvedDrafter, ResolvedScenario
from roofline_app.results import Best, DrafterByBatch, DrafterResult, RatesByBatch, RelaxedAcceptance
from roofline_app.speculation.speedup import best_draft_tokens, speedup

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
AS_GOOD = 0.98


def rates_by_batch(
    speedups: Floats, grid: PassGrid, resolved: ResolvedScenario, *, own_gpus: Integers | int = 0
) -> RatesByBatch:
    """Return rates at each of `BATCHES`.

    Args:
        speedups: Over plain decoding, shape (batches,).
        grid: The target's passes.
        resolved: The scenario.
        own_gpus: GPUs that only draft at each batch.
    """
    return economics.rates_by_batch(
        speedups / grid.step_seconds[1:, 0],
        batch=BATCHES,
        gpus=resolved.node.gpus + own_gpus,
        usd_per_gpu_hour=resolved.usd_per_gpu_hour,
    )


def _best(speedups: Floats, commits: LineAcceptance, drafts: DraftingCost, grid: PassGrid) -> Best:
    """Return the best point of the current batch from speedups at draft lengths 0..cap."""
    chosen = int(best_draft_tokens(speedups))
    drafting = float(drafts.seconds[0, chosen])
    return Best(
        draft_tokens=chosen,
        speedup=float(speedups[chosen]),
        at_cap=chosen == speedups.size - 1,
        seconds_per_round=float(grid.seconds[0, chosen] + drafts.seconds[0, chosen]),
        tokens_per_round=float(commits.tokens_per_round[chosen]),
        drafting_steps=drafting / float(grid.step_seconds[0, 0]),
        as_good=tuple(np.flatnonzero(speedups >= AS_GOOD * speedups[chosen]).tolist()),
    )


def _by_batch(
    drafter: ResolvedDrafter, speedups: Floats, drafts: DraftingCost, grid: PassGrid, resolved: ResolvedScenario
) -> DrafterByBatch:
    """Return a line over `BATCHES` from its speedups, shape (batches, cap + 1), the current batch first."""
    best = best_draft_tokens(speedups)
    largest = speedups[np.arange(1, BATCHES.size + 1), best[1:]]
    own_gpus = 0 if drafts.gpus is None else np.where(best > 0, drafts.gpus, 0)[1:]
    return DrafterByBatch(
        name=drafter.name,
        draft_tokens=best[1:],
        speedup=largest,
        speedup_at_this_draft_length=speedups[1:, int(best[0])],
        rates=rates_by_batch(largest, grid, resolved, own_gpus=own_gpus),
        verify=verify_by_batch(grid, max(int(best[0]), 1)),
    )


def drafter_results(
    drafter: ResolvedDrafter, resolved: ResolvedScenario, grid: PassGrid
) -> tuple[DrafterResult, DrafterByBatch]:
    """Return the results of a drafter line at the current batch, and over `BATCHES`.

    Args:
        drafter: The line.
        resolved: The scenario that it belongs to.
        grid: The target's passes, over chains.
    """
    cap, context = resolved.scenario.cap, resolved.scenario.context
    rounds = Rounds(batch=grid.batch, draft_tokens=np.arange(cap + 1), step_seconds=grid.step_seconds)
    commits = line_acceptance(drafter, cap, context)
    tokens = commits.tokens_per_round
    drafts = drafting_cost(drafter, rounds, tokens, resolved)
    tree = drafter_facts.tree(drafter, cap)
    plain = grid
    if tree:
        grid = pass_grid(resolved, tree.verified_tokens)
    speedups = speedup(
        tokens, step_seconds=grid.step_seconds, verifying_seconds=grid.seconds, drafting_seconds=drafts.seconds
    )
    best, step = _best(speedups[0], commits, drafts, grid), float(grid.step_seconds[0, 0])
    result = DrafterResult(
        name=drafter.name,
        kind=drafter.kind.id,
        hypothetical=drafter.kind.hypothetical,
        colour=drafter.line.colour,
        measured_draft_tokens=commits.measured,
        draft_tokens=rounds.draft_tokens,
        tokens_per_round=tokens,
        verifying_seconds=grid.seconds[0],
        drafting_seconds=drafts.seconds[0],
        speedup=speedups[0],
        tokens_per_second_per_user=speedups[0] / step,
        best=best,
        verify=pass_at(grid, best.draft_tokens),
        survival=commits.survival,
        measured=drafter_facts.measured_from(drafter),
        lossy=drafter.line.relax > 0.0,
        cost=drafter.line.cost,
        block=drafter.line.block,
        tree=tree,
        physical=drafter_facts.physical(drafter, drafts, step, best.draft_tokens),
        separate=drafter_facts.separate(drafts, speedups, tokens, rounds=rounds, verifying_seconds=grid.seconds),
        mix=drafter_facts.mix(drafter, commits, speedups[0], best.draft_tokens),
        relaxed=_relaxed(drafter, resolved, plain),
    )
    return result, _by_batch(drafter, speedups, drafts, grid, resolved)


def _relaxed(drafter: ResolvedDrafter, resolved: ResolvedScenario, grid: PassGrid) -> RelaxedAcceptance | None:
    """Return what a relaxed acceptance buys against the same line with a strict one; None where it is strict."""
    if not drafter.line.relax:
        return None
    strict, _ = drafter_results(replace(drafter, line=replace(drafter.line, relax=0.0)), resolved, grid)
    share = rejected_share(drafter, resolved.scenario.cap, resolved.scenario.context)
    return RelaxedAcceptance(rejected_share=share, strict_speedup=strict.best.speedup)
