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
    default, gaps = engine.limits.graph_batch(plan.gpu, plan.gpus), engine.limits.graph_gaps
    if default is None:
        return None
    return plan.rank_batch if plan.rank_batch > default or 0 < gaps <= plan.rank_batch else None


def graph_sizes(engine: EngineSpec, plan: Plan) -> list[int]:
    """Return the tokens of passes to capture, none where the engine's default has the plan's batch.

    Each draft length takes part with the batches that draft it: powers of two and the largest.
    """
    most = engine.limits.graph_tokens_on(plan.gpu)
    here = plan.drafts.draft_tokens + 1 if plan.drafts else 1
    if most is None or plan.rank_batch * here <= most:
        return []
    ranges = plan.drafts.ranges if plan.drafts else ((1, plan.rank_batch, 0),)
    sizes = {plan.rank_batch * here}
    for first, last, drafts in ranges:
        end = min(last, plan.rank_batch)
        powers = {1 << power for power in range(end.bit_length()) if first <= 1 << power <= end}
        sizes |= {batch * (drafts + 1) for batch in powers | ({end} if first <= end else set())}
    return sorted(sizes)
