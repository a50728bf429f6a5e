"""The drafter that stands in where no entry describes one."""

from __future__ import annotations

from math import gcd
from typing import Any

from roofline_app.model.config_json.drafter_sequence import read_sequence
from roofline_app.model.config_json.fields import Fields
from roofline_app.model.dimensions import Attention, Dense, DrafterSpec, LayerGroup, grouped
from roofline_app.specs import DrafterKindSpec, GenericDrafterSpec


def generic_sequence(kind: DrafterKindSpec, hidden_size: int, layers: int) -> dict[str, Any]:
    """Return the fields of a drafter's spec that its kind's sequential part decides, of the kind's usual sizes.

    Args:
        kind: The kind.
        hidden_size: Width of the drafter.
        layers: Its layers.
    """
    sizes = dict(kind.generic.sequence) if kind.generic else {}
    return read_sequence(kind.sequence, Fields(sizes), hidden_size, layers)


def generic_drafter(
    kind: DrafterKindSpec, generic: GenericDrafterSpec, hidden_size: int, target_id: str
) -> DrafterSpec:
    """Return what stands in for a drafter of a kind.

    Args:
        kind: The kind.
        generic: Its sizes.
        hidden_size: The target's width.
        target_id: The target's id.
    """
    heads = generic.heads or max(hidden_size // generic.head_dim, 1)
    attention = Attention(heads=heads, kv_heads=gcd(heads, generic.kv_heads), head_dim=generic.head_dim)
    layer = LayerGroup(mixer=attention, feed_forward=Dense(intermediate_size=round(generic.feed_forward * hidden_size)))
    more = generic_sequence(kind, hidden_size, generic.layers)
    if kind.parallel:
        # The state that masked positions share.
        more["other_parameters"] = generic.fused_states * hidden_size
    return DrafterSpec(
        id=f"generic-{kind.id}",
        name=generic.name,
        kind=kind.id,
        targets=(target_id,),
        source=generic.source,
        checked=generic.checked,
        hidden_size=hidden_size,
        layers=grouped([layer] * generic.layers),
        fused_states=generic.fused_states,
        vocab_size=generic.vocab_size,
        block=generic.block,
        assumed=generic.assumed,
        **more,
    )
