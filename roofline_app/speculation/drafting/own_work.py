"""Drafting on the roofline: the passes of a round, each through the same work and the same roof as the target's.

A round's first pass also takes the tokens that the last round committed into the drafter's cache. A drafter then makes
one pass per started block of draft tokens, over all of the block's positions whatever the draft length; an
autoregressive one is a drafter of blocks of one token.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from roofline_app.model.terms import Transformer
from roofline_app.speculation.drafting.drafter_terms import DraftTerms
from roofline_app.speculation.drafting.step_share import draft_passes
from roofline_app.timing.workload import INDEPENDENT, ComponentWork, Routing, pass_tokens, work

Floats = NDArray[np.float64]
PassSeconds = Callable[[list[ComponentWork]], Floats]
# Token ids travel as 32-bit integers.
TOKEN_BYTES = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """The rounds of a grid; fields broadcast against each other.

    Attributes:
        batch: Sequences decoded together.
        draft_tokens: Draft length γ.
        committed_tokens: Tokens that a round commits, which the next one takes in; at least 1.
        context_tokens: Tokens already in each sequence's cache.
        routing: How tokens choose experts, for drafters that have some.
        branches: Tokens of each sequence that a pass after the first runs over, of a drafter of single tokens that
            drafts a tree; 1 for a chain.
    """

    batch: ArrayLike
    draft_tokens: ArrayLike
    committed_tokens: ArrayLike
    context_tokens: ArrayLike
    routing: Routing = INDEPENDENT
    branches: int = 1


def block_draft_tokens(terms: DraftTerms, block: int) -> int:
    """Return the draft tokens of one pass: as many as chosen, as far as the checkpoint's block reaches.

    Args:
        terms: The drafter.
        block: Chosen draft tokens per pass.
    """
    return min(block, terms.block)


def physical_drafting_seconds(
    terms: DraftTerms, rounds: Round, pass_seconds: PassSeconds, *, block: int = 1, passes: int = 1
) -> Floats:
    """Return drafting seconds from the drafter's own work.

    Args:
        terms: The drafter.
        rounds: Shape of the rounds.
        pass_seconds: Gives the seconds of one pass from its work, on the node that drafts.
        block: Draft tokens per pass, as far as the checkpoint's block reaches.
        passes: Passes over each block.

    Returns:
        Seconds of all draft passes of a round, broadcast shape; 0 for an empty draft.

    Examples:
        A drafter that is nothing but a head of a gigabyte, read at a terabyte per second for each draft:

        >>> from roofline_app.speculation.drafting import DraftTerms
        >>> nothing = Transformer(layers=())
        >>> head = Projection(parameters=1e9, bytes_per_parameter=1.0, format="fp8")
        >>> terms = DraftTerms(
        ...     body=nothing, head=Transformer(layers=(), head=(head,)), intake=nothing, block=1, intake_alone=False,
        ...     parameters=10**9, weight_bytes=1e9, kv_bytes_per_token=0.0, state_bytes_per_token=0.0,
        ... )
        >>> rounds = Round(batch=1, draft_tokens=[0, 1, 4], committed_tokens=1, context_tokens=0)
        >>> physical_drafting_seconds(terms, rounds, lambda parts: sum(part.bytes for part in parts) / 1e12)
        array([0.   , 0.001, 0.004])
    """
    tokens = block_draft_tokens(terms, block)
    count = draft_passes(rounds.draft_tokens, block=tokens, passes=passes)
    if terms.chained > 1:
        count = np.minimum(count, terms.chained)
    positions, drafted = _positions(terms, rounds, tokens)
    steps = _steps(rounds, terms, max(tokens - terms.skipped, 0))
    if terms.intake_alone:
        further = _parts(rounds, positions, terms.body, terms.head) + steps
        first = further + _parts(rounds, rounds.committed_tokens, terms.intake)
    else:
        further = _parts(rounds, drafted, terms.body, terms.head) + steps
        taken_in = np.asarray(rounds.committed_tokens, dtype=np.float64)
        first = _parts(rounds, taken_in + (positions - 1.0), terms.body)
        first += _parts(rounds, rounds.committed_tokens, terms.intake) + _parts(rounds, positions, terms.head) + steps
    of_first, of_further = pass_seconds(first), pass_seconds(further)
    if terms.chained > 1:
        # Each layer of a chain takes the committed tokens into a cache of its own.
        of_further = of_first
    whole = of_first + np.maximum(count - 1.0, 0.0) * of_further
    return np.where(count > 0.0, whole, 0.0)


def _positions(terms: DraftTerms, rounds: Round, tokens: int) -> tuple[Floats, Floats]:
    """Return the positions of one sequence in a round's first pass, committed tokens aside, and in a further one."""
    if terms.parallel:
        drafted = np.clip(np.asarray(rounds.draft_tokens, dtype=np.float64), 1.0, tokens)
        return drafted, drafted
    undrafted = terms.intake_alone and not terms.anchor_drafts
    first = np.float64(tokens + 1 if undrafted else tokens)
    return np.asarray(first), np.asarray(np.maximum(first, rounds.branches))


def _steps(rounds: Round, terms: DraftTerms, steps: int) -> list[ComponentWork]:
    """Return the work of a block's sequential part, a token of each sequence after the other."""
    if not terms.step.layers or not steps:
        return []
    return [replace(part, count=steps * part.count) for part in _parts(rounds, 1, terms.step)]


def _parts(rounds: Round, query_tokens: ArrayLike, *transformers: Transformer) -> list[ComponentWork]:
    """Return the work of one pass through all transformers."""
    tokens = pass_tokens(
        batch=rounds.batch,
        query_tokens=query_tokens,
        context_tokens=rounds.context_tokens,
        routing=rounds.routing,
    )
    return [part for transformer in transformers for part in work(transformer, tokens)]


def link_seconds(terms: DraftTerms, rounds: Round, *, latency_seconds: float, bytes_per_second: float) -> Floats:
    """Return the seconds that a round spends on the link to a drafter with GPUs of its own.

    The target's hidden states of the committed tokens and the tokens themselves go there, the draft comes back.

    Args:
        terms: The drafter.
        rounds: Shape of the rounds.
        latency_seconds: Of one message.
        bytes_per_second: Of the link, one way.

    Returns:
        Two latencies and the bytes of all sequences over the link, broadcast shape; 0 for an empty draft.
    """
    batch, committed, draft = (
        np.asarray(value, dtype=np.float64) for value in (rounds.batch, rounds.committed_tokens, rounds.draft_tokens)
    )
    sent = committed * (terms.state_bytes_per_token + TOKEN_BYTES) + draft * TOKEN_BYTES
    seconds = 2.0 * latency_seconds + batch * sent / bytes_per_second
    return np.where(draft > 0.0, seconds, 0.0)
