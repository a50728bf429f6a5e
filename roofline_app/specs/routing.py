"""Routing: how tokens choose experts."""

from __future__ import annotations

from dataclasses import dataclass

from roofline_app.specs.checks import require_date, require_number, require_source, require_text


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingSpec:
    """Routing: how tokens choose experts.

    Attributes:
        id: Key of the entry, used in links.
        name: Name as shown.
        description: One line that says what is assumed.
        sequence_exponent: A sequence's q tokens of one pass count as q to this power.
        batch_exponent: B sequences count as B to this power.
        source: Who measured what it was fitted on.
        checked: ISO date of the last check.
        error: Largest relative error of the fit; 0 where nothing was fitted.
    """

    id: str
    name: str
    description: str
    sequence_exponent: float
    batch_exponent: float
    source: str
    checked: str
    error: float = 0.0

    def __post_init__(self) -> None:
        """Refuse exponents under which more tokens would touch fewer experts, or more than by chance."""
        require_source(self)
        require_date(self)
        require_text(self, "name", "description")
        require_number(self, "sequence_exponent", "batch_exponent", above=0, most=1)
        require_number(self, "error", least=0)
