"""Pinned settings, which stay while the user changes the current one."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from roofline_app import query
from roofline_app.evaluation import evaluate
from roofline_app.results import Evaluation
from roofline_app.scenario import Presentation, Scenario


@lru_cache(maxsize=2)
def pinned_evaluation(compare: str) -> Evaluation | None:
    """Return the evaluation of a pinned setting's query; None where none is pinned."""
    return evaluate(query.decode(compare).scenario) if compare else None


def _alone(scenario: Scenario) -> str:
    return query.encode(replace(scenario, compare="", presentation=Presentation()))


def with_pin(scenario: Scenario, *, pinned: bool) -> Scenario:
    """Return the scenario compared with itself as it is now, or with nothing."""
    return replace(scenario, compare=_alone(scenario) if pinned else "")


def swapped(scenario: Scenario) -> Scenario:
    """Return the pinned setting compared with the current one; the same scenario where none is pinned."""
    if not scenario.compare:
        return scenario
    other = query.decode(scenario.compare).scenario
    return replace(other, compare=_alone(scenario), presentation=scenario.presentation)
