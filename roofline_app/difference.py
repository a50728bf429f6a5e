"""Where the difference between two settings comes from: seconds per token, split by groups of inputs.

Each group (acceptance, drafting, draft length, host and communication, …) is swapped from one setting's to the other's,
one at a time; what a swap changes is averaged over all orders in which the groups can be swapped. The parts add up to
the difference, and a group that is the same in both has none. `mixtures` names the settings between the two, so that a
page can evaluate them one at a time.

Source:
    Shapley, A value for n-person games, 1953.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import factorial
from types import MappingProxyType

import numpy as np

from roofline_app.results import Evaluation, Floats
from roofline_app.scenario import Drafter, Scenario, with_pinned

# The fields of the scenario that each group swaps; those of the drafter line are in `_OF_LINE`.
_OF_SCENARIO: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "model": ("model", "config"),
        "hardware": ("gpu", "gpus", "hardware", "layout"),
        "format": ("weights", "kv"),
        "host": ("profile", "engine", "kernels", "kv_read", "experts", "imbalance"),
        "batch": ("batch",),
        "context": ("context",),
        "prefill": ("prompt", "output", "requests"),
    }
)
_OF_LINE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"acceptance": ("acceptance", "relax", "gain", "ranks", "spread")}
)
# All that the line has besides.
DRAFT = "draft"
# The draft length that each setting uses.
LENGTH = "length"
# What is measured beyond what is computed of a run's own setting.
UNEXPLAINED = "unexplained"
GROUPS = (*_OF_SCENARIO, *_OF_LINE, DRAFT, LENGTH)
# Words that differ and change no number leave parts of rounding alone.
_ROUNDING = 1e-13
_NOT_COUNTED = ("name", "colour", "confidence")


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of two settings, as far as a comparison goes.

    Attributes:
        scenario: The setting, with the line that is compared alone.
        draft_tokens: Its draft length; 0 for plain decoding.
    """

    scenario: Scenario
    draft_tokens: int

    @property
    def line(self) -> Drafter:
        """The line that is compared."""
        return self.scenario.drafters[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What one group of inputs adds to the seconds of a token."""

    group: str
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The difference of two settings, or of a setting and a run.

    Attributes:
        before: Seconds per token of the first.
        after: Seconds per token of the second: as measured, where it is a run.
        parts: What the groups add that change something, the largest first; they add up to `after` less `before`.
    """

    before: float
    after: float
    parts: tuple[Part, ...]


def side(evaluation: Evaluation) -> Side:
    """Return a setting with its best line at its best draft length."""
    best = evaluation.best_drafter
    line = evaluation.scenario.drafters[evaluation.drafters.index(best)]
    return Side(scenario=replace(evaluation.scenario, drafters=(line,)), draft_tokens=best.best.draft_tokens)


def _fields(group: str, line: Drafter) -> tuple[str, ...]:
    if group != DRAFT:
        return _OF_LINE.get(group, ())
    taken = {name for names in _OF_LINE.values() for name in names}
    return tuple(name for name in line.__dataclass_fields__ if name not in taken and name not in _NOT_COUNTED)


def _same(group: str, before: Side, after: Side) -> bool:
    if group == LENGTH:
        return before.draft_tokens == after.draft_tokens
    if not (before.draft_tokens or after.draft_tokens) and group not in _OF_SCENARIO:
        return True
    if group in _OF_SCENARIO:
        one, other = before.scenario, after.scenario
        return all(getattr(one, name) == getattr(other, name) for name in _OF_SCENARIO[group])
    return all(getattr(before.line, name) == getattr(after.line, name) for name in _fields(group, before.line))


def groups_that_differ(before: Side, after: Side) -> tuple[str, ...]:
    """Return the groups of inputs in which two settings differ, in the order of `GROUPS`."""
    return tuple(group for group in GROUPS if not _same(group, before, after))


def _mixed(before: Side, after: Side, swapped: frozenset[str]) -> Side:
    """Return the first setting with some groups of the second."""
    scenario, line = before.scenario, before.line
    for group in sorted(swapped & _OF_SCENARIO.keys()):
        scenario = replace(scenario, **{name: getattr(after.scenario, name) for name in _OF_SCENARIO[group]})
    for group in sorted(swapped & {*_OF_LINE, DRAFT}):
        line = replace(line, **{name: getattr(after.line, name) for name in _fields(group, line)})
    longest = max(before.draft_tokens, after.draft_tokens, 1)
    return Side(
        scenario=replace(with_pinned(scenario), drafters=(line,), cap=longest, seed=0),
        draft_tokens=after.draft_tokens if LENGTH in swapped else before.draft_tokens,
    )


def mixtures(before: Side, after: Side) -> dict[frozenset[str], Side]:
    """Return the settings between two, by the groups that are the second one's: none of them first, all last."""
    names = groups_that_differ(before, after)
    subsets = (
        frozenset(name for place, name in enumerate(names) if number >> place & 1) for number in range(2 ** len(names))
    )
    return {swapped: _mixed(before, after, swapped) for swapped in subsets}


def token_seconds(evaluation: Evaluation) -> Floats:
    """Return the seconds of a token of a setting with one line, at draft lengths 0..cap.

    Args:
        evaluation: Of a setting of `mixtures`.

    Returns:
        Shape (cap + 1,): between tokens after the first, others' prompts included where the setting has whole requests.
    """
    line, requests = evaluation.drafters[0], evaluation.end_to_end
    seconds = 1.0 / line.tokens_per_second_per_user
    if requests is None:
        return seconds
    with_drafts, without = requests.drafters[0].prefill_seconds, requests.without.prefill_seconds
    prefill = np.where(line.draft_tokens > 0, with_drafts, without)
    return np.asarray(seconds + requests.waiting_seconds(prefill))


def difference(values: Mapping[frozenset[str], float], measured: float | None = None) -> Difference:
    """Return the parts of a difference.

    Args:
        values: Seconds per token of every setting of `mixtures`.
        measured: Seconds per token that were measured of the second setting; None where it is no run.

    Returns:
        Both ends and the parts; with a measurement, what its own setting does not explain is a part too.
    """
    names = max(values, key=len)
    count = len(names)
    weights = [factorial(size) * factorial(count - size - 1) / factorial(count) for size in range(count)]
    parts = [
        Part(
            group=name,
            seconds=sum(
                weights[len(swapped)] * (values[swapped | {name}] - value)
                for swapped, value in values.items()
                if name not in swapped
            ),
        )
        for name in GROUPS
        if name in names
    ]
    before, after = values[frozenset()], values[names]
    if measured is not None:
        parts.append(Part(group=UNEXPLAINED, seconds=measured - after))
        after = measured
    least = _ROUNDING * max(before, after)
    told = (part for part in parts if abs(part.seconds) > least)
    return Difference(
        before=before, after=after, parts=tuple(sorted(told, key=lambda part: abs(part.seconds), reverse=True))
    )
