"""What the data files say about drafters besides their weights: measured acceptance, routing, links."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from roofline_app.specs.checks import require, require_date, require_source


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptanceSpec:
    """A measured acceptance, in exactly one of its four forms.

    Attributes:
        id: Key of the entry, used in links.
        name: Name for readers.
        kind: Kind of the drafter that it was measured with.
        model: Registry id of the target; empty where the registry has none of this name.
        workload: Name of the workload, as `mix=` names it; empty for what a mix cannot name.
        conditions: What was measured, and how.
        source: Who states the figures.
        checked: ISO date of the last check.
        tokens_per_round: Tokens per round at draft lengths 1, 2, ..., bonus included.
        survival: Chance that the draft token at positions 1, 2, ... commits.
        length: Tokens per round at `draft_tokens` alone.
        lengths: Tokens per round at `draft_tokens`, one for each of `contexts`.
        contexts: Tokens in the cache at which `lengths` were measured, rising.
        draft_tokens: Draft length of `length`, or of `lengths`.
    """

    id: str
    name: str
    kind: str
    model: str
    conditions: str
    source: str
    checked: str
    workload: str = ""
    tokens_per_round: tuple[float, ...] = ()
    survival: tuple[float, ...] = ()
    length: float = 0.0
    lengths: tuple[float, ...] = ()
    contexts: tuple[int, ...] = ()
    draft_tokens: int = 0

    def __post_init__(self) -> None:
        """Refuse what nothing can have measured."""
        require_source(self.source)
        require_date("checked", self.checked)
        for field in ("name", "kind", "conditions"):
            require(bool(getattr(self, field)), field, "must not be empty")
        forms = (self.tokens_per_round, self.survival, self.length, self.lengths)
        require(sum(map(bool, forms)) == 1, "tokens_per_round", "or survival or length or lengths, one of them")
        for draft_tokens, tokens in enumerate(self.tokens_per_round, start=1):
            require(1.0 <= tokens <= draft_tokens + 1.0, "tokens_per_round", f"{tokens} cannot come of {draft_tokens}")
        bounded = all(0.0 <= rate <= 1.0 for rate in self.survival)
        falls = all(later <= earlier for earlier, later in pairwise(self.survival))
        require(bounded and falls, "survival", "must fall from 1 to 0")
        stated = (self.length,) if self.length else self.lengths
        require((self.draft_tokens > 0) == bool(stated), "draft_tokens", "goes with length and lengths")
        for tokens in stated:
            require(1.0 <= tokens <= self.draft_tokens + 1.0, "length", f"{tokens} cannot come of {self.draft_tokens}")
        rises = all(0 < earlier < later for earlier, later in pairwise((0.5, *self.contexts)))
        require(len(self.contexts) == len(self.lengths) and rises, "contexts", "must rise, one for each of lengths")

    @property
    def measured_draft_tokens(self) -> int:
        """Longest draft that was measured."""
        return len(self.tokens_per_round) or len(self.survival) or self.draft_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingSpec:
    """How tokens choose experts.

    Attributes:
        id: Key of the entry, used in links.
        name: Name for readers.
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
        require_source(self.source)
        require_date("checked", self.checked)
        for field in ("sequence_exponent", "batch_exponent"):
            require(0.0 < getattr(self, field) <= 1.0, field, "must be above 0 and at most 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkSpec:
    """A network between the target's GPUs and a drafter's own.

    Attributes:
        id: Key of the entry.
        name: Name for readers.
        latency_seconds: Of one message.
        bytes_per_second: One way.
        source: Who states the figures.
        checked: ISO date of the last check.
    """

    id: str
    name: str
    latency_seconds: float
    bytes_per_second: float
    source: str
    checked: str

    def __post_init__(self) -> None:
        """Refuse what no network can be."""
        require_source(self.source)
        require_date("checked", self.checked)
        require(self.latency_seconds >= 0.0, "latency_seconds", "must be at least 0")
        require(self.bytes_per_second > 0.0, "bytes_per_second", "must be above 0")
