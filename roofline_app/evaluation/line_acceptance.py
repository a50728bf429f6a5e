"""Tokens per round of a drafter line, whichever way its acceptance is stated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from roofline_app.resolved import ResolvedDrafter
from roofline_app.scenario import (
    AcceptanceChoice,
    AcceptanceLength,
    ConstantAcceptance,
    Drafter,
    MeasuredAcceptance,
    MixedAcceptance,
    SurvivalRates,
)
from roofline_app.specs import AcceptanceSpec
from roofline_app.speculation.acceptance import (
    acceptance_of_length,
    constant_survival,
    falling_survival,
    length_at_context,
    listed_survival,
    raised_survival,
    rejected_tokens,
    share_of_passes,
    survival_through,
    tokens_per_round,
)
from roofline_app.speculation.request_acceptance import (
    RequestSurvival,
    joined,
    request_survival,
    spread_survival,
)
from roofline_app.speculation.trees import tree_survival

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class LineAcceptance:
    """How the drafts of a line are accepted.

    Attributes:
        survival: Chance that the draft token at positions 1..cap commits, falling; shape (cap,).
        tokens_per_round: At draft lengths 0..cap, shape (cap + 1,).
        measured: Longest draft that is measured or listed; None where unlimited.
        parts: Of a mix, each with its share.
    """

    survival: Floats
    tokens_per_round: Floats
    measured: int | None = None
    parts: tuple[tuple[float, LineAcceptance], ...] = ()


def line_acceptance(drafter: ResolvedDrafter, cap: int, context_tokens: int) -> LineAcceptance:
    """Return the acceptance of a line's drafts.

    Further draft passes and a relaxed acceptance turn a share of the rejections into acceptances, position by position.

    Args:
        drafter: The drafter line.
        cap: Longest draft.
        context_tokens: Tokens in the cache, which an acceptance measured by context follows.
    """
    line = drafter.line
    raised = _raised(_stated(line.acceptance, cap, context_tokens, drafter.measured), raised_share(line))
    if line.spread:
        raised = _spread_out(raised, line.acceptance, line)
    if line.topk > 1:
        raised = _branched(raised, line.acceptance, drafter)
    longest = longest_draft(drafter)
    return raised if longest is None else _ending(raised, longest)


def rejected_share(drafter: ResolvedDrafter, cap: int, context_tokens: int) -> Floats | None:
    """Return the share of a line's tokens that the target would have rejected, at draft lengths 0..cap.

    Args:
        drafter: A line with a relaxed acceptance.
        cap: Longest draft.
        context_tokens: Tokens in the cache.

    Returns:
        Of all committed tokens, the bonus token among them, shape (cap + 1,); None for a tree, of which nobody states
        how acceptance differs between what it takes and what it would have taken.
    """
    if drafter.line.topk > 1:
        return None
    strict = line_acceptance(replace(drafter, line=replace(drafter.line, relax=0.0)), cap, context_tokens)
    parts = strict.parts or ((1.0, strict),)
    taken = sum(weight * rejected_tokens(part.survival, drafter.line.relax) for weight, part in parts)
    return np.asarray(taken / line_acceptance(drafter, cap, context_tokens).tokens_per_round)


def line_requests(drafter: ResolvedDrafter, acceptance: LineAcceptance) -> RequestSurvival:
    """Return the classes of a line's requests: the parts of a mix, and in each the spread of acceptance.

    Args:
        drafter: The drafter line.
        acceptance: Its acceptance over all requests.
    """
    if acceptance.parts:
        return joined([(share, line_requests(drafter, part)) for share, part in acceptance.parts])
    return request_survival(acceptance.survival, drafter.line.spread)


def longest_draft(drafter: ResolvedDrafter) -> int | None:
    """Return the most draft tokens that a line's drafter can make: a chain's layers; None without a limit."""
    return drafter.chosen.terms.chained if drafter.kind.chained and drafter.chosen else None


def raised_share(line: Drafter) -> float:
    """Return the share of a line's rejections that are accepted after all: further passes, and a relaxed acceptance."""
    return 1.0 - (1.0 - line.relax) * (1.0 - share_of_passes(line.gain, line.passes))


def states_trees(choice: AcceptanceChoice, measured: Mapping[str, AcceptanceSpec]) -> bool:
    """Return whether an acceptance is that of a tree as it stands: a stated length, or one measured with a tree.

    Args:
        choice: How a line's acceptance is stated.
        measured: Measured acceptances by id.
    """
    match choice:
        case AcceptanceLength():
            return True
        case MeasuredAcceptance(preset=preset):
            return measured[preset].topk > 1
        case MixedAcceptance(parts=parts):
            return all(states_trees(part.acceptance, measured) for part in parts)
        case _:
            return False


