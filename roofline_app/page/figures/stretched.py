"""The frame of a figure as wide as its page, for the moment before BokehJS draws it.

Places along the width are shares of the frame, so that one drawing fits every screen; colours are the style sheet's
variables, so that it fits both themes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

from roofline_app.page.figures.svg import Shares, Surface
from roofline_app.page.theme import DARK, FONT, LIGHT, Palette

LEFT, TOP, BOTTOM = 39, 8, 52
VARIABLES = replace(
    LIGHT,
    background="var(--page)",
    text="var(--text)",
    muted="var(--muted)",
    grid="var(--rule)",
    rule="var(--muted)",
    drafters=tuple(f"var(--drafter-{index})" for index in range(len(LIGHT.drafters))),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretched(Surface):
    """Axes on a drawing as wide as the page.

    Attributes:
        height: Pixels of the drawing.
        right: Pixels beside the frame, for labels.
    """

    DOT: ClassVar[float] = 2
    RING: ClassVar[float] = 6.5
    RING_STROKE: ClassVar[float] = 2.6
    WORDS_GAP: ClassVar[float] = 36
    TITLE_RISE: ClassVar[float] = -4
    TITLE: ClassVar[Mapping[str, str]] = {"font_weight": "bold", "font_size": "13"}

    height: int
    right: int
    palette: Palette = field(default=VARIABLES)

    @property
    def placing(self) -> Shares:
        """The frame, of size 1."""
        return Shares()

    def base_line(self) -> None:
        """Leave the axis below to the page."""

    def drawing(self) -> str:
        """Return the scales and all that was drawn on them, as markup."""
        behind = replace(self, lines=[], marks=[])
        behind.scales()
        height = self.height - TOP - BOTTOM
        stretched = 'viewBox="0 0 1 1" preserveAspectRatio="none" width="100%" height="100%"'
        return (
            f'<div class="first-paint" aria-hidden="true" style="padding:{TOP}px {self.right}px {BOTTOM}px {LEFT}px">'
            f'<svg width="100%" height="{height}" font-family=\'{FONT}\' font-size="12">'
            f"<svg {stretched}>{''.join([*behind.lines, *self.lines])}</svg>"
            f"{''.join([*behind.marks, *self.marks])}</svg></div>"
        )


def colours() -> str:
    """Return the style sheet's variables for both themes."""

    def variables(palette: Palette) -> str:
        return "".join(f"--drafter-{index}:{colour};" for index, colour in enumerate(palette.drafters))

    return f':root{{{variables(LIGHT)}}}:root[data-theme="dark"]{{{variables(DARK)}}}'
