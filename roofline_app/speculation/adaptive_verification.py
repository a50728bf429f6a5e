"""Adaptive verification: the requests of a batch share the draft tokens of a verifying pass.

A round drafts as many tokens for every request; the pass then takes those with the greatest *estimated* survival,
whosever they are, up to a budget. Survival falls along a request's draft, so that what is taken of a request is the
beginning of its draft. A pass with the tokens up to any place in that order is a plan; the best plan has the most
tokens per second. All plans are looked at: the seconds of MoE models have kinks, and the rate several summits.

The drafter reports an acceptance for each request. With the chance `confidence` it is the request's own, otherwise that
of any other one, so that `confidence` is the correlation of the reported with the true acceptance. What a report is
worth, the expected survival given it, is the mix of both with these weights. At 0 all requests look alike.

Classes of requests have their shares in every batch, also in one of a single request: its rounds are those of all
requests one after the other.

Source:
    Cheng et al., DSpark: Confidence-Scheduled Speculative Decoding, arXiv 2607.05147; the D-Cut of AngelSlim ranks
    tokens in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from roofline_app.speculation.request_acceptance import RequestSurvival

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Plans:
    """What rounds may draft and verify; arrays of shape (plans,), the first one being plain decoding.

    Attributes:
        draft_tokens: Tokens that are drafted for each request.
        query_tokens: Tokens of a request in the pass, on average over the batch: its own and the verified ones.
        tokens_per_round: Tokens that a request commits on average, bonus token included.
    """

    draft_tokens: Integers
    query_tokens: Floats
    tokens_per_round: Floats


def estimated_survival(requests: RequestSurvival, confidence: float) -> Floats:
    """Return the expected survival of each class's drafts given what the drafter reports, shape of the survival.

    Args:
        requests: The classes.
        confidence: Correlation of the reported with the true acceptance, in [0, 1].
    """
    return confidence * requests.survival + (1.0 - confidence) * requests.mean


def fixed_plans(survival: Floats) -> Plans:
    """Return the plans that verify all that is drafted, at draft lengths 0..γ.

    Args:
        survival: Over all requests, shape (γ,).
    """
    lengths = np.arange(survival.size + 1)
    return Plans(
        draft_tokens=lengths,
        query_tokens=np.asarray(1.0 + lengths),
        tokens_per_round=np.concatenate(([1.0], 1.0 + np.cumsum(survival))),
    )


def adaptive_plans(requests: RequestSurvival, confidence: float) -> Plans:
    """Return the plans that take the tokens with the greatest estimated survival, equal ones together.

    Args:
        requests: The classes, with γ positions.
        confidence: As in `estimated_survival`.

    Returns:
        For each draft length 0..γ, every place at which the order of its tokens can be cut; those that leave out the
        last position are plans of a shorter draft.

    Examples:
        Half of the requests are always accepted, half never; a drafter that knows verifies the former's alone:

        >>> requests = RequestSurvival(share=np.full(2, 0.5), survival=np.array([[0.0], [1.0]]))
        >>> adaptive_plans(requests, 1.0).query_tokens, adaptive_plans(requests, 0.0).query_tokens
        (array([1. , 1.5, 2. ]), array([1., 2.]))
    """
    estimate = estimated_survival(requests, confidence)
    classes, positions = estimate.shape
    depth = np.broadcast_to(np.arange(1, positions + 1), estimate.shape).ravel()
    share = np.broadcast_to(requests.share[:, np.newaxis], (classes, positions)).ravel()
    # Of equal ones the earlier position first: nothing is verified that hangs on an unverified token.
    order = np.lexsort((depth, -estimate.ravel()))
    value, depth, share = estimate.ravel()[order], depth[order], share[order]
    lengths = np.arange(1, positions + 1)[:, np.newaxis]
    drafted = depth <= lengths
    query = np.cumsum(np.where(drafted, share, 0.0), axis=-1)
    tokens = np.cumsum(np.where(drafted, share * value, 0.0), axis=-1)
    cut = drafted & _last_of_equals(value, drafted) & (np.cumsum(depth == lengths, axis=-1) > 0)
    rows, places = np.nonzero(cut)
    found = 1.0 + query[rows, places]
    whole = np.rint(found)
    return Plans(
        draft_tokens=np.concatenate(([0], rows + 1)),
        query_tokens=np.concatenate(([1.0], np.where(np.abs(found - whole) <= _ROUNDING * whole, whole, found))),
        tokens_per_round=np.concatenate(([1.0], 1.0 + tokens[rows, places])),
    )


def _last_of_equals(value: Floats, drafted: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return whether no token after this one, among those drafted, has the same estimate; shape of `drafted`."""
    after = np.concatenate((np.where(drafted, value, -1.0)[:, 1:], np.full((drafted.shape[0], 1), -1.0)), axis=-1)
    # The next drafted token's estimate: the largest of all later ones, as they fall.
    following = np.maximum.accumulate(after[:, ::-1], axis=-1)[:, ::-1]
    return np.asarray(value - following > _ROUNDING)


def best_plan(plans: Plans, seconds: Floats, query_limit: Floats) -> Integers:
    """Return the plan with the most tokens per second, the first of equal ones.

    Args:
        plans: What is possible.
        seconds: Of a round with each plan at each batch, shape (batches, plans).
        query_limit: Most query tokens of a request on average at each batch, shape (batches, 1); plain decoding is
            always possible.

    Returns:
        Its place at each batch, shape (batches,).
    """
    allowed = (plans.query_tokens <= query_limit * (1.0 + _ROUNDING)) | (plans.draft_tokens == 0)
    return np.asarray(np.argmax(np.where(allowed, plans.tokens_per_round / seconds, -1.0), axis=-1), dtype=np.int64)
