"""Drafters: curves over draft length, the best point, and the facts behind both."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from roofline_app.model.drawn_drafter import AllSizes
from roofline_app.results.target import Pass

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Best:
    """The shortest draft length that reaches the largest speedup.

    `drafting_steps` is the drafting time of a round in plain decoding steps; `as_good` are the draft lengths whose
    speedup is within 2 % of the largest, itself among them: as close as repeats of one measurement are.
    """

    draft_tokens: int
    speedup: float
    at_cap: bool
    seconds_per_round: float
    tokens_per_round: float
    drafting_steps: float
    as_good: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PhysicalDrafter:
    """A drafter's own weights, and what drafting with them costs on the node.

    Attributes:
        id: Id of the drafter.
        name: Name as shown.
        generic: Whether it stands in for one that no entry describes.
        source: Who states its sizes.
        assumed: What no source states; empty where everything is stated.
        parameters: Its own; a shared head and embedding left out.
        weight_bytes: Their bytes.
        kv_bytes_per_token: Bytes by which its cache grows with each token.
        draft_tokens_per_pass: 1, or those of a block.
        longest_draft: Most draft tokens of a round, of a chain of layers; None without a limit.
        max_context_tokens: Longest context that it was made for; 0 where none is stated.
        seconds: All draft passes of a round at draft lengths 0..cap.
        cost: The same as a share of a step per pass, at the best draft length (at 1 where none pays): what a relative
            cost would have to be.
        sizes: All sizes of one that the user draws; None for others, and where its layers are no dense attention.
        assumed_sizes: Those that the user does not state, as a link would state them.
        joins_widths: Whether it is of another width than the target's, so that something joins both.
        rebuilt: Whether it is drawn as dense attention where what would stand there otherwise is not.
    """

    id: str
    name: str
    generic: bool
    source: str
    assumed: str
    parameters: int
    weight_bytes: float
    kv_bytes_per_token: float
    draft_tokens_per_pass: int
    longest_draft: int | None
    max_context_tokens: int
    seconds: Floats
    cost: float
    sizes: AllSizes | None
    assumed_sizes: tuple[str, ...]
    joins_widths: bool
    rebuilt: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftTree:
    """A tree of draft tokens, whose depth is the draft length.

    Attributes:
        topk: Branches of a node.
        verified_tokens: Nodes that are verified at draft lengths 0..cap, the verified token not counted.
        assumed_ranks: Whether the kind's own acceptance by rank stands in for one that the line does not state.
    """

    topk: int
    verified_tokens: Integers
    assumed_ranks: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SeparatePlacement:
    """A drafter on GPUs of its own, against the same one on the target's.

    Attributes:
        gpus: How many of the same GPU hold its weights and cache.
        link_seconds: Of a round at draft lengths 0..cap.
        same_seconds: Drafting seconds on the target's GPUs at draft lengths 0..cap.
        speedup_same: Best speedup on the target's GPUs.
        pays: Whether the best speedup is larger on its own.
        pays_at_batch: Batches of `BestByBatch` at which it is.
    """

    gpus: int
    link_seconds: Floats
    same_seconds: Floats
    speedup_same: float
    pays: bool
    pays_at_batch: Integers


@dataclass(frozen=True, slots=True, kw_only=True)
class RelaxedAcceptance:
    """What accepting rejected tokens buys, and what share of the output it is.

    Attributes:
        rejected_share: Share of the committed tokens at draft lengths 0..cap that the target would have rejected; None
            for a tree.
        strict_speedup: Best speedup of the same line if nothing were accepted that the target rejects.
    """

    rejected_share: Floats | None
    strict_speedup: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MixPartResult:
    """One part of a mix, alone: `best_draft_tokens` and `speedup` with a draft length of its own."""

    name: str
    share: float
    tokens_per_round: Floats
    best_draft_tokens: int
    speedup: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MixResult:
    """One drafter for all parts at one draft length, against one per part, each at its own."""

    parts: tuple[MixPartResult, ...]
    speedup_together: float
    speedup_apart: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredFrom:
    """Where a measured acceptance comes from.

    Attributes:
        id: Id of its entry.
        name: Name as shown.
        conditions: What was measured, and how.
        source: Who states it.
        contexts: The first and the last, where it was measured by context; else None.
        longest_context: Longest context that it was measured at; 0 where none is stated.
        topk: Branches of the tree that it was measured with; 1 for a chain.
        verified: Verified nodes of that tree; 0 for a chain.
    """

    id: str
    name: str
    conditions: str
    source: str
    contexts: tuple[int, int] | None
    longest_context: int
    topk: int
    verified: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DrafterResult:
    """One drafter's curves over draft lengths 0..cap, and its best point.

    Attributes:
        name: Name of the line, unique within the evaluation.
        kind: Id of its kind.
        hypothetical: Whether it is a bound on what speculation can give, not a drafter that can be built.
        colour: Six hex digits where the user chose a colour, else empty.
        measured_draft_tokens: Last draft length that a measured acceptance covers; None where it is not measured.
        draft_tokens: 0..cap, shape (cap + 1,), as are the arrays below.
        tokens_per_round: Committed tokens per round, bonus token included.
        verifying_seconds: One target pass over draft_tokens + 1 query tokens per sequence, or a tree's nodes + 1.
        drafting_seconds: All draft passes of a round.
        speedup: Against plain decoding; 1 at 0.
        tokens_per_second_per_user: Of one sequence.
        best: The best point.
        verify: The target's pass at the best draft length.
        survival: Chance that the draft token at positions 1..cap commits, falling; its sum is tokens_per_round - 1
            except where tokens per round were measured one by one and do not grow evenly.
        measured: Where a measured acceptance comes from; None for a stated one.
        lossy: Whether rejections are accepted all the same, so that the output's distribution changes.
        cost: Share of a step per draft pass; None where drafting has the cost of the drafter's own work.
        block: Chosen draft tokens per pass.
        tree: The tree that it drafts; None for a chain.
        physical: The drafter's own work; None where it has no weights.
        separate: A drafter on GPUs of its own; None on the target's.
        mix: The parts of a mix; None where all sequences are alike.
        relaxed: What accepting rejected tokens buys; None where none are.
    """

    name: str
    kind: str
    hypothetical: bool
    colour: str
    measured_draft_tokens: int | None
    draft_tokens: Integers
    tokens_per_round: Floats
    verifying_seconds: Floats
    drafting_seconds: Floats
    speedup: Floats
    tokens_per_second_per_user: Floats
    best: Best
    verify: Pass
    survival: Floats
    measured: MeasuredFrom | None
    lossy: bool
    cost: float | None
    block: int
    tree: DraftTree | None
    physical: PhysicalDrafter | None
    separate: SeparatePlacement | None
    mix: MixResult | None
    relaxed: RelaxedAcceptance | None = None
