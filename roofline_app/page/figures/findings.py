"""What figures of the evaluation show of a setting, each in a sentence."""

from __future__ import annotations

import math

import numpy as np

from roofline_app import format as fmt
from roofline_app.page.figures.look import Shown
from roofline_app.results import DrafterResult
from roofline_app.text import sentence


def _say(key: str, shown: Shown, **values: str) -> str:
    return sentence(f"figures.{key}", shown.language, **values)


def _best(shown: Shown) -> DrafterResult:
    return shown.evaluation.best_drafter


def speedup(shown: Shown) -> str:
    """Return which drafter is best at which draft length, or that none pays."""
    best = _best(shown).best
    if not best.draft_tokens:
        return _say("speedup_finds_none", shown, batch=fmt.count(shown.evaluation.batch))
    key = "speedup_finds_cap" if best.at_cap else "speedup_finds"
    values = {"draft": fmt.count(best.draft_tokens), "speedup": fmt.speedup(best.speedup)}
    return _say(key, shown, name=_best(shown).name, **values)


def batch(shown: Shown) -> str:
    """Return at which batch that fits the best drafter gains most, and where least."""
    evaluation = shown.evaluation
    by_batch = evaluation.best_by_batch
    line = by_batch.drafters[evaluation.drafters.index(_best(shown))]
    fits = by_batch.batch <= max(evaluation.memory.largest_batch, 1)
    speedups = line.speedup[fits]
    most, least = int(np.argmax(speedups)), int(np.argmin(speedups))
    if speedups[most] <= 1.0:
        return _say("batch_finds_none", shown, name=line.name)
    if math.isclose(speedups[most], speedups[least], rel_tol=0.02):
        return _say("batch_finds_even", shown, name=line.name, speedup=fmt.speedup(float(speedups[most])))
    values = {
        "most": fmt.count(int(by_batch.batch[most])),
        "least": fmt.count(int(by_batch.batch[least])),
        "speedup": fmt.speedup(float(speedups[most])),
        "low": fmt.speedup(float(speedups[least])),
    }
    return _say("batch_finds", shown, name=line.name, **values)


def acceptance(shown: Shown) -> str:
    """Return what the best drafter commits, and what a round has to commit to pay."""
    best = _best(shown)
    length = max(best.best.draft_tokens, 1)
    seconds = float(best.verifying_seconds[length] + best.drafting_seconds[length])
    own = fmt.significant(float(best.tokens_per_round[length]))
    needed = fmt.significant(seconds / shown.evaluation.step.seconds)
    return _say("acceptance_finds", shown, name=best.name, own=own, needed=needed)


def time(shown: Shown) -> str:
    """Return the largest part of the time of the best drafter's round, or of a plain step where none pays."""
    best = _best(shown)
    work = best.verify if best.best.draft_tokens else shown.evaluation.step
    parts = {f"page.component_{part.name}": part.seconds for part in work.components}
    if best.best.draft_tokens:
        parts["page.component_drafting"] = float(best.drafting_seconds[best.best.draft_tokens])
    largest = max(parts, key=parts.__getitem__)
    component = sentence(largest, shown.language)
    share = fmt.percent(parts[largest] / sum(parts.values()))
    key = "time_finds" if best.best.draft_tokens else "time_finds_plain"
    return _say(key, shown, component=component, share=share, name=best.name)


def roofline(shown: Shown) -> str:
    """Return how much of a plain step and of the best drafter's verify waits for arithmetic."""
    passes = (shown.evaluation.step, _best(shown).verify)
    step, verify = (
        sum(part.seconds for part in work.components if part.bound == "compute") / work.seconds for work in passes
    )
    return _say("roofline_finds", shown, step=fmt.percent(step), verify=fmt.percent(verify))


def rates(shown: Shown) -> str:
    """Return tokens per second per user at this batch, plain and with the best drafter."""
    economics, best = shown.evaluation.economics, _best(shown)
    line = economics.drafters[shown.evaluation.drafters.index(best)]
    values = {
        "plain": fmt.rate(economics.without.tokens_per_second_per_user),
        "user": fmt.rate(line.tokens_per_second_per_user),
        "batch": fmt.count(shown.evaluation.batch),
    }
    return _say("rates_finds", shown, name=best.name, **values)


def memory(shown: Shown) -> str:
    """Return how full the memory is, and up to which batch it holds."""
    used = shown.evaluation.memory
    values = {"share": fmt.percent(used.needed_bytes / used.capacity_bytes), "batch": fmt.count(used.largest_batch)}
    if not used.largest_batch:
        return _say("memory_finds_none", shown, **values)
    return _say("memory_finds" if used.fits else "memory_finds_over", shown, **values)


def race(shown: Shown) -> str:
    """Return how much sooner the best drafter's text is there."""
    best = _best(shown).best
    if not best.draft_tokens:
        return _say("race_finds_none", shown)
    return _say("race_finds", shown, name=_best(shown).name, speedup=fmt.speedup(best.speedup))
