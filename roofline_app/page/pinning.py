"""Pinned settings, which stay while the user changes the current one."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from roofline_app import query
from roofline_app.evaluation import evaluate
from roofline_app.results import Evaluation
from roofline_app.scenario import MOST_PINNED, Presentation, Scenario, with_pinned


@lru_cache(maxsize=2 * MOST_PINNED)
def _evaluated(pinned: str) -> Evaluation:
    return evaluate(query.decode(pinned).scenario)


def pinned_evaluations(scenario: Scenario) -> tuple[Evaluation, ...]:
    """Return the evaluations of a scenario's pinned settings, in order."""
    return tuple(map(_evaluated, scenario.pinned))


def _alone(scenario: Scenario) -> str:
    return query.encode(replace(with_pinned(scenario), presentation=Presentation()))


def with_pin(scenario: Scenario, *, pinned: bool) -> Scenario:
    """Return the scenario compared with itself as it is now besides what is pinned, or with nothing.

    A further one takes the place of the first where no more can be pinned; the same one is pinned once.
    """
    if not pinned:
        return with_pinned(scenario)
    now = _alone(scenario)
    others = [one for one in scenario.pinned if one != now]
    return with_pinned(scenario, [*others, now][-MOST_PINNED:])


def swapped(scenario: Scenario) -> Scenario:
    """Return the first pinned setting compared with the current one, which takes its place; the same without any."""
    if not scenario.pinned:
        return scenario
    first, *others = scenario.pinned
    other = with_pinned(query.decode(first).scenario, [_alone(scenario), *others])
    return replace(other, presentation=scenario.presentation)
