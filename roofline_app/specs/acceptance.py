"""Measured acceptance of drafters."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from roofline_app.specs.checks import require, require_date, require_source, require_text


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptanceSpec:
    """A measured acceptance, in exactly one of its four forms.

    Attributes:
        id: Key of the entry, used in links.
        name: Name as shown.
        kind: Kind of the drafter that it was measured with.
        model: Registry id of the target; empty where the registry has none of this name.
        workload: Name of the workload, as `mix=` names it; empty for what a mix cannot name.
        conditions: What was measured, and how.
        source: Who states the figures.
        checked: ISO date of the last check.
        tokens_per_round: Tokens per round at draft lengths 1, 2, ..., or at those of `measured_at`; bonus included.
        measured_at: Draft lengths of `tokens_per_round`, rising; empty for 1, 2, ...
        survival: Chance that the draft token at positions 1, 2, ... commits.
        length: Tokens per round at `draft_tokens` alone.
        lengths: Tokens per round at `draft_tokens`, one for each of `contexts`.
        contexts: Tokens in the cache at which `lengths` were measured, rising.
        draft_tokens: Draft length of `length`, or of `lengths`; of a tree, its depth.
        topk: Branches of the tree that it was measured with; 1 for a chain.
        verified: Verified nodes of that tree, the verified token not counted; 0 for a chain.
        longest_context: Longest context that it was measured at; 0 where none is stated.
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
    measured_at: tuple[int, ...] = ()
    survival: tuple[float, ...] = ()
    length: float = 0.0
    lengths: tuple[float, ...] = ()
    contexts: tuple[int, ...] = ()
    draft_tokens: int = 0
    topk: int = 1
    verified: int = 0
    longest_context: int = 0

    def __post_init__(self) -> None:
        """Refuse what nothing can have measured."""
        require_source(self)
        require_date(self)
        require_text(self, "name", "kind", "conditions")
        forms = (self.tokens_per_round, self.survival, self.length, self.lengths)
        require(sum(map(bool, forms)) == 1, "tokens_per_round", "or survival or length or lengths, one of them")
        apart = self.measured_at
        rising = all(0 < earlier < later for earlier, later in pairwise((0.5, *apart)))
        require(
            not apart or (rising and len(apart) == len(self.tokens_per_round)), "measured_at", "must rise, one for each"
        )
        drafts = apart or range(1, len(self.tokens_per_round) + 1)
        for draft_tokens, tokens in zip(drafts, self.tokens_per_round, strict=True):
            require(1.0 <= tokens <= draft_tokens + 1.0, "tokens_per_round", f"{tokens} cannot come of {draft_tokens}")
        bounded = all(0.0 <= rate <= 1.0 for rate in self.survival)
        falls = all(later <= earlier for earlier, later in pairwise(self.survival))
        require(bounded and falls, "survival", "must fall from 1 to 0")
        stated = (self.length,) if self.length else self.lengths
        require((self.draft_tokens > 0) == bool(stated), "draft_tokens", "goes with length and lengths")
        for tokens in stated:
            require(1.0 <= tokens <= self.draft_tokens + 1.0, "length", f"{tokens} cannot come of {self.draft_tokens}")
        branches = self.topk > 1
        require(self.topk >= 1 and branches == (self.verified > 0), "topk", "goes with verified")
        require(not branches or self.length > 0, "topk", "goes with length")
        require(self.longest_context >= 0, "longest_context", "must not be negative")
        require(not (self.longest_context and self.contexts), "longest_context", "is the last of contexts")
        rises = all(0 < earlier < later for earlier, later in pairwise((0.5, *self.contexts)))
        require(len(self.contexts) == len(self.lengths) and rises, "contexts", "must rise, one for each of lengths")

    @property
    def measured_draft_tokens(self) -> int:
        """Longest draft that was measured."""
        apart = self.measured_at[-1] if self.measured_at else 0
        return apart or len(self.tokens_per_round) or len(self.survival) or self.draft_tokens
