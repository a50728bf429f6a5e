"""Needed acceptance of each drafter line: against plain decoding and against every other line, over batches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from roofline_app.evaluation.drafting_cost import Rounds, drafting_cost
from roofline_app.evaluation.line_acceptance import line_acceptance, longest_draft, raised_share, states_trees
from roofline_app.evaluation.passes import PassGrid, pass_grid, verified_tokens
from roofline_app.resolved import ResolvedDrafter, ResolvedScenario, resolve
from roofline_app.results.need import DrafterNeed, Need, NeededAcceptance
from roofline_app.scenario import ConstantAcceptance, Scenario
from roofline_app.speculation.acceptance import acceptance_of_length, constant_survival
from roofline_app.speculation.needed_acceptance import needed_acceptance, needed_tokens
from roofline_app.speculation.speedup import speedup
from roofline_app.speculation.trees import tree_survival

Floats = NDArray[np.float64]
# Acceptances at which a tree's tokens per round are computed; straight between them.
_TREE_POINTS, _KEPT = 33, 16
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
    grid = pass_grid(resolved)
    if not everywhere:
        now = (grid.seconds[:1], grid.step_seconds[:1], grid.batch[:1])
        grid = replace(grid, seconds=now[0], step_seconds=now[1], batch=now[2])
    lines = [_Line.of(drafter, resolved, grid) for drafter in resolved.drafters]
    # The current batch stands first in a grid, and once more where it is among the others.
    batch, rows = np.unique(grid.batch[:, 0].astype(np.int64), return_index=True)
    return Need(batch=batch, drafters=tuple(_needed(line, lines if against else [], rows) for line in lines))


def _of_tree(drafter: ResolvedDrafter, resolved: ResolvedScenario, grid: PassGrid) -> PassGrid:
    """Return a grid with the passes that verify a line's tree, at the batches of another one."""
    nodes = verified_tokens(drafter.line, resolved.scenario.cap)
    return replace(grid, seconds=pass_grid(resolved, nodes).seconds[: grid.batch.shape[0]])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """A line over the batches of a grid.

    Attributes:
        drafter: The line.
        resolved: The scenario.
        grid: The target's passes.
        tokens: Its own tokens per round at draft lengths 0..cap, shape (cap + 1,).
        speedups: With them, shape (batches, cap + 1).
    """

    drafter: ResolvedDrafter
    resolved: ResolvedScenario
    grid: PassGrid
    tokens: Floats
    speedups: Floats

    @classmethod
    def of(cls, drafter: ResolvedDrafter, resolved: ResolvedScenario, grid: PassGrid) -> _Line:
        """Return a line with what its own acceptance leads to."""
        tokens = line_acceptance(drafter, resolved.scenario.cap, resolved.scenario.context).tokens_per_round
        if drafter.line.topk > 1:
            grid = _of_tree(drafter, resolved, grid)
        rounds = Rounds(batch=grid.batch, draft_tokens=np.arange(tokens.size), step_seconds=grid.step_seconds)
        drafting = drafting_cost(drafter, rounds, tokens, resolved).seconds
        speedups = speedup(
            tokens, step_seconds=grid.step_seconds, verifying_seconds=grid.seconds, drafting_seconds=drafting
        )
        return cls(drafter=drafter, resolved=resolved, grid=grid, tokens=tokens, speedups=speedups)

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
            np.tile(value, (count, 1)) for value in (self.grid.batch, self.grid.step_seconds, self.grid.seconds)
        )
        rounds = Rounds(batch=batch, draft_tokens=np.arange(self.tokens.size), step_seconds=step)

        def seconds(committed: Floats) -> Floats:
            whole = np.concatenate((np.ones_like(step), committed), axis=-1)
            return (verifying + drafting_cost(self.drafter, rounds, whole, self.resolved).seconds)[:, 1:]

        return needed_tokens(seconds, step / goals.reshape(-1, 1), self.draft_tokens)

    def committed(self) -> Callable[[Floats], Floats]:
        """Return what makes tokens per round at draft lengths 1..cap of stated acceptances, (n, 1) to (n, cap).

        Of a tree the acceptance is that of each position's likeliest token, unless the line states the tree's own.
        """
        line, lengths = self.drafter.line, self.draft_tokens
        share, longest = raised_share(line), longest_draft(self.drafter)
        branches = line.topk > 1 and not states_trees(line.acceptance, self.drafter.measured)
        ranks = line.ranks or self.drafter.kind.ranks
        chances, table = _tree_table(ranks, line.topk, line.verified, lengths.size if branches else 0)

        def tokens(acceptance: Floats) -> Floats:
            chance = np.where(acceptance > 0.0, acceptance + share * (1.0 - acceptance), 0.0)
            if branches:
                columns = [np.interp(chance[:, 0], chances, column) for column in table.T]
                return np.stack(columns, axis=-1)
            survival = np.power(chance, lengths)
            return 1.0 + np.cumsum(survival if longest is None else np.where(lengths > longest, 0.0, survival), axis=-1)

        return tokens


@lru_cache(maxsize=_KEPT)
def _tree_table(ranks: tuple[float, ...], topk: int, verified: int, cap: int) -> tuple[Floats, Floats]:
    """Return acceptances, and the tokens per round of a tree with each at draft lengths 1..cap."""
    chances = np.linspace(0.0, 1.0, _TREE_POINTS, dtype=np.float64)
    chains = [constant_survival(float(chance), cap) for chance in chances]
    rows = [tree_survival(chain, ranks, topk=topk, verified=verified).sum(axis=-1) for chain in chains]
    return chances, 1.0 + np.stack(rows)


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
    share = raised_share(line.drafter.line)
    known = dict[int, float]()
    for length in {max(int(one), 1) for one in draft_tokens}:
        tokens = min(max(float(line.tokens[length]), 1.0), length + 1.0)
        accepted = acceptance_of_length(tokens, length)
        known[length] = 1.0 if share >= 1.0 else max((accepted - share) / (1.0 - share), 0.0)
    return np.array([known[max(int(one), 1)] for one in draft_tokens])