def _spread_out(stated: LineAcceptance, choice: AcceptanceChoice, line: Drafter) -> LineAcceptance:
    """Return the acceptance over requests that differ; what is stated of all of them together stays."""
    match choice:
        case MixedAcceptance(parts=parts):
            pairs = zip(parts, stated.parts, strict=True)
            spread = tuple((share, _spread_out(part, one.acceptance, line)) for one, (share, part) in pairs)
            return _mixed(spread, stated.measured)
        case ConstantAcceptance(acceptance=acceptance):
            chance = acceptance
        case AcceptanceLength(tokens_per_round=length, draft_tokens=known):
            chance = acceptance_of_length(length, known, line.spread)
        case _:
            return stated
    chance += raised_share(line) * (1.0 - chance)
    return _surviving(spread_survival(chance, line.spread, stated.survival.size), stated.measured)


def _branched(chain: LineAcceptance, choice: AcceptanceChoice, drafter: ResolvedDrafter) -> LineAcceptance:
    """Return the acceptance of a tree from that of its likeliest chain; a tree's own stays as it is stated."""
    if isinstance(choice, MixedAcceptance):
        pairs = zip(choice.parts, chain.parts, strict=True)
        parts = [(share, _branched(part, stated.acceptance, drafter)) for stated, (share, part) in pairs]
        return _mixed(tuple(parts), chain.measured)
    if states_trees(choice, drafter.measured):
        return chain
    line, ranks = drafter.line, drafter.line.ranks or drafter.kind.ranks
    levels = tree_survival(chain.survival, ranks, topk=line.topk, verified=line.verified)
    deepest = levels[-1] if levels.size else chain.survival
    return replace(chain, survival=deepest, tokens_per_round=np.concatenate(([1.0], 1.0 + np.sum(levels, axis=-1))))


def _ending(acceptance: LineAcceptance, longest: int) -> LineAcceptance:
    """Return the acceptance of a drafter that can draft no more than some tokens: further ones never commit."""
    survival, tokens = acceptance.survival.copy(), acceptance.tokens_per_round.copy()
    survival[longest:] = 0.0
    tokens[longest + 1 :] = tokens[min(longest, tokens.size - 1)]
    parts = tuple((share, _ending(part, longest)) for share, part in acceptance.parts)
    return replace(acceptance, survival=survival, tokens_per_round=tokens, parts=parts)


def _raised(stated: LineAcceptance, share: float) -> LineAcceptance:
    if not share:
        return stated
    if stated.parts:
        parts = tuple((weight, _raised(part, share)) for weight, part in stated.parts)
        return _mixed(parts, stated.measured)
    survival = raised_survival(stated.survival, share)
    more = np.concatenate(([0.0], np.cumsum(survival - stated.survival)))
    return replace(stated, survival=survival, tokens_per_round=stated.tokens_per_round + more)


def _stated(choice: AcceptanceChoice, cap: int, context: int, specs: Mapping[str, AcceptanceSpec]) -> LineAcceptance:
    match choice:
        case ConstantAcceptance(acceptance=chance):
            return _surviving(constant_survival(chance, cap), None)
        case AcceptanceLength(tokens_per_round=length, draft_tokens=known):
            return _surviving(constant_survival(acceptance_of_length(length, known), cap), None)
        case SurvivalRates(survival=listed):
            return _surviving(listed_survival(listed, cap), len(listed))
        case MeasuredAcceptance(preset=preset):
            return _measured(specs[preset], cap, context)
        case MixedAcceptance(parts=parts):
            stated = tuple((part.share, _stated(part.acceptance, cap, context, specs)) for part in parts)
            limits = [part.measured for _, part in stated if part.measured is not None]
            return _mixed(stated, min(limits, default=None))


def _surviving(survival: Floats, measured: int | None) -> LineAcceptance:
    return LineAcceptance(survival=survival, tokens_per_round=tokens_per_round(survival), measured=measured)


def _measured(spec: AcceptanceSpec, cap: int, context: int) -> LineAcceptance:
    """Return a measured acceptance, flat beyond its last position; tokens per round as measured where they were."""
    known = spec.measured_draft_tokens
    if spec.survival:
        return _surviving(listed_survival(spec.survival, cap), known)
    if spec.measured_at:
        through = survival_through(spec.measured_at, spec.tokens_per_round)
        return _surviving(listed_survival(tuple(through), cap), known)
    length = length_at_context(spec.contexts, spec.lengths, context) if spec.lengths else spec.length
    if length:
        chance = acceptance_of_length(length, known)
        return _surviving(listed_survival(tuple(constant_survival(chance, known)), cap), known)
    lengths = np.asarray((1.0, *spec.tokens_per_round))
    return LineAcceptance(
        survival=listed_survival(tuple(falling_survival(spec.tokens_per_round)), cap),
        tokens_per_round=lengths[np.minimum(np.arange(cap + 1), known)],
        measured=known,
    )


def _mixed(parts: tuple[tuple[float, LineAcceptance], ...], measured: int | None) -> LineAcceptance:
    """Return the mean tokens per round of a batch whose sequences are shared out between the parts of a mix."""
    survival = sum((weight * part.survival for weight, part in parts), np.zeros_like(parts[0][1].survival))
    # What is added to the one token of an empty draft, so that rounded shares do not take from it.
    more = sum((weight * (part.tokens_per_round - 1.0) for weight, part in parts), np.zeros(survival.size + 1))
    return LineAcceptance(survival=survival, tokens_per_round=1.0 + more, measured=measured, parts=parts)
