"""What an engine drafts of a setting: one line as far as the engine can serve it, its length and its checkpoint."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from roofline_app import registry
from roofline_app.evaluation import evaluate
from roofline_app.flags.checkpoints import drafter_checkpoint, drafter_heads, other_vocabulary
from roofline_app.hardware.engines import EngineSpec
from roofline_app.resolved import ChosenDrafter, chosen_drafter, drafter_names
from roofline_app.resolved.models import model_spec
from roofline_app.results import Evaluation
from roofline_app.results.target import Memory
from roofline_app.scenario import ConstantAcceptance, Drafter, MeasuredAcceptance, Scenario
from roofline_app.specs import DrafterKindSpec
from roofline_app.specs.drafter_kinds import EngineMethod

RATE_DIGITS = 6
# What of a line no engine serves, by the field that asks for it.
PLACEMENT, PASSES, RELAX, TREE = "placement", "passes", "relax", "tree"

Ranges = tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafts:
    """What is drafted.

    Attributes:
        drafter: Name of the drafter's line.
        kind: The kind whose weights it runs.
        method: How the engine runs that kind.
        longest: Longest draft within the engine's limits; None without a limit.
        wanted: Best draft length without these limits.
        draft_tokens: Best draft length γ within them, at least 1.
        tokens_per_round: Committed tokens per round at that length, bonus token included.
        survival: Chance that each position commits, shape (draft_tokens,), never rising.
        ranges: First batch, last batch and best draft length, without gaps from batch 1 on; one length alone where the
            engine cannot choose it by batch.
        varies: Whether other batches would want other lengths.
        draft_model: Repository of the drafter's weights or a placeholder; empty where it has none of its own.
        target: Repository of the model that holds the drafter's weights besides; empty where none has to.
        adaptive: Whether the setting asks for adaptive verification: its requests differ, or share a budget.
        whole: Draft tokens of a draft of which the engine chooses those that it verifies; 0 where it verifies all.
        branches: Draft tokens for each position; 1 for a chain.
        verified: Draft tokens that are verified at that length: as many, or a tree's nodes.
        heads: Attention heads of a drafter that runs as a model of its own; 0 where they are not known.
        other_vocabulary: Whether its vocabulary is another than the target's.
        max_context_tokens: Where a separate model's context ends; 0 where it is the target's.
    """

    drafter: str
    kind: DrafterKindSpec
    method: EngineMethod
    longest: int | None
    wanted: int
    draft_tokens: int
    tokens_per_round: float
    survival: tuple[float, ...]
    ranges: Ranges
    varies: bool
    draft_model: str
    target: str
    adaptive: bool
    whole: int
    branches: int
    verified: int
    heads: int
    other_vocabulary: bool
    max_context_tokens: int

    @property
    def most_tokens(self) -> int:
        """Draft tokens that are verified at most, at any batch."""
        return max(self.verified, self.whole, *(length for _, _, length in self.ranges))

    @property
    def by_batch(self) -> bool:
        """Whether the length follows the batch."""
        return len(self.ranges) > 1


def served_line(line: Drafter, kind: DrafterKindSpec, method: EngineMethod) -> tuple[Drafter, tuple[str, ...]]:
    """Return a line as engines serve it, and what of it they leave out.

    They run the drafter in its own manner, on the target's GPUs, with one pass a block, and accept strictly.

    Args:
        line: The line.
        kind: The kind whose weights it runs.
        method: How the engine runs it.
    """
    asked = {PLACEMENT: line.placement != "same", PASSES: line.passes > 1, RELAX: line.relax > 0}
    asked[TREE] = line.topk > 1 and not method.trees
    strict = replace(line, kind=kind.id, passes=1, gain=0.0, relax=0.0)
    if asked[TREE]:
        strict = replace(strict, topk=1, verified=0, ranks=())
    # Without weights that could be elsewhere, the evaluation refuses the placement by name.
    served = replace(strict, placement="same", link_latency=None, link_bandwidth=None) if kind.has_own_work else strict
    return served, tuple(field for field, is_asked in asked.items() if is_asked)


def weights_kind(line: Drafter, chosen: ChosenDrafter | None) -> DrafterKindSpec:
    """Return the kind whose weights a line runs: that of the drafter behind it, or of its measured acceptance.

    Args:
        line: The drafter line.
        chosen: The drafter behind it.
    """
    if chosen and not chosen.generic and chosen.id in registry.drafter_ids():
        return registry.drafter_kind(registry.drafter(chosen.id).kind)
    measured = isinstance(line.acceptance, MeasuredAcceptance) and registry.acceptance(line.acceptance.preset).kind
    own = registry.drafter_kind(line.kind)
    other = registry.drafter_kind(measured) if measured else own
    return other if other.drafting == own.drafting and other.weights == own.weights else own


def longest_draft(line: Drafter, kind: DrafterKindSpec, method: EngineMethod, scenario: Scenario) -> int | None:
    """Return the longest draft that engines make with a drafter, None without a limit.

    Engines draft one block, and never more than the drafter's checkpoint holds.

    Args:
        line: The line.
        kind: The kind whose weights it runs.
        method: How the engine runs it.
        scenario: The scenario that it belongs to.
    """
    if kind.in_blocks:
        chosen = chosen_drafter(line, scenario)
        return min(line.block, chosen.terms.block) if chosen else line.block
    if kind.chained:
        chain = chosen_drafter(line, scenario)
        return chain.terms.chained if chain else None
    layers = model_spec(scenario.model, scenario.config).dimensions.next_token
    several = layers is not None and layers.count > 1 and kind.weights == "next-token"
    return layers.count if layers and several and method.chains else None


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


def _ranges(evaluation: Evaluation) -> Ranges:
    """Return the best lengths by batch."""
    by_batch, best = evaluation.best_by_batch, evaluation.drafters[0].best.draft_tokens
    computed = zip(by_batch.batch.tolist(), by_batch.drafters[0].draft_tokens.tolist(), strict=True)
    return batch_ranges([*computed, (evaluation.batch, best)], int(by_batch.batch[-1]))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Served:
    """A line that an engine can serve, with what it does there."""

    name: str
    line: Drafter
    kind: DrafterKindSpec
    method: EngineMethod


def _drafts(served: _Served, scenario: Scenario, ranks: int) -> tuple[Drafts, Evaluation] | None:
    """Return what is drafted of a line, and its evaluation alone; None where it gains nothing."""
    longest = longest_draft(served.line, served.kind, served.method, scenario)
    alone = replace(scenario, drafters=(served.line,))
    capped = alone if longest is None else replace(alone, cap=min(scenario.cap, longest))
    evaluation = evaluate(capped)
    best, reached = evaluation.drafters[0].best, evaluation.drafters[0].tokens_per_round
    if best.speedup <= 1.0:
        return None
    survival = np.minimum.accumulate(np.clip(np.diff(reached[: best.draft_tokens + 1]), 0.0, 1.0))
    chosen, ranges = chosen_drafter(served.line, scenario), _ranges(evaluation)
    # Data-parallel ranks have to draft alike, and trees keep one depth.
    follows = served.method.by_batch and ranks == 1 and served.line.topk == 1
    draft_model, target = drafter_checkpoint(served.kind, chosen, scenario)
    # Whether ranks may verify different numbers is not settled.
    adaptive = served.line.spread > 0.0 or scenario.budget is not None
    chooses = adaptive and ranks == 1 and bool(served.method.adaptive)
    drafts = Drafts(
        drafter=served.name,
        kind=served.kind,
        method=served.method,
        longest=longest,
        wanted=best.draft_tokens if capped == alone else evaluate(alone).drafters[0].best.draft_tokens,
        draft_tokens=best.draft_tokens,
        tokens_per_round=float(best.tokens_per_round),
        survival=tuple(round(float(rate), RATE_DIGITS) for rate in survival),
        ranges=ranges if follows else ((1, ranges[-1][1], best.draft_tokens),),
        varies=len(ranges) > 1,
        draft_model=draft_model,
        target=target,
        adaptive=adaptive,
        whole=capped.cap if chooses else 0,
        branches=served.line.topk,
        verified=evaluation.drafters[0].verify.query_tokens - 1,
        heads=drafter_heads(chosen),
        other_vocabulary=other_vocabulary(served.kind, chosen, scenario),
        max_context_tokens=chosen.max_context_tokens if chosen and served.kind.weights == "model" else 0,
    )
    return drafts, evaluation


def _memory_without_drafter(scenario: Scenario) -> Memory:
    """Return what fits without a drafter: that of a line which is a bound and has no weights."""
    bound = next(kind for kind in registry.drafter_kinds().values() if kind.hypothetical)
    line = Drafter(kind=bound.id, acceptance=ConstantAcceptance(acceptance=bound.acceptance), cost=bound.cost)
    return evaluate(replace(scenario, drafters=(line,))).memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafting:
    """What an engine makes of a scenario's drafter lines.

    Attributes:
        drafts: The line that gains most; None where no line can be served or none gains.
        refused: Names of lines that the engine refuses with the layout.
        unserved: What of a line is left out: its name, and one of `placement`, `passes`, `relax`, `tree`.
        methods: How many lines it could run.
        memory: What fits beside this drafter.
    """

    drafts: Drafts | None
    refused: tuple[str, ...]
    unserved: tuple[tuple[str, str], ...]
    methods: int
    memory: Memory


def best_drafts(scenario: Scenario, engine: EngineSpec, layout: str, ranks: int, position: int | None) -> Drafting:
    """Return the best draft that an engine can run, and what it leaves out.

    Args:
        scenario: The setting, in the layout that is served.
        engine: The engine.
        layout: How its GPUs share the model.
        ranks: Data-parallel ranks.
        position: Of a drafter line; None takes the line that gains most.

    """
    lines = list(zip(drafter_names(scenario.drafters), scenario.drafters, strict=True))
    best, most, methods = None, 1.0, 0
    memory = _memory_without_drafter(scenario)
    refused, left_out = list[str](), list[tuple[str, str]]()
    for name, asked in lines if position is None else [lines[position]]:
        own = registry.drafter_kind(asked.kind)
        kind = weights_kind(asked, chosen_drafter(asked, scenario) if own.has_own_work else None)
        method = kind.method(engine.id)
        if method is None:
            continue
        line, unserved = served_line(asked, kind, method)
        if ranks > 1 and layout in method.refused_layouts:
            refused.append(name)
            continue
        methods += 1
        left_out += [(name, field) for field in unserved]
        served = _Served(name=name, line=line, kind=kind, method=method)
        found = _drafts(served, scenario, ranks)
        if found and found[1].drafters[0].best.speedup > most:
            best, most, memory = found[0], found[1].drafters[0].best.speedup, found[1].memory
    return Drafting(drafts=best, refused=tuple(refused), unserved=tuple(left_out), methods=methods, memory=memory)
