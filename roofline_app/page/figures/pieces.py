"""Work in pieces: what a figure has to evaluate beside the evaluation that there is, and what is there so far."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from roofline_app.evaluation import evaluate
from roofline_app.scenario import Drafter, Scenario

# Draft lengths of all lines together that one piece evaluates; a piece has at least one line.
PIECE = 85


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """Values that are computed part by part, each part in one or several evaluations.

    Attributes:
        setting: What the values depend on; while it stays equal nothing is computed anew.
        parts: The scenarios of each part, in the order in which they are evaluated.
        join: Makes a part's value of what its scenarios give.
        compute: What is worked out of each scenario.
        keeps: Whether values of an earlier setting stay until newer ones are there.
        steps: Works a part out by itself in short steps: nothing after each, and its value at the end. Without it a
            part is what its scenarios come to.
    """

    setting: Hashable
    parts: Mapping[Any, tuple[Scenario, ...]]
    join: Callable[[Sequence[Any]], Any]
    keeps: bool = False
    compute: Callable[[Scenario], Any] = evaluate
    steps: Callable[[Any], Iterator[Any]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What is there of a work.

    Attributes:
        values: Values by part, as far as they are there.
        waiting: Parts whose value is not there, or of an earlier setting.
    """

    values: Mapping[Any, Any] = field(default_factory=dict)
    waiting: tuple[Any, ...] = ()


def groups_of_lines(setting: Scenario) -> tuple[tuple[Drafter, ...], ...]:
    """Return a setting's drafter lines in groups that do not take long to evaluate."""
    size = max(PIECE // (setting.cap + 1), 1)
    lines = setting.drafters
    return tuple(lines[start : start + size] for start in range(0, len(lines), size))


def no_join(pieces: Sequence[Any]) -> Any:
    """Return nothing of a part's evaluations: for works whose steps make their values."""
    return list(pieces)
