"""Terms of a drawn drafter where no checkpoint is built like it: another width than the target's, next-token layers.

Assumed: a drafter of another width than the target's has an embedding of its own, of the target's words, and a matrix
onto the target's width before a head that it shares.
"""

from __future__ import annotations

from dataclasses import replace

from roofline_app.model.dimensions import ModelSpec
from roofline_app.model.terms import Layer, Projection, Transformer
from roofline_app.model.to_terms import weight_bytes
from roofline_app.model.to_terms.caches import Formats
from roofline_app.specs import stored_as
from roofline_app.speculation.drafting.drafter_terms import DraftTerms
from roofline_app.speculation.drafting.sequential_terms import PLAIN

_MORE_NORMS = 2


def _matrix(parameters: int, stored: str, formats: Formats) -> Projection:
    form, size = stored_as(stored, formats)
    return Projection(parameters=parameters, bytes_per_parameter=size, format=form)


def of_other_width(
    terms: DraftTerms, width: int, target: ModelSpec, stored: str, formats: Formats, *, own_head: bool
) -> DraftTerms:
    """Return terms with what joins a drafter's width to the target's; as they are where both are the same.

    Args:
        terms: Of the drafter.
        width: The drafter's.
        target: The target.
        stored: Format of the drafter's linear layers.
        formats: Every number format by id.
        own_head: Whether its head is its own, which reads the drafter's width.
    """
    target_width = target.dimensions.hidden_size
    if width == target_width:
        return terms
    embedding = target.dimensions.vocab_size * width
    size = formats[PLAIN].bytes_per_value
    body = replace(terms.body, embedding_bytes_per_token=width * size)
    more, more_bytes, head = embedding, embedding * size, terms.head
    if not own_head:
        joining = Layer(count=1, projections=(_matrix(width * target_width, stored, formats),))
        head = replace(head, layers=(*head.layers, joining))
        more, more_bytes = more + width * target_width, more_bytes + weight_bytes(Transformer(layers=(joining,)))
    return replace(
        terms,
        body=body,
        head=head,
        parameters=terms.parameters + more,
        weight_bytes=terms.weight_bytes + more_bytes,
    )


def drawn_next_token(terms: DraftTerms, width: int, target: ModelSpec, stored: str, formats: Formats) -> DraftTerms:
    """Return terms of layers behind a projection of embedding and hidden state, side by side, onto their width.

    Args:
        terms: Of the layers, as a drafter that joins two states and has no intake.
        width: Their width.
        target: The target, whose width both have.
        stored: Format of the projection.
        formats: Every number format by id.

    Source:
        DeepSeek-AI, DeepSeek-V3, 2024, section 2.2.
    """
    target_width, size = target.dimensions.hidden_size, formats[PLAIN].bytes_per_value
    joined = Layer(count=1, projections=(_matrix((target_width + width) * width, stored, formats),))
    # Both inputs are normed before they are joined; the parameters of the drafter count twice the target's width.
    norms, counted = _MORE_NORMS * width, 2 * target_width * width
    return replace(
        terms,
        body=replace(
            terms.body, layers=(joined, *terms.body.layers), other_bytes=terms.body.other_bytes + norms * size
        ),
        parameters=terms.parameters + norms + (target_width + width) * width - counted,
        weight_bytes=terms.weight_bytes + weight_bytes(Transformer(layers=(joined,))) + norms * size,
        state_bytes_per_token=target_width * size,
    )
