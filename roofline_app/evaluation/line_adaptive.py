"""Adaptive verification of each drafter line over batches: fixed, by batch, as well as the drafter knows, and at best.

Drafts are as long for every request of a round: a block comes from one pass whatever is verified of it, and further
passes of a drafter run over the whole batch as long as one request goes on. So a round pays for the deepest token that
is drafted anywhere, and a shorter draft for all is one of the choices. Drafting takes in at most the tokens that the
whole draft would commit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from roofline_app.evaluation.drafting_cost import Rounds, drafting_cost
from roofline_app.evaluation.line_acceptance import LineAcceptance, line_acceptance, line_requests
from roofline_app.evaluation.memory import memory
from roofline_app.evaluation.passes import PassGrid, pass_grid, verified_tokens, verifying_seconds
from roofline_app.resolved import ResolvedDrafter, ResolvedScenario, resolve
from roofline_app.results.adaptive import Adaptive, DrafterAdaptive, VerifiedRounds
from roofline_app.scenario import Scenario
from roofline_app.speculation.adaptive_verification import Plans, adaptive_plans, best_plan, fixed_plans

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
# Passes whose seconds are worked out between two whole numbers of query tokens; straight lines join them.
STEPS = 16
_ABOVE_ONE = 1.0 + 1e-9
_ROUNDING = 1e-12


def adaptive(scenario: Scenario) -> Adaptive:
    """Return what each line of a scenario gains if the batch shares the draft tokens of a verifying pass.

    Four ways to verify: the same number of draft tokens at every batch, the best number at each batch, the tokens with
    the greatest estimated survival whosever they are, and those alone that will be accepted. None is slower than the
    one before it.

    Args:
        scenario: The choices; lines state how their requests differ (`spread`) and what they know of it (`confidence`).

    Raises:
        SpecError: When an id is unknown or a custom config cannot be read.

    Examples:
        Requests that are all alike leave nothing to choose between them, an oracle gains all the same:

        >>> drafter = adaptive(Scenario()).drafters[2]
        >>> bool(np.allclose(drafter.adaptive.speedup, drafter.by_batch.speedup, rtol=1e-12))
        True
        >>> bool(np.all(drafter.oracle.speedup >= drafter.adaptive.speedup))
        True
    """
    resolved = resolve(scenario)
    grid = pass_grid(resolved)
    # The current batch stands first in a grid, and once more where it is among the others.
    batch, rows = np.unique(grid.batch[:, 0].astype(np.int64), return_index=True)
    fits = np.append(np.flatnonzero(batch <= memory(resolved).largest_batch), np.searchsorted(batch, scenario.batch))
    lines = (_Line.of(drafter, resolved, grid, rows) for drafter in resolved.drafters)
    return Adaptive(batch=batch, budget=scenario.budget, drafters=tuple(line.result(np.unique(fits)) for line in lines))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """A line over batches.

    Attributes:
        drafter: The line.
        resolved: The scenario.
        acceptance: Its acceptance over all requests.
        batch: Batches, shape (batches, 1).
        step: Seconds of plain decoding, shape (batches, 1).
        drafting: Seconds of drafting at draft lengths 0..cap, shape (batches, cap + 1).
        whole: Seconds of verifying whole drafts, shape (batches, cap + 1).
        whole_tokens: Query tokens of those passes, shape (cap + 1,).
    """

    drafter: ResolvedDrafter
    resolved: ResolvedScenario
    acceptance: LineAcceptance
    batch: Floats
    step: Floats
    drafting: Floats
    whole: Floats
    whole_tokens: Integers

    @classmethod
    def of(cls, drafter: ResolvedDrafter, resolved: ResolvedScenario, grid: PassGrid, rows: Integers) -> _Line:
        """Return a line with what its drafts cost."""
        cap = resolved.scenario.cap
        if drafter.line.topk > 1:
            grid = pass_grid(resolved, verified_tokens(drafter.line, cap))
        acceptance = line_acceptance(drafter, cap, resolved.scenario.context)
        rounds = Rounds(batch=grid.batch, draft_tokens=np.arange(cap + 1), step_seconds=grid.step_seconds)
        drafting = drafting_cost(drafter, rounds, acceptance.tokens_per_round, resolved).seconds
        return cls(
            drafter=drafter,
            resolved=resolved,
            acceptance=acceptance,
            batch=grid.batch[rows],
            step=grid.step_seconds[rows],
            drafting=drafting[rows],
            whole=grid.seconds[rows],
            whole_tokens=grid.query_tokens,
        )

    @property
    def query_limit(self) -> Floats:
        """Most query tokens of a request that the budget allows, shape (batches, 1)."""
        budget = self.resolved.scenario.budget
        return np.full_like(self.batch, np.inf) if budget is None else np.maximum(budget / self.batch, 1.0)

    def result(self, fits: Integers) -> DrafterAdaptive:
        """Return the line's rounds in each way to verify.

        Args:
            fits: Places of the batches that one draft length is chosen for.
        """
        line = self.drafter.line
        is_tree = line.topk > 1
        requests = line_requests(self.drafter, self.acceptance)
        fixed = self._whole_drafts() if is_tree else fixed_plans(requests.mean)
        seconds = self.whole + self.drafting
        by_batch = best_plan(fixed, seconds, self.query_limit)
        cut = ways = None
        if not is_tree:
            passes = _Passes.of(self.resolved, self.batch)
            plans = adaptive_plans(requests, line.confidence)
            cut_seconds = passes.seconds(plans.query_tokens) + np.take(self.drafting, plans.draft_tokens, axis=1)
            cut = self._rounds(plans, cut_seconds, best_plan(plans, cut_seconds, self.query_limit))
            ways = self._oracle(passes, requests.mean, cut)
        return DrafterAdaptive(
            name=self.drafter.name,
            spread=line.spread,
            confidence=line.confidence,
            mixed=bool(self.acceptance.parts),
            tree=is_tree,
            fixed=self._rounds(fixed, seconds, self._one_length(fixed, seconds, fits)),
            by_batch=self._rounds(fixed, seconds, by_batch),
            adaptive=cut,
            oracle=ways,
        )

    def _whole_drafts(self) -> Plans:
        """Return the plans of a line whose drafts branch."""
        return Plans(
            draft_tokens=np.arange(self.whole_tokens.size),
            query_tokens=self.whole_tokens.astype(np.float64),
            tokens_per_round=self.acceptance.tokens_per_round,
        )

    def _one_length(self, plans: Plans, seconds: Floats, fits: Integers) -> Integers:
        """Return the draft length at each batch of the one that is best on average, in the mean logarithm of speed."""
        allowed = np.sum(plans.query_tokens <= self.query_limit, axis=-1, keepdims=True) - 1
        lengths = np.minimum(plans.draft_tokens, np.maximum(allowed, 0))
        speed = np.take_along_axis(plans.tokens_per_round / seconds, lengths, axis=-1)
        return np.asarray(lengths[:, np.argmax(np.mean(np.log(speed[fits]), axis=0))])

    def _rounds(self, plans: Plans, seconds: Floats, chosen: Integers) -> VerifiedRounds:
        took = seconds[np.arange(chosen.size), chosen]
        tokens = plans.tokens_per_round[chosen]
        return VerifiedRounds(
            draft_tokens=plans.draft_tokens[chosen],
            verified_tokens=plans.query_tokens[chosen] - 1.0,
            tokens_per_round=tokens,
            seconds_per_round=took,
            speedup=tokens * (self.step[:, 0] / took),
        )

    def _oracle(self, passes: _Passes, survival: Floats, cut: VerifiedRounds) -> VerifiedRounds:
        """Return rounds of passes in which every token commits: as many as there are at a depth, or fewer.

        The tokens of the adaptive rounds that commit are among the choices, so that these are never better.
        """
        deepest = np.concatenate(([1.0], 1.0 + np.cumsum(survival)))
        limits = self.query_limit[np.isfinite(self.query_limit)]
        tokens = np.unique(np.concatenate((passes.query_tokens, deepest, cut.tokens_per_round, limits)))
        tokens = tokens[(tokens <= deepest[-1]) & (tokens != _ABOVE_ONE)]
        # The shortest draft of which so many tokens commit.
        plans = Plans(
            draft_tokens=np.searchsorted(deepest * (1.0 + _ROUNDING), tokens),
            query_tokens=tokens,
            tokens_per_round=tokens,
        )
        seconds = passes.seconds(plans.query_tokens) + np.take(self.drafting, plans.draft_tokens, axis=1)
        return self._rounds(plans, seconds, best_plan(plans, seconds, self.query_limit))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Passes:
    """Seconds of verifying passes over any number of query tokens.

    Attributes:
        query_tokens: Of a request, rising, shape (passes,).
        at: Seconds, shape (batches, passes).
    """

    query_tokens: Floats
    at: Floats

    @classmethod
    def of(cls, resolved: ResolvedScenario, batch: Floats) -> _Passes:
        """Return the passes of a scenario up to its cap."""
        # A round begins with the first draft token, however few requests have one.
        further = np.arange(1, STEPS * resolved.scenario.cap + 1) / STEPS
        query_tokens = np.concatenate(([1.0, _ABOVE_ONE], 1.0 + further))
        return cls(query_tokens=query_tokens, at=verifying_seconds(resolved, batch, query_tokens))

    def seconds(self, query_tokens: Floats) -> Floats:
        """Return the seconds of some passes, shape (batches, those), on the straight line between two known ones."""
        last = self.query_tokens.size - 2
        before = np.clip(np.searchsorted(self.query_tokens, query_tokens, side="right") - 1, 0, last)
        low, high = self.query_tokens[before], self.query_tokens[before + 1]
        share = np.where(before == 0, 0.0, (query_tokens - low) / (high - low))
        found = np.take(self.at, before, axis=1)
        found *= 1.0 - share
        found += np.take(self.at, before + 1, axis=1) * share
        return found
