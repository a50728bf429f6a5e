"""Groups of equal layers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from roofline_app.model.dimensions.feed_forward import FeedForward
from roofline_app.model.dimensions.mixers import Mixer


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerGroup:
    """Equal layers.

    Attributes:
        mixer: Attention or recurrence; None for a layer that is feed-forward only.
        feed_forward: Feed-forward block; None for a layer that is a mixer only.
        norms: Norm vectors of the model's width in one layer.
        count: How many such layers.
    """

    mixer: Mixer | None
    feed_forward: FeedForward | None
    norms: int = 2
    count: int = 1


def grouped(layers: Iterable[LayerGroup]) -> tuple[LayerGroup, ...]:
    """Return layers with equal ones counted together, in order of first appearance.

    Args:
        layers: Single layers, in the model's order.

    Returns:
        Groups whose counts add up to the number of layers.
    """
    counts = Counter(layers)
    return tuple(
        LayerGroup(mixer=layer.mixer, feed_forward=layer.feed_forward, norms=layer.norms, count=count)
        for layer, count in counts.items()
    )
