"""The strip below the curves over batch: reasons in words, verify cost and experts touched as two thin lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from roofline_app import format as fmt
from roofline_app.page.figures.axes import EAST_ASIAN_WIDTH, FIRST_EAST_ASIAN, Axis, text_width
from roofline_app.page.figures.batch.reasons import Reason, reasons
from roofline_app.results import Evaluation, Floats
from roofline_app.text import sentence

# Pixels: of the frame of the curves, of the strip, of a line of words, and of the two thin lines.
FRAME, STRIP, LINE, THIN = 220, 100, 14, 34
WORDS_TOP, MOST_LINES = 14, 3
BETWEEN, WORD_WIDTH = 8, 0.86  # words here are neither bold nor large

# What is not divided: a word with the space behind it, a letter of East Asia.
PIECE = re.compile(r"[\u2e80-\uffff]\s*|[^\s\u2e80-\uffff]+\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class StripLine:
    """A thin line, and what stands at its end; places as on the axis of speedups."""

    y: Floats
    values: Floats
    label: str
    label_y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A line of words, centred at a place."""

    x: float
    y: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """What stands below the curves.

    Attributes:
        lines: Verify cost, and experts touched where the model has experts.
        words: Reasons, in lines; none on a narrow page, whose note has them.
        bounds: Batches at which one reason takes over from another.
        reasons: The reasons themselves.
    """

    lines: tuple[StripLine, ...]
    words: tuple[Words, ...]
    bounds: tuple[float, ...]
    reasons: tuple[Reason, ...]


def with_strip(y: Axis) -> Axis:
    """Return an axis of speedups with room for the strip below it."""
    return replace(y, start=y.start - (y.end - y.start) * STRIP / FRAME)


def _width(text: str) -> float:
    """Return about how many pixels a text takes; letters of East Asia are as wide in any weight."""
    east_asian = sum(letter >= FIRST_EAST_ASIAN for letter in text)
    return text_width(text) * WORD_WIDTH + east_asian * EAST_ASIAN_WIDTH * (1 - WORD_WIDTH)


def wrapped(text: str, most: float) -> list[str] | None:
    """Return a text in lines of at most so many pixels; None where a word or the whole does not fit."""
    lines = [""]
    for piece in PIECE.findall(text):
        longer = f"{lines[-1]}{piece}"
        if lines[-1] and _width(longer.rstrip()) > most:
            lines.append(piece)
        else:
            lines[-1] = longer
    lines = [line.strip() for line in lines]
    fits = len(lines) <= MOST_LINES and all(_width(line) <= most for line in lines)
    return lines if fits else None


def _words(found: Sequence[Reason], last: int, y: Axis, frame: tuple[float, float]) -> tuple[Words, ...]:
    width, height = frame
    unit, line_space = (y.end - y.start) / FRAME, LINE * FRAME / height
    said = []
    for reason in found:
        low, high = max(reason.first - 0.5, 0.0), min(reason.last + 0.5, float(last))
        lines = wrapped(reason.words, (high - low) / last * width - BETWEEN)
        middle = 2.0 ** ((low + high) / 2)
        for row, words in enumerate(lines or ()):
            said.append(Words(x=middle, y=y.start - (WORDS_TOP + row * line_space) * unit, text=words))
    return tuple(said)


def _line(values: Floats, most: float, y: Axis, label: str, shift: float) -> StripLine:
    unit = (y.end - y.start) / FRAME
    bottom = y.start - (STRIP - 3) * unit
    places = bottom + values / most * THIN * unit
    return StripLine(y=places, values=values, label=label, label_y=bottom + shift * unit)


def strip(evaluation: Evaluation, y: Axis, language: str, *, frame: tuple[float, float], narrow: bool) -> Strip:
    """Return the strip of the best drafter.

    Args:
        evaluation: The setting.
        y: The axis of speedups, without room for the strip.
        language: Of the words.
        frame: About how wide the frame of the curves is, and how high.
        narrow: Whether the page is as narrow as a phone.
    """
    best = evaluation.drafters.index(evaluation.best_drafter)
    by_batch = evaluation.best_by_batch
    verify, experts = by_batch.drafters[best].verify, evaluation.model.experts
    found = reasons(evaluation, language)
    most = float(np.max(verify.steps))
    said = sentence("figures.batch_verify", language, steps=fmt.significant(most, 2))
    lines = [_line(verify.steps, most, y, said, 26.0 if experts else 16.0)]
    if experts:
        said = sentence("figures.batch_experts", language, touched=fmt.count(experts))
        lines.append(_line(verify.experts_touched, float(experts), y, said, 9.0))
    return Strip(
        lines=tuple(lines),
        words=() if narrow else _words(found, by_batch.batch.size - 1, y, frame),
        bounds=tuple(2.0 ** (reason.first - 0.5) for reason in found if reason.first > 0),
        reasons=found,
    )
