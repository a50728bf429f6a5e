"""Draft lengths over batch and context: the best of each line, merged into ranges, and what coarser ones lose."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from roofline_app import registry
from roofline_app.evaluation.drafting_cost import Rounds, drafting_cost
from roofline_app.evaluation.line_acceptance import line_acceptance
from roofline_app.evaluation.memory import memory
from roofline_app.evaluation.passes import BATCHES, PassGrid, pass_grid, verified_tokens
from roofline_app.resolved import ResolvedDrafter, ResolvedScenario, drafter_names, resolve
from roofline_app.resolved.models import model_spec
from roofline_app.results.schedule import DrafterSchedule, Schedule, ScheduleLosses, ScheduleRow, ScheduleSpeedups
from roofline_app.scenario import Scenario
from roofline_app.speculation.schedule_ranges import merged_ranges
from roofline_app.speculation.speedup import speedup

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
TOLERANCE = 0.01
FIRST_CONTEXT, UNSTATED_LIMIT = 2**7, 2**20


def schedule(scenario: Scenario) -> Schedule:
    """Return the draft lengths of every line over batch and context, and what coarser schedules lose.

    Batch and context of the scenario count for nothing. The loss at a point is the share of the speed at its best draft
    length that another length leaves out; means are over the time that the load states.

    Args:
        scenario: The choices.

    Raises:
        SpecError: When an id is unknown or a custom config cannot be read.

    Examples:
        A dense model drafts less the more sequences there are:

        >>> found = schedule(Scenario(model="qwen3-8b", gpu="h100-sxm", gpus=1))
        >>> mtp = found.drafters[1]
        >>> int(mtp.draft_tokens[0, 0]), int(mtp.draft_tokens[0, -1])
        (5, 0)
    """
    batches = schedule_batches(scenario)
    rows = [schedule_row(replace(scenario, context=context), batches) for context in schedule_contexts(scenario)]
    return schedule_of(scenario, rows)


def schedule_batches(scenario: Scenario) -> Integers:
    """Return powers of two, and the batches of the load; shape (batches,), rising."""
    return np.unique([*BATCHES.tolist(), *(part.batch for part in scenario.load)]).astype(np.int64)


def schedule_contexts(scenario: Scenario) -> tuple[int, ...]:
    """Return powers of two below the model's limit, the limit, and the contexts of the load, rising."""
    limit = model_spec(scenario.model, scenario.config).max_context_tokens or UNSTATED_LIMIT
    powers = (FIRST_CONTEXT * 2**power for power in range(math.ceil(math.log2(max(limit / FIRST_CONTEXT, 1.0)))))
    return tuple(sorted({*powers, limit, *(part.context for part in scenario.load if part.context)}))


def schedule_row(scenario: Scenario, batches: Integers) -> ScheduleRow:
    """Return the speedups of a scenario's lines at its context and some batches, shape (batches,)."""
    resolved = resolve(scenario)
    grid = pass_grid(resolved, batches=batches)
    limit = resolved.model.max_context_tokens
    fits = not limit or scenario.context <= limit
    return ScheduleRow(
        context=scenario.context,
        speedups=np.stack([_speedups(line, resolved, grid, batches) for line in resolved.drafters]),
        largest_batch=memory(resolved).largest_batch if fits else 0,
    )


def _speedups(drafter: ResolvedDrafter, resolved: ResolvedScenario, grid: PassGrid, batches: Integers) -> Floats:
    """Return a line's speedups, shape (batches, cap + 1)."""
    cap = resolved.scenario.cap
    tokens = line_acceptance(drafter, cap, resolved.scenario.context).tokens_per_round
    rounds = Rounds(batch=grid.batch, draft_tokens=np.arange(cap + 1), step_seconds=grid.step_seconds)
    drafting = drafting_cost(drafter, rounds, tokens, resolved).seconds
    if drafter.line.topk > 1:
        grid = pass_grid(resolved, verified_tokens(drafter.line, cap), batches=batches)
    return speedup(tokens, step_seconds=grid.step_seconds, verifying_seconds=grid.seconds, drafting_seconds=drafting)


