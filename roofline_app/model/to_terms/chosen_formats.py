"""A user's choice of number formats over the checkpoint's own."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from roofline_app.specs import LayerFormats, Precision

PUBLISHED = "published"
# What a chosen weight format is stored as.
WEIGHT_FORMATS = {"bf16": "bf16", "fp8": "fp8-block", "fp4": "nvfp4", "int8": "int8", "int4": "int4"}
# A cache has no blocks of weights: its fp8 is one byte per value.
CACHE_FORMATS = {**WEIGHT_FORMATS, "fp8": "fp8"}


class WeightChoice(Protocol):
    """Chosen formats of weights, each a key of `WEIGHT_FORMATS` or `published`."""

    @property
    def experts(self) -> str:
        """Format of routed experts."""

    @property
    def linear(self) -> str:
        """Format of the other linear layers."""

    @property
    def head(self) -> str:
        """Format of the embedding and the output head."""


def with_weights(published: Precision, weights: WeightChoice, kv: str = PUBLISHED) -> Precision:
    """Return a precision with a user's choices.

    Args:
        published: What the checkpoint states.
        weights: Chosen formats of routed experts, of other linear layers, and of embedding and head.
        kv: Chosen format of the cache.

    Returns:
        The precision; parts left at `published` keep theirs, matrix by matrix. Recurrent states never change.

    Raises:
        KeyError: When a choice is no format.
    """
    changes: dict[str, str] = {}
    if weights.experts != PUBLISHED:
        changes["experts"] = WEIGHT_FORMATS[weights.experts]
    if weights.linear != PUBLISHED:
        changes |= dict.fromkeys(("attention", "recurrent", "mlp", "shared"), WEIGHT_FORMATS[weights.linear])
    if weights.head != PUBLISHED:
        changes |= {"head": WEIGHT_FORMATS[weights.head], "embedding": ""}
    if kv != PUBLISHED:
        changes["kv"] = CACHE_FORMATS[kv]
    if not changes:
        return published
    next_token = with_weights(published.next_token, weights, kv) if published.next_token else None
    return replace(published, **changes, layers=_kept(published.layers, set(changes)), next_token=next_token)


def _kept(layers: tuple[LayerFormats, ...], chosen: set[str]) -> tuple[LayerFormats, ...]:
    """Return what a checkpoint states of single matrices, without those of chosen parts."""
    kept = (replace(one, formats=tuple(form for form in one.formats if form[0] not in chosen)) for one in layers)
    return tuple(one for one in kept if one.formats)
