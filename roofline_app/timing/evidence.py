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
    """Measured rows of one quantity.

    Attributes:
        quantity: `step` (plain decoding) or `speedup` (rounds of speculation).
        rows: How many of the profile's engine and family; of all for the pooled profile.
        layers: Kinds of their models' layers: `attention`, `latent`, `sparse`, `recurrence`, `dense`, `experts`.
        formats: Formats of the weights in them.
        median: Median of |log(predicted / measured)| where each row's source was left out of the fit.
        ninth_decile: What nine tenths of the rows stay below then.
        family_ninth_decile: The same where the rows' whole family of accelerators was left out; on the pooled profile.
    """

    quantity: str
    rows: int
    layers: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    median: float = 0.0
    ninth_decile: float = 0.0
    family_ninth_decile: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what no rows can leave."""
        require_choice(self, "quantity", QUANTITIES)
        require_number(self, "rows", "median", "ninth_decile", "family_ninth_decile", least=0)
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
    quantity: str, own: Collection[Evidence], pooled: Collection[Evidence], terms: Transformer, *, family_known: bool
) -> Band:
    """Return the band of a calibrated prediction: the error on rows that the fit never saw.

    Args:
        quantity: `step` or `speedup`.
        own: Evidence of the profile.
        pooled: Evidence of the pooled profile, of all rows.
        terms: The model at its formats.
        family_known: Whether any rows were measured on the accelerator's family.

    Returns:
        Its own rows' error by source; that of all rows where it has few; where the family, the quantity, a kind of
        layer or a format has no row, at least the error on families that the fit never saw.
    """
    known = next((some for some in own if some.quantity == quantity), None)
    everything = next(some for some in pooled if some.quantity == quantity)
    width = known.ninth_decile if known and known.rows >= LEAST_ROWS else everything.ninth_decile
    missing = _missing(quantity, known, terms, family_known=family_known)
    if missing:
        width = max(width, everything.family_ninth_decile)
    return Band(
        quantity=quantity,
        low=math.exp(-width),
        high=math.exp(width),
        rows=known.rows if known else 0,
        missing=missing,
    )


def _missing(quantity: str, known: Evidence | None, terms: Transformer, *, family_known: bool) -> tuple[str, ...]:
    if not family_known:
        return ("family",)
    if known is None:
        return ("rounds" if quantity == "speedup" else "steps",)
    layers, formats = kinds_of(terms)
    return (*sorted(layers - set(known.layers)), *sorted(formats - set(known.formats)))
