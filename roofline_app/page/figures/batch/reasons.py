"""Why the speedup changes with the batch: what a verify adds to a plain step, over stretches of batches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from roofline_app import format as fmt
from roofline_app.results import Evaluation, VerifyByBatch
from roofline_app.text import sentence

# A verify is called cheap below this many steps; within so much of the cheapest, all experts count as read anyway.
CHEAP_STEPS, NEAR_CHEAPEST = 1.15, 1.1
OVERHEADS = frozenset({"overhead", "communication"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """A stretch of batches with one reason.

    Attributes:
        key: Which reason, of `figures.batch_why_…`.
        first: Place of its first batch among all.
        last: Place of its last one.
        words: The reason in a few words, with numbers of its most telling batch.
    """

    key: str
    first: int
    last: int
    words: str


def _key(verify: VerifyByBatch, place: int, *, experts: int, has_state: bool) -> str:
    """Return what holds at a batch; empty where nothing can be said in a few words."""
    steps, component, bound = float(verify.steps[place]), verify.component[place], verify.bound[place]
    if experts and steps <= float(verify.steps.min()) * NEAR_CHEAPEST and component != "kernels":
        touched, plain = float(verify.experts_touched[place]), float(verify.experts_touched_step[place])
        return "anyway" if plain >= touched / 1.5 else ""
    if component == "feed_forward" and bound == "memory" and experts:
        return "experts"
    if not experts and steps < CHEAP_STEPS:
        return "weights"
    if bound == "compute":
        return "arithmetic"
    if bound in OVERHEADS:
        return "overhead"
    return "state" if component == "attention" and has_state else ""


def reasons(evaluation: Evaluation, language: str) -> tuple[Reason, ...]:
    """Return what explains the best drafter's speedup over the batches, in stretches that do not overlap."""
    best = evaluation.drafters.index(evaluation.best_drafter)
    verify = evaluation.best_by_batch.drafters[best].verify
    model = evaluation.model
    keys = [
        _key(verify, place, experts=model.experts, has_state=bool(model.state_bytes_per_sequence))
        for place in range(verify.steps.size)
    ]
    found = []
    for key, group in groupby(range(len(keys)), key=keys.__getitem__):
        places = list(group)
        if key:
            found.append(_reason(key, places, verify, model.experts, language))
    return tuple(found)


def _reason(key: str, places: list[int], verify: VerifyByBatch, experts: int, language: str) -> Reason:
    choose: Callable[..., np.intp] = np.argmin if key in {"anyway", "weights"} else np.argmax
    told = places[int(choose(verify.steps[places]))]
    words = sentence(
        f"figures.batch_why_{key}",
        language,
        plain=fmt.count(round(float(verify.experts_touched_step[told]))),
        touched=fmt.count(round(float(verify.experts_touched[told]))),
        experts=fmt.count(experts),
        steps=fmt.significant(float(verify.steps[told]), 2),
        component=sentence(f"verdict.component_{verify.component[told]}", language),
    )
    return Reason(key=key, first=places[0], last=places[-1], words=words)
