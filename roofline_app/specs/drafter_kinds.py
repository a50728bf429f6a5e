"""Kinds of drafters and their defaults."""

from __future__ import annotations

from dataclasses import dataclass

from roofline_app.specs.checks import (
    require_choice,
    require_date,
    require_number,
    require_positive,
    require_source,
    require_text,
)

DRAFTING = ("free", "token", "block", "host")


@dataclass(frozen=True, slots=True, kw_only=True)
class DrafterKindSpec:
    """A kind of drafter and its defaults.

    Attributes:
        id: The kind's key in links (`ideal`, `mtp`, `eagle3`, `draft`, `block`, `ngram`).
        name: Name for readers.
        drafting: `free`, `token` (one pass per draft token), `block` (one pass per block) or `host` (no weights).
        acceptance: Default chance that a draft token is accepted given that those before it were, in [0, 1].
        cost: Default cost relative to a step (per draft token, or per block).
        description: One line for readers.
        source: Where the defaults come from.
        checked: ISO date of the last check.
        block: Default draft tokens per pass.
        physical: Whether a line that states no cost has that of the drafter's own work.
    """

    id: str
    name: str
    drafting: str
    acceptance: float
    cost: float
    description: str
    source: str
    checked: str
    block: int = 1
    physical: bool = False

    def __post_init__(self) -> None:
        """Refuse what no drafter can be."""
        require_text(self, "id", "name", "description")
        require_source(self)
        require_date(self)
        require_choice(self, "drafting", DRAFTING)
        require_number(self, "acceptance", least=0, most=1)
        require_number(self, "cost", least=0)
        require_positive(self, "block")
