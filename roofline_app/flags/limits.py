"""Where a plan goes beyond an engine's defaults: tokens of a pass, and passes that are replayed as CUDA graphs."""

from __future__ import annotations

from roofline_app.flags.serving_plan import Plan
from roofline_app.hardware.engines import EngineSpec


def token_budget(engine: EngineSpec, plan: Plan) -> int | None:
    """Return the tokens of a pass that the plan needs, None where the engine's default has room for them."""
    default = engine.limits.token_budget(plan.gpu)
    needed = plan.rank_batch * plan.most_tokens
    return needed if default is not None and needed > default else None


def graph_batch(engine: EngineSpec, plan: Plan) -> int | None:
    """Return the batch up to which passes have to be captured, None where the engine's default has it."""
    return None if engine.limits.captures(plan.rank_batch, plan.gpu, plan.gpus) else plan.rank_batch


def graph_sizes(engine: EngineSpec, plan: Plan) -> list[int]:
    """Return the tokens of passes to capture, none where the engine's default has the plan's batch.

    Each draft length takes part with the batches that draft it: powers of two, those halfway, and the largest.
    """
    most = engine.limits.graph_tokens_on(plan.gpu)
    here = plan.drafts.draft_tokens + 1 if plan.drafts else 1
    if most is None or plan.rank_batch * here <= most:
        return []
    ranges = plan.drafts.ranges if plan.drafts else ((1, plan.rank_batch, 0),)
    sizes = {plan.rank_batch * here}
    steps = {share << power for power in range(plan.rank_batch.bit_length()) for share in (1, 3)}
    for first, last, drafts in ranges:
        end = min(last, plan.rank_batch)
        sizes |= {batch * (drafts + 1) for batch in steps | {end} if first <= batch <= end}
    return sorted(sizes)


def chunked_prefill(engine: EngineSpec, plan: Plan) -> bool:
    """Return whether a measured prompt is longer than a pass, on an engine that splits prompts only if told to."""
    budget = token_budget(engine, plan) or engine.limits.token_budget(plan.gpu)
    return "chunked_prefill" in engine.flags and budget is not None and plan.lengths.input_tokens > budget
