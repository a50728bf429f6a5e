"""The search for nodes: groups of nodes alike, each in steps that do not take long, and what all of them come to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from roofline_app.evaluation import evaluate
from roofline_app.evaluation.planning.alike import likeness
from roofline_app.evaluation.planning.batches import (
    LARGEST_BATCH,
    ROUNDS,
    Tried,
    between,
    coarse_batches,
    fast_enough,
    tried,
)
from roofline_app.evaluation.planning.candidates import Candidate, Candidates, candidates, left_out
from roofline_app.evaluation.planning.held import Held, held
from roofline_app.evaluation.planning.spots import Spot, cheapest, least_beaten, nearest
from roofline_app.evaluation.planning.summary import joined
from roofline_app.results.nodes import LeftOut, Nodes
from roofline_app.scenario import Scenario, Target

# Nodes that one group evaluates together, so that a step does not take long.
TOGETHER = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """A target, and whether the user states it."""

    target: Target
    stated: bool


@dataclass(slots=True, kw_only=True)
class Found:
    """What is known of nodes so far.

    Attributes:
        best: The cheapest batch and line of each node that reaches the target with speculation, by its candidate.
        without: The same without speculation.
        fastest: Least beaten spots, with the best line and without.
        fastest_without: Without speculation alone.
        nearest: The spot of each node that does not reach the target and misses it least.
        left_out: What cannot hold the model.
        evaluated: Nodes that were evaluated.
    """

    best: dict[Candidate, Spot] = field(default_factory=dict)
    without: dict[Candidate, Spot] = field(default_factory=dict)
    fastest: tuple[Spot, ...] = ()
    fastest_without: tuple[Spot, ...] = ()
    nearest: list[Spot] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    evaluated: int = 0


def nodes(scenario: Scenario) -> Nodes:
    """Return the nodes that reach a scenario's target, and at what cost.

    All accelerators, numbers, formats and layouts of `candidates`, each with every line that somebody could run, and
    without; the batch is the one that reaches the target at least cost. Prefill is not counted in rates and prices.

    Args:
        scenario: The setting: its model, lines, context and profile are kept, its node and batch are searched for.

    Raises:
        SpecError: When an id is unknown or a custom config cannot be read.

    Examples:
        >>> found = nodes(Scenario(target=Target(user=60.0), nodes=NodeSearch(ranges=(NodeRange(gpu="b200"),))))
        >>> [(node.gpus, node.weights, node.best.drafter, node.best.batch) for node in found.ranked if node.best][:1]
        [(8, 'published', 'Block', 4096)]
    """
    aim = goal(scenario)
    listed = candidates(scenario)
    found = [last_of(steps(group, aim)) for group in groups(scenario, listed)]
    return joined(aim.target, aim.stated, listed.left_out, found)


def goal(scenario: Scenario) -> Goal:
    """Return the target, or as many tokens per second per user as this setting reaches without speculation."""
    if scenario.target is not None:
        return Goal(target=scenario.target, stated=True)
    plain = evaluate(replace(scenario, prompt=None, output=None, requests=None)).economics.without
    return Goal(target=Target(user=plain.tokens_per_second_per_user), stated=False)


def groups(scenario: Scenario, listed: Candidates) -> tuple[tuple[Candidate, ...], ...]:
    """Return nodes that are evaluated together, this setting's own accelerator first."""
    alike: dict[tuple[object, ...], list[Candidate]] = {}
    for one in listed.nodes:
        peaks = tuple(sorted(one.gpu.dense_flops_per_second))
        alike.setdefault((one.scenario.gpus, one.weights, one.layout, peaks, one.gpu.family), []).append(one)
    chunks = [
        tuple(some[start : start + TOGETHER]) for some in alike.values() for start in range(0, len(some), TOGETHER)
    ]
    return tuple(sorted(chunks, key=lambda chunk: all(one.scenario.gpu != scenario.gpu for one in chunk)))


def last_of(found: Iterable[Found | None]) -> Found:
    """Return what a search comes to, all of its steps done."""
    return next(one for one in found if one is not None)


def steps(group: Sequence[Candidate], aim: Goal) -> Iterator[Found | None]:
    """Yield None after each step of a group's search, and what is found at its end.

    Args:
        group: Nodes.
        aim: What they have to reach.
    """
    found = Found()
    alike: dict[object, list[Held]] = {}
    for candidate in group:
        one = held(candidate, LARGEST_BATCH)
        if _can(one, found):
            alike.setdefault(likeness(one.resolved), []).append(one)
        yield None
    for some in alike.values():
        found.evaluated += len(some)
        known: dict[int, list[Tried]] = {}
        for line in _lines(some[0]):
            known[line] = [tried(some, coarse_batches(some), line, aim.target)]
            yield None
            for _ in range(ROUNDS):
                further = between(known[line], aim.target, some[0].groups)
                if further is None:
                    break
                known[line].append(tried(some, further, line, aim.target))
                yield None
        _note(some, known, aim.target, found)
    yield found


def _can(one: Held, found: Found) -> bool:
    """Return whether a node holds the model with a sequence, in a layout that engines have; note where not."""
    candidate, facts = one.candidate, one.resolved.layout_facts
    gpus, weights = (candidate.scenario.gpus,), (candidate.weights,)
    if facts.undivided_heads and one.resolved.profile.is_calibrated:
        found.left_out.append(left_out(candidate.gpu, "layout", gpus=gpus, weights=weights))
        return False
    if one.largest_batch < 1:
        found.left_out.append(left_out(candidate.gpu, "memory", gpus=gpus, weights=weights))
        return False
    return True


def _lines(one: Held) -> tuple[int, ...]:
    """Return plain decoding and the lines that somebody could run; hypothetical ones where there are no others."""
    drafters = one.resolved.drafters
    real = tuple(place for place, drafter in enumerate(drafters, start=1) if not drafter.kind.hypothetical)
    return (0, *(real or range(1, len(drafters) + 1)))


def _note(some: Sequence[Held], known: dict[int, list[Tried]], target: Target, found: Found) -> None:
    """Note what nodes alike reach."""
    asked = Target(ttft=target.ttft)
    spots: list[Spot] = []
    for row, one in enumerate(some):
        by_line = {line: cheapest(one, row, line, tries) for line, tries in known.items()}
        drafted = [
            spot for line, spot in by_line.items() if line and spot and spot.tried.speeds.draft_tokens[spot.at] > 0
        ]
        plain = by_line[0]
        if plain is not None:
            found.without[one.candidate] = plain
        if drafted:
            found.best[one.candidate] = min(drafted, key=lambda spot: spot.usd)
        if plain is None and not drafted:
            near = [nearest(one, row, line, tries) for line, tries in known.items()]
            found.nearest.append(min(near, key=lambda spot: spot.short_by))
        for line, tries in known.items():
            for attempt in tries:
                in_time = np.flatnonzero(fast_enough(attempt, asked)[row]).tolist()
                spots += [Spot(held=one, line=line, tried=attempt, at=(row, column)) for column in in_time]
    found.fastest = least_beaten((*found.fastest, *spots))
    found.fastest_without = least_beaten((*found.fastest_without, *(spot for spot in spots if spot.line == 0)))
