"""What stands in where no entry describes a model's drafter of a kind."""

from __future__ import annotations

from dataclasses import dataclass

from roofline_app.specs.checks import require, require_date, require_source, require_text


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
        sequence: Sizes of its sequential part, as its config.json calls them.
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
    sequence: tuple[tuple[str, int], ...] = ()

    def __post_init__(self) -> None:
        """Refuse an entry with neither layers nor a model."""
        require_text(self, "name", "assumed")
        require_source(self)
        require_date(self)
        require(bool(self.model) != bool(self.layers), "layers", "or model, one of them")
