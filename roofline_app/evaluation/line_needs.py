"""Needed acceptance of each drafter line: against plain decoding and against every other line, over batches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from roofline_app.evaluation.drafting_cost import Rounds, drafting_cost
from roofline_app.evaluation.line_acceptance import line_acceptance, longest_draft, raised_share
from roofline_app.evaluation.passes import PassGrid, pass_grid, verified_tokens
from roofline_app.resolved import ResolvedDrafter, ResolvedScenario, resolve
from roofline_app.results.need import DrafterNeed, Need, NeededAcceptance
from roofline_app.scenario import ConstantAcceptance, Scenario
from roofline_app.speculation.constant_trees import constant_tree_tokens
from roofline_app.speculation.needed_acceptance import needed_acceptance, needed_tokens
from roofline_app.speculation.speedup import speedup

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def need(scenario: Scenario, *, against: bool = True, everywhere: bool = True) -> Need:
    """Return the least acceptance with which each line of a scenario pays, whatever its own acceptance is.

    A line's costs are its own at every draft length up to the cap, its acceptance is taken to be constant. As
    everywhere, the best draft length counts: one length that pays is enough.

    Args:
        scenario: The choices.
        against: Whether each line is held against every other one too.
        everywhere: Whether at every batch, or at the current one alone.

    Raises:
        SpecError: When an id is unknown or a custom config cannot be read.

    Examples:
        At batch 1 a next-token layer of a tenth of a step pays from 0.43 on, and 0.75 are accepted:

        >>> drafter = need(Scenario()).drafters[1]
        >>> round(float(drafter.without.acceptance[0]), 2), float(drafter.own_acceptance[0]), bool(drafter.pays[0])
        (0.43, 0.75, True)
    """
    resolved = resolve(scenario)
    grid, batches = pass_grid(resolved), slice(None if everywhere else 1)
    lines = [_Line.of(drafter, resolved, grid, batches) for drafter in resolved.drafters]
    # The current batch stands first in a grid, and once more where it is among the others.
    batch, rows = np.unique(grid.batch[batches, 0].astype(np.int64), return_index=True)
    return Need(batch=batch, drafters=tuple(_needed(line, lines if against else [], rows) for line in lines))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """A line over the batches of a grid.

    Attributes:
        drafter: The line.
        resolved: The scenario.
        rounds: The batches and draft lengths.
        verifying: Seconds of the target's passes over its drafts, shape (batches, cap + 1).
        tokens: Its own tokens per round at draft lengths 0..cap, shape (cap + 1,).
        speedups: With them, shape (batches, cap + 1).
    """

    drafter: ResolvedDrafter
    resolved: ResolvedScenario
    rounds: Rounds
    verifying: Floats
    tokens: Floats
    speedups: Floats

    @classmethod
    def of(cls, drafter: ResolvedDrafter, resolved: ResolvedScenario, grid: PassGrid, batches: slice) -> _Line:
        """Return a line with what its own acceptance leads to, at some of a grid's batches."""
        tokens = line_acceptance(drafter, resolved.scenario.cap, resolved.scenario.context).tokens_per_round
        if drafter.line.topk > 1:
            grid = pass_grid(resolved, verified_tokens(drafter.line, resolved.scenario.cap))
        batch, step, verifying = grid.batch[batches], grid.step_seconds[batches], grid.seconds[batches]
        rounds = Rounds(batch=batch, draft_tokens=np.arange(tokens.size), step_seconds=step)
        drafting = drafting_cost(drafter, rounds, tokens, resolved).seconds
        return cls(
            drafter=drafter,
            resolved=resolved,
            rounds=rounds,
            verifying=verifying,
            tokens=tokens,
            speedups=speedup(tokens, step_seconds=step, verifying_seconds=verifying, drafting_seconds=drafting),
        )

    @property
    def best(self) -> Floats:
        """Best speedups, shape (batches,); 1 where it does not pay."""
        return np.asarray(self.speedups.max(axis=-1))

    @property
    def draft_tokens(self) -> Integers:
        """Draft lengths 1..cap."""
        return np.arange(1, self.tokens.size)

    def needed_tokens(self, goals: Floats) -> Floats:
        """Return the tokens per round that reach speedups.

        Args:
            goals: Speedups, shape (goals, batches).

        Returns:
            Shape (goals * batches, cap): all batches of the first goal, then of the next.
        """
        count = goals.shape[0]
        batch, step, verifying = (
            np.tile(value, (count, 1)) for value in (self.rounds.batch, self.rounds.step_seconds, self.verifying)
        )
        rounds = Rounds(batch=batch, draft_tokens=np.arange(self.tokens.size), step_seconds=step)

        def seconds(committed: Floats) -> Floats:
            whole = np.concatenate((np.ones_like(step), committed), axis=-1)
            return (verifying + drafting_cost(self.drafter, rounds, whole, self.resolved).seconds)[:, 1:]

        return needed_tokens(seconds, step / goals.reshape(-1, 1), self.draft_tokens)

    def committed(self) -> Callable[[Floats], Floats]:
        """Return what makes tokens per round at draft lengths 1..cap of stated acceptances, (n, 1) to (n, cap)."""
        line, kind, lengths = self.drafter.line, self.drafter.kind, self.draft_tokens
        share, ranks = raised_share(line), line.ranks or kind.ranks
        longest = longest_draft(self.drafter) or lengths.size

        def tokens(acceptance: Floats) -> Floats:
            chance = acceptance + share * (1.0 - acceptance)
            if line.topk > 1:
                return constant_tree_tokens(chance, ranks, topk=line.topk, verified=line.verified, depth=lengths.size)
            committed = 1.0 + np.cumsum(np.power(chance, lengths), axis=-1)
            # Beyond the last layer of a chain nothing is drafted.
            return committed[:, np.minimum(lengths, longest) - 1]

        return tokens


def _needed(line: _Line, lines: list[_Line], rows: Integers) -> DrafterNeed:
    others = [other for other in lines if other is not line]
    goals = np.stack([np.ones_like(line.best), *(other.best for other in others)])
    tokens = line.needed_tokens(goals)
    found, places = needed_acceptance(tokens, line.committed())
    possible = ~np.isnan(found)
    at = np.where(possible, tokens[np.arange(found.size), places], np.nan)
    shape, names = goals.shape, ("", *(other.drafter.name for other in others))
    acceptances, lengths, committed = (
        values.reshape(shape)[:, rows] for values in (found, np.where(possible, places + 1, 0), at)
    )
    without, *against = (
        NeededAcceptance(name=name, acceptance=acceptance, draft_tokens=draft_tokens, tokens_per_round=round_tokens)
        for name, acceptance, draft_tokens, round_tokens in zip(names, acceptances, lengths, committed, strict=True)
    )
    pays = line.best[rows] > 1.0
    return DrafterNeed(
        name=line.drafter.name,
        own_acceptance=_own(line, np.where(pays, line.speedups[rows].argmax(axis=-1), without.draft_tokens)),
        pays=pays,
        without=without,
        against=tuple(against),
    )


def _own(line: _Line, draft_tokens: Integers) -> Floats:
    """Return a line's own acceptance on the scale of stated ones, at a draft length for each batch."""
    stated = line.drafter.line.acceptance
    if isinstance(stated, ConstantAcceptance):
        return np.full(draft_tokens.size, stated.acceptance)
    lengths = np.maximum(draft_tokens, 1)
    wanted = np.where(line.draft_tokens == lengths[:, np.newaxis], line.tokens[1:], np.inf)
    found, _ = needed_acceptance(wanted, line.committed())
    return found
