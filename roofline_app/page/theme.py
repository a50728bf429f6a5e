"""Colours and type of the page, as plain values.

Text colours reach a contrast of 4.5 against their background; lines and marks reach 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

FONT = '"Inter", "Segoe UI", system-ui, -apple-system, "Noto Sans", "Noto Sans SC", sans-serif'
TEXT_SIZE = "12px"
LABEL_SIZE = "13px"
FAINT = 0.4
# The sRGB curve is straight below this.
LINEAR_BELOW = 0.04045
_COLOURS_KEPT = 512


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """One theme's colours.

    Attributes:
        background: Page and figure background.
        text: Words.
        muted: Axis words and ticks.
        grid: Grid lines.
        rule: Axis lines, the 1× line and markers of the current setting.
        shade: Region that does not fit.
        drafters: One colour per drafter line, told apart by users with any colour vision.
        pinned: One colour per pinned setting, where there are several.
        components: Colour by part of a pass.
        memory: Colour by use of memory.
        ramp: Colours of no gain and of the largest.
    """

    background: str
    text: str
    muted: str
    grid: str
    rule: str
    shade: str
    drafters: tuple[str, ...]
    pinned: tuple[str, ...]
    components: dict[str, str]
    memory: dict[str, str]
    ramp: tuple[str, str]


LIGHT = Palette(
    background="#ffffff",
    text="#1c1e21",
    muted="#5c636b",
    grid="#e8eaed",
    rule="#8b929a",
    shade="#eceef1",
    drafters=("#9a6f00", "#2f6db5", "#217a4b", "#a8418f", "#b8501f"),
    pinned=("#0f7c84", "#6a4fb3", "#b3264a"),
    components={
        "feed_forward": "#7a5195",
        "projections": "#4c78a8",
        "attention": "#54a24b",
        "router": "#c9a227",
        "head": "#8f8780",
        "other": "#bab0ac",
        "kernels": "#e0a458",
        "communication": "#3aa6a6",
        "host": "#6b7280",
        "drafting": "#d1605e",
    },
    memory={
        "weights": "#4c78a8",
        "kv": "#54a24b",
        "state": "#c9a227",
        "drafter": "#d1605e",
        "reserve": "#c9cdd2",
    },
    ramp=("#eef1f3", "#0f5c36"),
)
DARK = Palette(
    background="#131517",
    text="#e8eaed",
    muted="#a3a9b0",
    grid="#2a2e32",
    rule="#7d858d",
    shade="#1f2327",
    drafters=("#e3b341", "#6ea8f0", "#5dc48d", "#e08ccb", "#f0915c"),
    pinned=("#4fc3c9", "#b09cf0", "#f07f9a"),
    components={
        "feed_forward": "#a57fc4",
        "projections": "#6f9fd2",
        "attention": "#74bf6b",
        "router": "#dfbd4f",
        "head": "#a39b94",
        "other": "#756f6b",
        "kernels": "#f0c07e",
        "communication": "#5cc8c8",
        "host": "#9aa3af",
        "drafting": "#e98583",
    },
    memory={
        "weights": "#6f9fd2",
        "kv": "#74bf6b",
        "state": "#dfbd4f",
        "drafter": "#e98583",
        "reserve": "#43494f",
    },
    ramp=("#23272b", "#7fe0ab"),
)
PALETTES = {"light": LIGHT, "dark": DARK}


def drafter_colour(palette: Palette, index: int, chosen: str) -> str:
    """Return a line's colour: the user's six hex digits if given, else the palette's."""
    return f"#{chosen}" if chosen else palette.drafters[index % len(palette.drafters)]


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


@lru_cache(maxsize=_COLOURS_KEPT)
def ramp(ends: tuple[str, str], share: float) -> str:
    """Return the colour at a share of the way between two."""
    pairs = zip(_channels(ends[0]), _channels(ends[1]), strict=True)
    return "#" + "".join(f"{round(low + (high - low) * share):02x}" for low, high in pairs)


@lru_cache(maxsize=_COLOURS_KEPT)
def readable(colour: str) -> str:
    """Return the text colour that stands out more on a colour: black or white.

    Source:
        W3C, Web Content Accessibility Guidelines 2.2, relative luminance.
    """
    red, green, blue = (_linear(channel / 255) for channel in _channels(colour))
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "#000000" if (luminance + 0.05) ** 2 > 0.05 * 1.05 else "#ffffff"


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= LINEAR_BELOW else ((channel + 0.055) / 1.055) ** 2.4
