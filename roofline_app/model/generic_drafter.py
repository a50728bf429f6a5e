"""The drafter that stands in where no entry describes one."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

from roofline_app.model.dimensions import Attention, Dense, DrafterSpec, LayerGroup
from roofline_app.specs.checks import require, require_date, require_source


@dataclass(frozen=True, slots=True, kw_only=True)
class GenericDrafterSpec:
    """The drafter that stands in where a model has none of a kind.

    Attributes:
        id: The kind.
        name: What it is, as shown.
        assumed: What is assumed of it, as a sentence.
        source: Who describes the kind.
        checked: ISO date of the last check.
        model: Registry id of a separate draft model; the sizes are unused then.
        layers: Dense layers.
        heads: Query heads; 0 for as many as the target's width holds.
        head_dim: Size of a head.
        kv_heads: Key-value heads, as far as they divide the heads.
        feed_forward: Inner width of a dense layer, in widths.
        fused_states: Hidden states of the target that it reads.
        vocab_size: Words of its own head; 0 for the target's head.
        block: Draft tokens of one pass; 1 where each takes a pass of its own.
    """

    id: str
    name: str
    assumed: str
    source: str
    checked: str
    model: str = ""
    layers: int = 0
    heads: int = 0
    head_dim: int = 0
    kv_heads: int = 0
    feed_forward: float = 0.0
    fused_states: int = 1
    vocab_size: int = 0
    block: int = 1

    def __post_init__(self) -> None:
        """Refuse an entry with neither layers nor a model."""
        require_source(self)
        require_date(self)
        require(bool(self.model) != bool(self.layers), "layers", "or model, one of them")

    def of_width(self, hidden_size: int, target_id: str) -> DrafterSpec:
        """Return it for a target.

        Args:
            hidden_size: The target's width.
            target_id: The target's id.
        """
        heads = self.heads or max(hidden_size // self.head_dim, 1)
        attention = Attention(heads=heads, kv_heads=gcd(heads, self.kv_heads), head_dim=self.head_dim)
        block = Dense(intermediate_size=round(self.feed_forward * hidden_size))
        return DrafterSpec(
            id=f"generic-{self.id}",
            name=self.name,
            kind=self.id,
            targets=(target_id,),
            source=self.source,
            checked=self.checked,
            hidden_size=hidden_size,
            layers=(LayerGroup(mixer=attention, feed_forward=block, count=self.layers),),
            fused_states=self.fused_states,
            vocab_size=self.vocab_size,
            block=self.block,
            assumed=self.assumed,
        )
