"""Drafting on the roofline: the passes of a round, each through the same work and the same roof as the target's.

A round's first pass also takes the tokens that the last round committed into the drafter's cache. A drafter then makes
one pass per started block of draft tokens, over all of the block's positions whatever the draft length; an
autoregressive one is a drafter of blocks of one token.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

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
    """

    batch: ArrayLike
    draft_tokens: ArrayLike
    committed_tokens: ArrayLike
    context_tokens: ArrayLike
    routing: Routing = INDEPENDENT


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
    if terms.intake_alone:
        further = _parts(rounds, tokens + 1, terms.body, terms.head)
        first = further + _parts(rounds, rounds.committed_tokens, terms.intake)
    else:
        further = _parts(rounds, tokens, terms.body, terms.head)
        taken_in = np.asarray(rounds.committed_tokens, dtype=np.float64)
        first = _parts(rounds, taken_in + (tokens - 1), terms.body)
        first += _parts(rounds, rounds.committed_tokens, terms.intake) + _parts(rounds, tokens, terms.head)
    whole = pass_seconds(first) + np.maximum(count - 1.0, 0.0) * pass_seconds(further)
    return np.where(count > 0.0, whole, 0.0)


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
