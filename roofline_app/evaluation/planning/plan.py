"""A search cut into parts, each of which goes on in short steps; and what the parts come to so far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from roofline_app.evaluation.planning.candidates import Candidate, candidates
from roofline_app.evaluation.planning.search import Found, Goal, goal, groups, steps
from roofline_app.evaluation.planning.summary import joined
from roofline_app.results.nodes import LeftOut, Nodes
from roofline_app.scenario import Presentation, Scenario

_KEPT = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A search before it begins.

    Attributes:
        aim: What nodes have to reach.
        groups: Nodes that are evaluated together, part by part.
        left_out: What need not be evaluated.
    """

    aim: Goal
    groups: tuple[tuple[Candidate, ...], ...]
    left_out: tuple[LeftOut, ...]

    def steps(self, part: int) -> Iterator[Found | None]:
        """Yield None after each step of a part, and what is found at its end."""
        return steps(self.groups[part] if self.groups else (), self.aim)

    def nodes(self, found: Mapping[int, Found], linked: int | None = None) -> Nodes:
        """Return what a search comes to so far.

        Args:
            found: What parts have found.
            linked: Of how many ranked nodes to write links; None for all, and for what else is named.
        """
        return joined(self.aim.target, self.aim.stated, self.left_out, tuple(found.values()), linked=linked)


def setting_of(scenario: Scenario) -> Scenario:
    """Return what a search depends on: with a target that is stated neither batch nor what is sampled or shown."""
    setting = replace(
        scenario, compare="", seed=0, traffic=None, after=None, training=None, presentation=Presentation()
    )
    return setting if scenario.target is None else replace(setting, batch=1)


@lru_cache(maxsize=_KEPT)
def plan(setting: Scenario) -> Plan:
    """Return the search of a setting, from `setting_of`."""
    listed = candidates(setting)
    return Plan(aim=goal(setting), groups=groups(setting, listed), left_out=listed.left_out)
