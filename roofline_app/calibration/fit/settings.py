"""Settings of the fit: the tables of `data/fit.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from roofline_app.data import read_toml
from roofline_app.specs.checks import require_number
from roofline_app.specs.table import read_entry

_FILE = "fit.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prior:
    """What is known of a constant before the fit; widths in its logarithm, of shares in that of share / (1 - share).

    Attributes:
        id: The constant.
        value: Expected constant.
        pooled: How far the pooled profile may be from it.
        engine: How far engines are from each other.
        family: How far families of accelerators are.
        pair: How far one engine on one family is from both.
    """

    id: str
    value: float
    pooled: float
    engine: float
    family: float
    pair: float

    def __post_init__(self) -> None:
        """Refuse widths that are none."""
        require_number(self, "value", "pooled", "engine", "family", "pair", above=0)


@cache
def settings() -> Mapping[str, Any]:
    """Return the file's tables: priors, engines, families and further pairs, and when the fit was made."""
    return MappingProxyType(read_toml(_FILE))


@cache
def priors() -> Mapping[str, Prior]:
    """Return the prior of each constant."""
    known = settings()["priors"].items()
    return MappingProxyType({name: read_entry(_FILE, f"priors.{name}", table, Prior) for name, table in known})


def own_scatter() -> float:
    """Return by how much log(measured / predicted) scatters among rows of one engine, node, model and format."""
    return float(settings()["own_scatter"])


def robust_error() -> float:
    """Return the relative error beyond which the loss grows linearly."""
    return float(settings()["robust_error"])
