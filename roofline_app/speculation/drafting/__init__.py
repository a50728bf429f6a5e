"""Drafting: seconds that the draft of a round takes, as a share of a step or from the drafter's own work."""

from roofline_app.speculation.drafting.drafter_terms import (
    DraftTerms,
    as_chain,
    chained_terms,
    model_terms,
    next_token_terms,
    trained_terms,
)
from roofline_app.speculation.drafting.own_work import (
    PassSeconds,
    Round,
    block_draft_tokens,
    link_seconds,
    physical_drafting_seconds,
)
from roofline_app.speculation.drafting.step_share import draft_passes, relative_drafting_seconds

__all__ = [
    "DraftTerms",
    "PassSeconds",
    "Round",
    "as_chain",
    "block_draft_tokens",
    "chained_terms",
    "draft_passes",
    "link_seconds",
    "model_terms",
    "next_token_terms",
    "physical_drafting_seconds",
    "relative_drafting_seconds",
    "trained_terms",
]
