"""How the user looks at the figures, which changes no number."""

from __future__ import annotations

from dataclasses import dataclass, field

from roofline_app.page.figures.measured_points.points import Mark
from roofline_app.page.figures.pieces import Found
from roofline_app.results import Evaluation


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """A band around one line of figure 1: lowest and highest speedups at draft lengths 0..cap."""

    line: int
    low: tuple[float, ...]
    high: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What the page's figures are drawn for.

    Attributes:
        language: Language of the words.
        narrow: Whether the page is as narrow as a phone.
        hidden: Drafter lines that are not drawn, by position.
        lengths: Whether figure 7 names draft lengths instead of speedups.
        marks: Measured points that are drawn.
        banded: Whether figure 1 shows what any one assumption leads to.
        band: That band, once it is there.
        fixed: Whether figure 2 keeps this setting's best draft length at every batch.
    """

    language: str = "en"
    narrow: bool = False
    hidden: frozenset[int] = frozenset()
    fixed: bool = False
    lengths: bool = False
    marks: tuple[Mark, ...] = ()
    banded: bool = False
    band: Band | None = None

    def shown(self, lines: int) -> tuple[int, ...]:
        """Return the positions of the lines that are drawn, all of them where none would be left."""
        return tuple(index for index in range(lines) if index not in self.hidden) or tuple(range(lines))


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a figure shows.

    Attributes:
        evaluation: What follows from the chosen scenario.
        look: How the user looks at it.
        pinned: The evaluations of pinned settings.
        found: What is there of the figure's work in pieces.
    """

    evaluation: Evaluation
    look: Look = field(default_factory=Look)
    pinned: tuple[Evaluation, ...] = ()
    found: Found = field(default_factory=Found)

    @property
    def language(self) -> str:
        """Language of the words."""
        return self.look.language
