"""A plan of what to serve and to measure: one drafter within an engine's limits, without any engine's names."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from roofline_app import registry
from roofline_app.evaluation import evaluate
from roofline_app.hardware.engines import EngineSpec
from roofline_app.resolved import chosen_drafter, drafter_names, recipe_layout
from roofline_app.results import Evaluation
from roofline_app.scenario import CUSTOM, Drafter, Scenario
from roofline_app.specs import DrafterKindSpec
from roofline_app.specs.drafter_kinds import EngineMethod

# What a user has to replace: a checkpoint of their own.
MODEL = "MODEL"
DRAFT_MODEL = "DRAFT_MODEL"
CARDS = "https://huggingface.co/"
LONGEST_OUTPUT = 1024
RATE_DIGITS = 6

Ranges = tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafts:
    """What is drafted.

    Attributes:
        drafter: Name of the drafter's line.
        kind: Its kind.
        method: How the engine runs that kind.
        longest: Longest draft within the engine's limits; None without a limit.
        draft_tokens: Best draft length γ within the engine's limits, at least 1.
        tokens_per_round: Committed tokens per round at that length, bonus token included.
        survival: Chance that each position commits, shape (draft_tokens,), never rising.
        ranges: First batch, last batch and best draft length, without gaps from batch 1 on.
    """

    drafter: str
    kind: DrafterKindSpec
    method: EngineMethod
    longest: int | None
    draft_tokens: int
    tokens_per_round: float
    survival: tuple[float, ...]
    ranges: Ranges

    @property
    def draft_model(self) -> str:
        """The drafter's checkpoint, or empty where it has none of its own."""
        return DRAFT_MODEL if self.kind.has_checkpoint else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A serving plan, in no engine's words.

    Attributes:
        model: Repository of the checkpoint, or `MODEL`.
        gpus: Accelerators that share the model.
        layout: How they do, as far as the engine can be asked for it.
        batch: Sequences decoded together.
        input_tokens: Prompt of a measured sequence.
        output_tokens: Output of a measured sequence; its middle stands at the setting's context.
        drafts: What is drafted; None where nothing is.
    """

    model: str
    gpus: int
    layout: str
    batch: int
    input_tokens: int
    output_tokens: int
    drafts: Drafts | None = None


def longest_draft(drafter: Drafter, kind: DrafterKindSpec, scenario: Scenario) -> int | None:
    """Return the longest draft that engines make with a drafter, None without a limit.

    Engines draft one block, and never more than the drafter's checkpoint holds.

    Args:
        drafter: The line.
        kind: Its kind.
        scenario: The scenario that it belongs to.
    """
    if not kind.in_blocks:
        return None
    chosen = chosen_drafter(drafter, scenario)
    return min(drafter.block, chosen.terms.block) if chosen else drafter.block


def batch_ranges(lengths: Iterable[tuple[int, int]], last: int) -> Ranges:
    """Return ranges of batches with one draft length each.

    Args:
        lengths: Batches with their best draft length; a batch between two takes that of the nearer on a log scale.
        last: Last batch of the last range.

    Returns:
        First batch, last batch and draft length; from batch 1 to `last` without gaps, neighbours differ in length.
    """
    known = sorted(dict(lengths).items())
    ranges = list[tuple[int, int, int]]()
    for position, (batch, length) in enumerate(known):
        end = math.isqrt(batch * known[position + 1][0]) if position + 1 < len(known) else max(last, batch)
        start = ranges[-1][1] + 1 if ranges else 1
        if ranges and ranges[-1][2] == length:
            ranges[-1] = (ranges[-1][0], end, length)
        else:
            ranges.append((start, end, length))
    return tuple(ranges)


def checkpoint(scenario: Scenario) -> str:
    """Return the repository of the scenario's model, or `MODEL` if only the user knows it."""
    source = "" if scenario.model == CUSTOM else registry.model(scenario.model).source
    return source.removeprefix(CARDS) if source.startswith(CARDS) else MODEL


def _alone(scenario: Scenario, drafter: Drafter, longest: int | None) -> Evaluation:
    cap = scenario.cap if longest is None else min(scenario.cap, longest)
    return evaluate(replace(scenario, drafters=(drafter,), cap=cap))


def _drafts(
    kind: DrafterKindSpec, method: EngineMethod, longest: int | None, evaluation: Evaluation, name: str
) -> Drafts:
    line, by_batch = evaluation.drafters[0], evaluation.best_by_batch
    best = line.best.draft_tokens
    survival = np.minimum.accumulate(np.clip(np.diff(line.tokens_per_round[: best + 1]), 0.0, 1.0))
    lengths = [
        *zip(by_batch.batch.tolist(), by_batch.drafters[0].draft_tokens.tolist(), strict=True),
        (evaluation.batch, best),
    ]
    return Drafts(
        drafter=name,
        kind=kind,
        method=method,
        longest=longest,
        draft_tokens=best,
        tokens_per_round=float(line.best.tokens_per_round),
        survival=tuple(round(float(rate), RATE_DIGITS) for rate in survival),
        ranges=batch_ranges(lengths, int(by_batch.batch[-1])),
    )


def _best_drafts(scenario: Scenario, engine: EngineSpec, position: int | None) -> Drafts | None:
    """Return the best draft that an engine can run, of one line or of any; None if there is none."""
    lines = list(zip(drafter_names(scenario.drafters), scenario.drafters, strict=True))
    best, most = None, 1.0
    for name, line in lines if position is None else [lines[position]]:
        kind = registry.drafter_kind(line.kind)
        method = kind.method(engine.id)
        if method is None:
            continue
        longest = longest_draft(line, kind, scenario)
        evaluation = _alone(scenario, line, longest)
        speedup = evaluation.drafters[0].best.speedup
        if speedup > most:
            best, most = _drafts(kind, method, longest, evaluation, name), speedup
    return best


def plan(scenario: Scenario, engine: EngineSpec, drafter: int | None = None) -> Plan:
    """Return the serving plan of a scenario on an engine.

    Args:
        scenario: The setting.
        engine: The engine; its limits bound the draft length.
        drafter: Position of a drafter line; None takes the line that gains most on this engine.

    Returns:
        The plan; without a drafter where none can be served on this engine or none gains.

    Raises:
        SpecError: When an id is unknown or a custom config cannot be read.
    """
    output_tokens = max(2, min(LONGEST_OUTPUT, scenario.context))
    return Plan(
        model=checkpoint(scenario),
        gpus=scenario.gpus,
        layout=engine.shared(scenario.layout or recipe_layout(scenario, engine.id).value),
        batch=scenario.batch,
        input_tokens=max(1, scenario.context - output_tokens // 2),
        output_tokens=output_tokens,
        drafts=_best_drafts(scenario, engine, drafter),
    )
