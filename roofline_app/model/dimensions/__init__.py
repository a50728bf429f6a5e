"""A model's dimensions: which layers it has, and the sizes that decide what they read and compute.

A layer is one mixer (attention or a recurrence) and one feed-forward block, either of which may be absent. The three
sources of a model (registry, config.json, a caller's own values) all give a `ModelSpec`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from roofline_app.model.dimensions.drafters import DrafterSpec, SequentialPart
from roofline_app.model.dimensions.feed_forward import Dense, FeedForward, Moe
from roofline_app.model.dimensions.layers import LayerGroup, grouped
from roofline_app.model.dimensions.mixers import (
    Attention,
    CompressedAttention,
    DeltaNet,
    Indexer,
    KimiDelta,
    LatentAttention,
    Lightning,
    Mamba2,
    Mixer,
    Recurrent,
)
from roofline_app.specs import Precision
from roofline_app.specs.checks import require, require_number, require_positive, require_source

__all__ = [
    "ASSUMPTIONS",
    "Attention",
    "CompressedAttention",
    "DeltaNet",
    "Dense",
    "Dimensions",
    "DrafterSpec",
    "FeedForward",
    "Indexer",
    "KimiDelta",
    "LatentAttention",
    "LayerGroup",
    "Lightning",
    "Mamba2",
    "Mixer",
    "ModelSpec",
    "Moe",
    "NextToken",
    "Recurrent",
    "SequentialPart",
    "grouped",
]


# No quantisation is stated; it is, but not which modules it leaves out; the heads of sliding layers are not stated.
ASSUMPTIONS = ("unquantised", "nothing_excluded", "sliding_heads")


@dataclass(frozen=True, slots=True, kw_only=True)
class NextToken:
    """Layers trained to predict further tokens, kept out of every parameter count.

    Attributes:
        count: How many the checkpoint has.
        layer: One of them; its projection of twice the width onto the width comes on top.
        own_head: Whether each has an output head of its own, as large as the model's.
    """

    count: int
    layer: LayerGroup
    own_head: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimensions:
    """The architecture of a model.

    Attributes:
        hidden_size: Width.
        vocab_size: Words of the output head.
        tied: Whether input embedding and output head are one matrix.
        layers: Groups of equal layers.
        streams: Residual streams of hyper-connections; 0 for a plain residual.
        weighs_layers: Whether every block reads a weighted sum of earlier layers' outputs (Kimi-K3).
        next_token: Layers that predict further tokens, where the config states them.
    """

    hidden_size: int
    vocab_size: int
    tied: bool
    layers: tuple[LayerGroup, ...]
    streams: int = 0
    weighs_layers: bool = False
    next_token: NextToken | None = None

    def __post_init__(self) -> None:
        """Refuse a model without width, words or layers."""
        require_positive(self, "hidden_size", "vocab_size")
        require(bool(self.layers), "layers", "must not be empty")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSpec:
    """One model.

    Attributes:
        id: Key of the entry, used in links; `custom` for a user's config.json.
        name: Name as shown.
        family: For grouping.
        dimensions: The architecture.
        precision: Number formats as published.
        max_context_tokens: Longest context that the config states.
        parameters: Published number of parameters; 0 where none is stated.
        active_parameters: Published active ones; 0 where none are stated.
        source: Who states the figures.
        checked: ISO date of the last check.
        aliases: Other names of models of this very shape.
        variants: Figures on which sources disagree, each a sentence.
        reason: Why the chosen figures were chosen.
        assumptions: What a user's config.json leaves out and was assumed: `ASSUMPTIONS`.
    """

    id: str
    name: str
    family: str
    dimensions: Dimensions
    precision: Precision = field(default_factory=Precision)
    max_context_tokens: int
    parameters: float = 0.0
    active_parameters: float = 0.0
    source: str = ""
    checked: str = ""
    aliases: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    reason: str = ""
    assumptions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse facts of the wrong kind, an undated or unlinked source and variants without a reason."""
        require_positive(self, "max_context_tokens")
        for field_name in ("name", "family", "source", "checked", "reason"):
            value = getattr(self, field_name)
            require(isinstance(value, str), field_name, f"{value!r} is not a text")
        for field_name in ("aliases", "variants"):
            texts = getattr(self, field_name)
            require(isinstance(texts, tuple) and all(isinstance(text, str) for text in texts), field_name, "not texts")
        require_number(self, "parameters", "active_parameters", least=0)
        if self.source:
            require_source(self)
        require(set(self.assumptions) <= set(ASSUMPTIONS), "assumptions", f"are some of {', '.join(ASSUMPTIONS)}")
        require(bool(self.reason) or not self.variants, "reason", "variants need one")
