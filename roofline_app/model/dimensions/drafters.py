"""A drafter's dimensions: its own layers, what it reads of the target, and whose output head it uses."""

from __future__ import annotations

from dataclasses import dataclass

from roofline_app.model.dimensions.layers import LayerGroup
from roofline_app.specs.checks import (
    require,
    require_date,
    require_positive,
    require_source,
    require_text,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrafterSpec:
    """One drafter with weights.

    Attributes:
        id: Key of the entry; of a generic drafter, the target's id and the kind.
        name: Name as shown.
        kind: Id of its kind.
        targets: Ids of the models that it drafts for.
        source: Who states the figures.
        checked: ISO date of the last check.
        model: Registry id of a separate draft model; empty where the layers are stated here.
        hidden_size: Width of its layers; 0 for a separate draft model.
        layers: Groups of equal layers.
        fused_states: Hidden states of the target that are joined and projected onto the width, per token.
        vocab_size: Words of a head of its own; 0 where it uses the target's.
        block: Draft tokens of one pass, the verified token not counted; 1 where each takes a pass of its own.
        assumed: What no source states, as a sentence; empty where everything is stated.
    """

    id: str
    name: str
    kind: str
    targets: tuple[str, ...]
    source: str
    checked: str
    model: str = ""
    hidden_size: int = 0
    layers: tuple[LayerGroup, ...] = ()
    fused_states: int = 1
    vocab_size: int = 0
    block: int = 1
    assumed: str = ""

    def __post_init__(self) -> None:
        """Refuse a drafter without layers, source or target, and a pass that drafts nothing."""
        require_text(self, "name", "kind")
        require(bool(self.targets), "targets", "must not be empty")
        require_source(self)
        require(bool(self.model) != bool(self.layers), "layers", "must be stated here or be those of a model")
        require_positive(self, "fused_states", "block")
        if self.layers:
            require_positive(self, "hidden_size")
        require_date(self)