def schedule_of(scenario: Scenario, rows: Sequence[ScheduleRow]) -> Schedule:
    """Return the schedule of a scenario from its rows.

    Args:
        scenario: The choices.
        rows: One per context, rising, of all its lines and at `schedule_batches`.
    """
    batch, context = schedule_batches(scenario), np.array([row.context for row in rows], dtype=np.int64)
    speedups = np.stack([row.speedups for row in rows], axis=1)
    fits = batch <= np.array([[row.largest_batch] for row in rows])
    weight, load_that_fits = _weights(scenario, batch, context, fits)
    best = speedups.max(axis=-1)
    winner = _winner(scenario, best)
    most = np.where(winner < 0, 1.0, np.take_along_axis(best, np.maximum(winner, 0)[np.newaxis], axis=0)[0])
    kept = fits if fits.any() else np.ones_like(fits)
    drafters = (
        _drafter(name, line, weight, kept, (context, batch, most))
        for name, line in zip(drafter_names(scenario.drafters), speedups, strict=True)
    )
    return Schedule(
        context=context,
        batch=batch,
        fits=fits,
        weight=weight,
        even=not scenario.load,
        load_that_fits=load_that_fits,
        winner=winner,
        drafters=tuple(drafters),
    )


def _winner(scenario: Scenario, best: Floats) -> Integers:
    """Return the position of the best line at each point from best speedups, shape (lines, contexts, batches)."""
    bounds = np.array([registry.drafter_kind(line.kind).hypothetical for line in scenario.drafters])
    real = np.where((bounds & ~bounds.all())[:, np.newaxis, np.newaxis], -np.inf, best)
    return np.where(real.max(axis=0) > 1.0, real.argmax(axis=0), -1)


def _weights(scenario: Scenario, batch: Integers, context: Integers, fits: NDArray[np.bool_]) -> tuple[Floats, float]:
    """Return the share of the load at each point, and how much of it fits."""
    if not scenario.load:
        alike = fits if fits.any() else np.ones_like(fits)
        return alike / alike.sum(), 1.0
    stated = np.zeros(fits.shape)
    for part in scenario.load:
        column = int(np.searchsorted(batch, part.batch))
        if part.context is None:
            anywhere = fits[:, column] if fits[:, column].any() else np.ones_like(fits[:, column])
            rows = anywhere.astype(np.float64)
        else:
            rows = np.equal(context, part.context).astype(np.float64)
        stated[:, column] += part.share * rows / rows.sum()
    kept = np.where(fits, stated, 0.0)
    share = float(kept.sum() / stated.sum())
    counted = kept if share else stated
    return counted / counted.sum(), share


def _drafter(
    name: str, speedups: Floats, weight: Floats, fits: NDArray[np.bool_], grid: tuple[Integers, Integers, Floats]
) -> DrafterSchedule:
    """Return one line's schedule from its speedups, shape (contexts, batches, cap + 1)."""
    context, batch, most = grid
    best = speedups.max(axis=-1)
    losses = 1.0 - speedups / best[..., np.newaxis]
    ranges = merged_ranges(losses, ~fits, context=context, batch=batch, tolerance=TOLERANCE)
    one = int(np.argmin((weight[..., np.newaxis] * losses).sum(axis=(0, 1))))
    # A batch without any load is judged on all contexts that fit.
    heights = np.where(weight.sum(axis=0) > 0, weight, np.where(fits.any(axis=0), fits, 1.0))
    by_batch = np.argmin((heights[..., np.newaxis] * losses).sum(axis=0), axis=-1)
    chosen = np.zeros_like(weight, dtype=np.int64)
    for part in ranges:
        rows = (context >= part.first_context) & (context <= part.last_context)
        columns = (batch >= part.first_batch) & (batch <= part.last_batch)
        chosen[np.ix_(rows, columns)] = part.draft_tokens
    lengths = {"one_length": np.full_like(chosen, one), "by_batch": np.broadcast_to(by_batch, chosen.shape)}
    lengths |= {"ranges": chosen}
    taken = {key: np.take_along_axis(speedups, at[..., np.newaxis], axis=-1)[..., 0] for key, at in lengths.items()}
    return DrafterSchedule(
        name=name,
        draft_tokens=speedups.argmax(axis=-1),
        speedup=best,
        ranges=ranges,
        one_length=one,
        by_batch=by_batch,
        losses=ScheduleLosses(**{key: _mean(1.0 - speed / best, weight) for key, speed in taken.items()}),
        speedups=ScheduleSpeedups(
            **{key: _mean(speed, weight) for key, speed in taken.items()}, table=_mean(best, weight)
        ),
        behind_winner=_mean(1.0 - best / np.maximum(most, best), weight),
    )


def _mean(values: Floats, weight: Floats) -> float:
    return float((values * weight).sum())
