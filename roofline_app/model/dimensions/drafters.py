"""A drafter's dimensions: its own layers, what it reads of the target, and whose output head it uses."""

from __future__ import annotations

from dataclasses import dataclass

from roofline_app.model.dimensions.layers import LayerGroup
from roofline_app.specs.checks import (
    require,
    require_choice,
    require_date,
    require_positive,
    require_source,
    require_text,
)

DRAFTER_MODEL_KINDS = ("mtp", "eagle3", "draft", "block")


@dataclass(frozen=True, slots=True, kw_only=True)
class DrafterSpec:
    """One drafter with weights.

    Attributes:
        id: Key of the entry; of a generic drafter, the target's id and the kind.
        name: Name for readers.
        kind: Drafter kind: one of `DRAFTER_MODEL_KINDS`.
        targets: Ids of the models that it drafts for.
        source: Who states the figures.
        checked: ISO date of the last check.
        model: Registry id of a separate draft model; empty where the layers are stated here.
        hidden_size: Width of its layers; 0 for a separate draft model.
        layers: Groups of equal layers.
        fused_states: Hidden states of the target that are joined and projected onto the width, per token.
        vocab_size: Words of a head of its own; 0 where it uses the target's.
        block_size: Positions of one pass of a block drafter, the root included; 0 for the others.
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
    block_size: int = 0
    assumed: str = ""

    def __post_init__(self) -> None:
        """Refuse a drafter without layers, source or target, and a block that drafts nothing."""
        require_choice(self, "kind", DRAFTER_MODEL_KINDS)
        require_text(self, "name")
        require(bool(self.targets), "targets", "must not be empty")
        require_source(self)
        require(bool(self.model) != bool(self.layers), "layers", "must be stated here or be those of a model")
        require((self.block_size > 1) == (self.kind == "block"), "block_size", "goes with a block, and is at least 2")
        require(self.kind != "eagle3" or len(self.layers) == 1, "layers", "an EAGLE-3 head has layers of one kind")
        require_positive(self, "fused_states")
        if self.layers:
            require_positive(self, "hidden_size")
        require_date(self)
