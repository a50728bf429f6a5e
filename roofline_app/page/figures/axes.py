"""Ticks, ends of axes, and labels that keep apart."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

STEPS = (1.0, 2.0, 5.0, 10.0)
MOST_TICKS = 8
TIME_TICKS = 5
LONGEST_STEP = 16
SHORT, SHORT_STEP = 2, 0.2
FEWEST_TICKS = 3
SECONDS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))
# Of axes of speedups: room above the highest, and how far they reach at least.
ROOM_ABOVE, LEAST_TOP = 1.04, 2.0
# Pixels of bold letters of 12 px in a wide typeface (DejaVu Sans); other letters take 9, those of East Asia 12.
LETTER_WIDTHS = {
    4: " '/IJ\\ijl|",
    5: "!(),-.:;[]f",
    6: '"*_`rt',
    7: "?csz",
    8: "$0123456789EFLTaekovxy",
    10: "#&+<=>DGHNOQU^~",
}
LETTER_WIDTHS |= {11: "w", 12: "%@Mm…", 13: "W"}
WIDTHS = {letter: width for width, letters in LETTER_WIDTHS.items() for letter in letters}
COMMON_WIDTH, EAST_ASIAN_WIDTH, FIRST_EAST_ASIAN = 9, 12, "\u1100"


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """Ends and ticks of an axis, with the words at the ticks."""

    start: float
    end: float
    ticks: tuple[float, ...]
    labels: tuple[str, ...]


def text_width(text: str) -> int:
    """Return about how many pixels a text takes in bold letters of 12 px."""
    return sum(WIDTHS.get(letter, EAST_ASIAN_WIDTH if letter >= FIRST_EAST_ASIAN else COMMON_WIDTH) for letter in text)


def shortened(name: str, most: int) -> str:
    """Return a name that fits beside a line: at most this many pixels of bold letters of 12 px."""
    if text_width(name) <= most:
        return name
    kept = name
    while kept and text_width(f"{kept.rstrip()}…") > most:
        kept = kept[:-1]
    return f"{kept.rstrip()}…"


def nice_step(span: float, most: int = MOST_TICKS) -> float:
    """Return the smallest round step that divides a span into at most this many parts."""
    rough = span / most
    power = 10.0 ** math.floor(math.log10(rough))
    return next(step * power for step in STEPS if step * power >= rough * (1 - 1e-9))


def linear_axis(end: float, suffix: str, most: int = MOST_TICKS) -> Axis:
    """Return an axis from 0 to just past `end`; where that is nothing, to 1."""
    end = end or 1.0
    step = nice_step(end, most)
    steps = math.ceil(end / step - 1e-9)
    ticks = tuple(step * index for index in range(steps + 1))
    return Axis(start=0.0, end=ticks[-1], ticks=ticks, labels=tuple(f"{tick:g}{suffix}" for tick in ticks))


def seconds_axis(longest: float) -> Axis:
    """Return an axis of seconds from 0 to exactly `longest`, which is positive, in the unit that fits."""
    scale, unit = next(((scale, unit) for scale, unit in SECONDS if longest >= scale), SECONDS[-1])
    axis = linear_axis(longest / scale, f" {unit}", TIME_TICKS)
    return Axis(
        start=0.0, end=longest, ticks=tuple(tick * scale for tick in axis.ticks), labels=("0", *axis.labels[1:])
    )


def speedup_axis(top: float, most: int = MOST_TICKS) -> Axis:
    """Return an axis of speedups from 0 to past the highest, and past the line of plain decoding in any case."""
    return linear_axis(max(top * ROOM_ABOVE, LEAST_TOP), "×", most)


def draft_axis(cap: int, most: int = MOST_TICKS) -> Axis:
    """Return an axis of whole draft lengths from 0 to the cap."""
    step = next(step for step in (1, 2, 4, 8, LONGEST_STEP) if cap / step <= most or step == LONGEST_STEP)
    ticks = tuple(float(tick) for tick in range(0, cap + 1, step))
    return Axis(start=0.0, end=float(cap), ticks=ticks, labels=tuple(f"{tick:g}" for tick in ticks))


def whole_axis(end: int, most: int) -> Axis:
    """Return an axis from 1 to `end`, which is at least 2, named in even steps: whole ones unless it is that short."""
    step = max(nice_step(end, most), 1.0) if end > SHORT else SHORT_STEP
    first = 1.0 if step <= 1.0 else step
    ticks = tuple(first + step * place for place in range(math.floor((end - first) / step + 1e-9) + 1))
    return Axis(start=1.0, end=float(end), ticks=ticks, labels=tuple(f"{tick:g}" for tick in ticks))


def power_ticks(low: float, high: float) -> tuple[float, ...]:
    """Return the powers of ten within [low, high], both positive."""
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    return tuple(10.0**power for power in range(first, last + 1))


def round_ticks(low: float, high: float, most: int) -> tuple[float, ...]:
    """Return at most so many round numbers of a log axis: 1, 2 and 5 of each power of ten, else 1 and 5, else 1."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    fine = tuple(tick for power in powers for tick in (step * 10.0**power for step in (1, 2, 5)) if low <= tick <= high)
    coarse = power_ticks(low, high)
    if len(fine) <= most:
        return fine
    halves = tuple(tick for tick in fine if not math.isclose(tick, 2 * 10.0 ** math.floor(math.log10(tick * 1.001))))
    if len(coarse) < FEWEST_TICKS and len(halves) <= most:
        return halves
    return coarse[:: math.ceil(len(coarse) / most)]


def end_labels(ends: Mapping[int, float], y: Axis, label_room: float) -> Mapping[int, float]:
    """Return where labels stand beside the ends of lines, by line.

    Args:
        ends: Where the lines end, on an axis that starts at 0.
        y: That axis.
        label_room: Height of one label as a share of the frame's height.
    """
    gap = label_room * y.end
    places = kept_apart(tuple(ends.values()), gap, gap / 2, y.end - gap / 2)
    return dict(zip(ends, places, strict=True))


def kept_apart(wanted: Sequence[float], gap: float, low: float, high: float) -> tuple[float, ...]:
    """Return positions near the wanted ones, in the same order, at least `gap` apart and within [low, high].

    Groups that touch move together, so that each group stays centred on what it labels; where all of them do not fit,
    they share the room evenly.
    """
    if not wanted:
        return ()
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    gap = min(gap, (high - low) / max(len(wanted) - 1, 1))
    groups = list[tuple[float, int]]()
    for index in order:
        centre, size = wanted[index], 1
        while True:
            half = gap * (size - 1) / 2
            centre = min(max(centre, low + half), high - half)
            if not groups or centre - half - (groups[-1][0] + gap * (groups[-1][1] - 1) / 2) >= gap * (1 - 1e-9):
                break
            other, others = groups.pop()
            centre = (centre * size + other * others) / (size + others)
            size += others
        groups.append((centre, size))
    placed = [centre + gap * (place - (size - 1) / 2) for centre, size in groups for place in range(size)]
    positions = [0.0] * len(wanted)
    for index, position in zip(order, placed, strict=True):
        positions[index] = position
    return tuple(positions)
