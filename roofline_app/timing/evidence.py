"""What kinds of measured rows stand behind a profile, and how far it was from rows that its fit never saw."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

from roofline_app.model.terms import Experts, Layer, Reach, Recurrence, Transformer
from roofline_app.specs.checks import require, require_choice, require_number

QUANTITIES = ("step", "speedup")
# Rows of one engine on one family from which on their own errors say how large others will be.
LEAST_ROWS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Measured rows of one quantity, of models with routed experts or of those without.

    Attributes:
        quantity: `step` (plain decoding) or `speedup` (rounds of speculation).
        experts: Whether their models have routed experts.
        rows: How many of the profile's engine and family; of all for the pooled profile.
        layers: Kinds of their models' layers: `attention`, `latent`, `sparse`, `recurrence`, `dense`, `experts`.
        formats: Formats of the weights in them.
        median: Median of |log(predicted / measured)| where each row's source was left out of the fit.
        ninth_decile: What nine tenths of the rows stay below then.
        family_ninth_decile: The same where the rows' whole family of accelerators was left out; on the pooled profile.
        worst_family: The largest of the same over families, each by itself.
    """

    quantity: str
    experts: bool
    rows: int
    layers: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    median: float = 0.0
    ninth_decile: float = 0.0
    family_ninth_decile: float = 0.0
    worst_family: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what no rows can leave."""
        require_choice(self, "quantity", QUANTITIES)
        require_number(self, "rows", "median", "ninth_decile", "family_ninth_decile", "worst_family", least=0)
        require(self.rows > 0, "rows", "must be at least 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Where nine tenths of measurements lie beside a prediction.

    Attributes:
        quantity: `step` or `speedup`.
        low: Factor on the prediction.
        high: Factor on the prediction.
        rows: Measured rows of the engine and the family that it rests on; 0 where there are none.
        missing: What has not been measured and has widened the band: `family`, `rounds` or `steps`, else kinds of
            layers and formats.
    """

    quantity: str
    low: float
    high: float
    rows: int
    missing: tuple[str, ...] = ()


def _layer_kinds(layer: Layer) -> set[str]:
    kinds = set[str]()
    for term in layer.memory:
        if isinstance(term, Recurrence):
            kinds.add("recurrence")
        elif term.reach is Reach.SELECTED:
            kinds.add("sparse")
    if layer.memory and not kinds:
        kinds.add("latent" if layer.launches.latent else "attention")
    if layer.feed_forward:
        routed = any(isinstance(term, Experts) for term in layer.feed_forward)
        kinds.add("experts" if routed else "dense")
    return kinds


def kinds_of(terms: Transformer) -> tuple[frozenset[str], frozenset[str]]:
    """Return the kinds of layers of a model, and the formats of their weights.

    Args:
        terms: The model at its formats.
    """
    layers = frozenset(kind for layer in terms.layers for kind in _layer_kinds(layer))
    formats = frozenset(term.format for layer in terms.layers for term in (*layer.projections, *layer.feed_forward))
    return layers, formats


def band(
    quantity: str,
    own: Collection[Evidence],
    pooled: Collection[Evidence],
    terms: Transformer,
    *,
    own_worst: float = 0.0,
) -> Band:
    """Return the band of a calibrated prediction: the error on rows that the fit never saw.

    Args:
        quantity: `step` or `speedup`.
        own: Evidence of the profile, where it is of the accelerator's family.
        pooled: Evidence of the pooled profile, of all rows.
        terms: The model at its formats.
        own_worst: |log(predicted / measured)| of the farthest row of this very model, which the band takes in.

    Returns:
        Its own rows' error by source, of models with or without routed experts as this one; that of all such rows where
        it has few. Where the quantity, a kind of layer or a format has no row, at least the error on families that the
        fit never saw; where the family has none, that of the family which was told worst.
    """
    experts = "experts" in kinds_of(terms)[0]
    of_quantity = [some for some in own if some.quantity == quantity]
    alike = next((some for some in of_quantity if some.experts == experts), None)
    everything = next(some for some in pooled if (some.quantity, some.experts) == (quantity, experts))
    width = alike.ninth_decile if alike and alike.rows >= LEAST_ROWS else everything.ninth_decile
    missing = _missing(quantity, own, of_quantity, terms)
    if "family" in missing:
        width = max(some.worst_family for some in pooled if some.quantity == quantity)
    elif missing:
        width = max(width, everything.family_ninth_decile)
    width = max(width, own_worst)
    return Band(
        quantity=quantity,
        low=math.exp(-width),
        high=math.exp(width),
        rows=alike.rows if alike else 0,
        missing=missing,
    )


def _missing(
    quantity: str, own: Collection[Evidence], of_quantity: Collection[Evidence], terms: Transformer
) -> tuple[str, ...]:
    if not own:
        return ("family",)
    if not of_quantity:
        return ("rounds" if quantity == "speedup" else "steps",)
    layers, formats = kinds_of(terms)
    known_layers, known_formats = (
        {kind for some in of_quantity for kind in getattr(some, name)} for name in ("layers", "formats")
    )
    return (*sorted(layers - known_layers), *sorted(formats - known_formats))
