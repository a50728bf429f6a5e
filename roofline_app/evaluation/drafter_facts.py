"""Facts about a drafter besides its curves: where it was measured, its own cost, its placement, its mix."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from roofline_app.evaluation.drafting_cost import DraftingCost, Rounds
from roofline_app.evaluation.line_acceptance import LineAcceptance, states_trees
from roofline_app.evaluation.passes import verified_tokens
from roofline_app.resolved import ResolvedDrafter
from roofline_app.results import DraftTree, MeasuredFrom, MixPartResult, MixResult, PhysicalDrafter, SeparatePlacement
from roofline_app.scenario import ConstantAcceptance, MeasuredAcceptance, MixedAcceptance
from roofline_app.speculation import speedup
from roofline_app.speculation.drafting import block_draft_tokens, draft_passes

Floats = NDArray[np.float64]


def measured_from(drafter: ResolvedDrafter) -> MeasuredFrom | None:
    """Return where a line's acceptance was measured; None for a stated one and for a mix."""
    if not isinstance(drafter.line.acceptance, MeasuredAcceptance):
        return None
    spec = drafter.measured[drafter.line.acceptance.preset]
    return MeasuredFrom(
        id=spec.id,
        name=spec.name,
        conditions=spec.conditions,
        source=spec.source,
        contexts=(spec.contexts[0], spec.contexts[-1]) if spec.contexts else None,
        longest_context=spec.longest_context,
        topk=spec.topk,
        verified=spec.verified,
    )


def tree(drafter: ResolvedDrafter, cap: int) -> DraftTree | None:
    """Return the tree that a line drafts at draft lengths 0..cap; None for a chain."""
    line = drafter.line
    if line.topk == 1:
        return None
    return DraftTree(
        topk=line.topk,
        verified_tokens=verified_tokens(line, cap),
        assumed_ranks=not line.ranks and not states_trees(line.acceptance, drafter.measured),
    )


def physical(drafter: ResolvedDrafter, drafts: DraftingCost, step_seconds: float, best: int) -> PhysicalDrafter | None:
    """Return the drafter behind a line and what its own work costs; None without weights.

    Args:
        drafter: The line.
        drafts: Its drafting seconds.
        step_seconds: Of plain decoding at the current batch.
        best: The best draft length.
    """
    line, chosen = drafter.line, drafter.chosen
    if chosen is None or drafts.physical_seconds is None:
        return None
    tokens, at = block_draft_tokens(chosen.terms, line.block), max(best, 1)
    passes = float(draft_passes(at, block=tokens, passes=line.passes))
    return PhysicalDrafter(
        id=chosen.id,
        name=chosen.name,
        generic=chosen.generic,
        source=chosen.source,
        assumed=chosen.assumed,
        parameters=chosen.terms.parameters,
        weight_bytes=chosen.terms.weight_bytes,
        kv_bytes_per_token=chosen.terms.kv_bytes_per_token,
        draft_tokens_per_pass=tokens,
        longest_draft=chosen.terms.chained if drafter.kind.chained else None,
        max_context_tokens=chosen.max_context_tokens,
        seconds=drafts.physical_seconds,
        cost=float(drafts.physical_seconds[at]) / (passes * step_seconds),
        sizes=chosen.drawn.sizes if chosen.drawn else None,
        assumed_sizes=chosen.drawn.assumed if chosen.drawn else (),
        joins_widths=chosen.drawn is not None and chosen.drawn.joins_widths,
        rebuilt=chosen.drawn is not None and chosen.drawn.rebuilt,
    )


def separate(
    drafts: DraftingCost, speedups: Floats, tokens_per_round: Floats, *, rounds: Rounds, verifying_seconds: Floats
) -> SeparatePlacement | None:
    """Return the comparison of a drafter on GPUs of its own with the same one on the target's; None if it is there.

    Args:
        drafts: Its drafting seconds, both ways.
        speedups: With its own GPUs, shape (batches, cap + 1).
        tokens_per_round: Shape (cap + 1,).
        rounds: The grid.
        verifying_seconds: Shape (batches, cap + 1).
    """
    if drafts.same_seconds is None or drafts.link_seconds is None or drafts.gpus is None:
        return None
    same = speedup.speedup(
        tokens_per_round,
        step_seconds=rounds.step_seconds,
        verifying_seconds=verifying_seconds,
        drafting_seconds=drafts.same_seconds,
    )
    pays = np.max(speedups, axis=-1) > np.max(same, axis=-1)
    return SeparatePlacement(
        gpus=int(drafts.gpus[0]),
        link_seconds=drafts.link_seconds[0],
        same_seconds=drafts.same_seconds[0],
        speedup_same=float(np.max(same[0])),
        pays=bool(pays[0]),
        pays_at_batch=rounds.batch[1:, 0][pays[1:]].astype(np.int64),
    )


def mix(drafter: ResolvedDrafter, commits: LineAcceptance, speedups: Floats, best: int) -> MixResult | None:
    """Return the parts of a mix, each also at a draft length of its own; None where all sequences are alike.

    A part's speedup is that of all, times its own tokens per round over those of all: rounds take the same time.

    Args:
        drafter: The line.
        commits: How its drafts are accepted, by part.
        speedups: Of all parts together, shape (cap + 1,).
        best: Their best draft length.
    """
    line = drafter.line
    if not isinstance(line.acceptance, MixedAcceptance):
        return None
    parts = []
    for stated, (share, part) in zip(line.acceptance.parts, commits.parts, strict=True):
        alone = speedups / commits.tokens_per_round * part.tokens_per_round
        own = int(speedup.best_draft_tokens(alone))
        parts.append(
            MixPartResult(
                name=_part_name(stated.acceptance, drafter),
                share=share,
                tokens_per_round=part.tokens_per_round,
                best_draft_tokens=own,
                speedup=float(alone[own]),
            )
        )
    return MixResult(
        parts=tuple(parts),
        speedup_together=float(speedups[best]),
        speedup_apart=sum(part.share * part.speedup for part in parts),
    )


def _part_name(acceptance: ConstantAcceptance | MeasuredAcceptance, drafter: ResolvedDrafter) -> str:
    if isinstance(acceptance, MeasuredAcceptance):
        return drafter.measured[acceptance.preset].name
    return str(acceptance.acceptance)
