"""The race as a picture that moves without any script: covers over lines of text, drawn back by style sheet keyframes.

The letters are of one width, so that a cover's place says which tokens are written. Where a user wants no motion, and
where a style sheet means nothing, the picture shows the moment in which the faster column is done. Not every browser
tells a picture what its user wants: `#still` at the end of the address stills it as well.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from roofline_app import format as fmt
from roofline_app.page.figures.canvas import HEIGHT, WIDTH, Picture, text_width
from roofline_app.page.figures.look import Shown
from roofline_app.page.figures.race.view import RaceColumn, RaceView, column_colour, race_view
from roofline_app.page.figures.svg import written
from roofline_app.page.theme import Palette
from roofline_app.text import sentence

MARGIN, GAP = 16, 16
COLUMN = (WIDTH - 2 * MARGIN - GAP) / 2
NAME_Y, RATE_Y, BOX_Y, FINISH_Y, SPEED_Y = 80, 104, 114, HEIGHT - 20, 58
PADDING, LINE, LINES = 10, 16.8, 12
LETTER = 7.2
LETTERS = math.floor((COLUMN - 2 * PADDING) / LETTER)
NAME_LETTERS = math.floor(COLUMN / 7.6)
BOX_HEIGHT = LINES * LINE + 2 * PADDING
ASCENT = 12.2
MONOSPACED = 'ui-monospace, "Cascadia Mono", Consolas, "DejaVu Sans Mono", "Noto Sans Mono CJK SC", monospace'
# How long the slower column writes, and how long the finished race stands.
PLAY_SECONDS, REST_SECONDS = 9.0, 2.5
STILL = "still"
_ROUND = (5.0, 2.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of text.

    Attributes:
        text: Its letters.
        first: Position of its first token.
        ends: Letters up to the end of each of its tokens.
    """

    text: str
    first: int
    ends: tuple[int, ...]


def cut(text: str, letters: int) -> str:
    """Return a text cut to as many letters, with a mark where it goes on."""
    if text_width(text) <= letters:
        return text
    kept = next(end for end in range(len(text), -1, -1) if text_width(text[:end]) < letters)
    return f"{text[:kept].rstrip()}…"


def lines(pieces: Sequence[str]) -> tuple[Line, ...]:
    """Return as many lines as the box holds; a word that does not fit starts the next line.

    Args:
        pieces: Tokens as text; they start again where they end.
    """
    found, line, ends, first = list[Line](), "", list[int](), 0
    for index, word in _words(pieces):
        if line and text_width(line + "".join(word)) > LETTERS:
            found.append(Line(text=line, first=first, ends=tuple(ends)))
            line, ends, first = "", [], index
            if len(found) == LINES:
                return tuple(found)
        for piece in word:
            line += piece if line else piece.lstrip()
            ends.append(text_width(line))
    return tuple(found)


def _words(pieces: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the pieces of each word with the position of its first, for ever."""
    starts = [index for index, piece in enumerate(pieces) if index == 0 or _can_break(pieces[index - 1], piece)]
    passed = 0
    while True:
        for start, end in pairwise([*starts, len(pieces)]):
            word = list(pieces[start:end])
            yield passed + start, [f" {word[0]}", *word[1:]] if passed and not start else word
        passed += len(pieces)


def _can_break(before: str, piece: str) -> bool:
    """Return whether a line may end before a piece: at a space, or between characters that are words themselves."""
    return piece[0].isspace() or (text_width(piece) > len(piece) and text_width(before) > len(before))


def tokens_at(column: RaceColumn, seconds: float, most: int) -> int:
    """Return the number of tokens in a column at a time, up to a limit."""
    rounds = int(np.searchsorted(column.seconds(), seconds * (1 + 1e-9), side="right"))
    return min(sum(column.burst_tokens[:rounds]), most)


def slowness(seconds: float) -> float:
    """Return 1, 2 or 5 times a power of ten by which a race of some seconds is stretched to be seen."""
    wanted = PLAY_SECONDS / seconds
    power = 10.0 ** math.floor(math.log10(wanted))
    return next(step * power for step in _ROUND if step * power <= wanted * (1 + 1e-9))


@dataclass(frozen=True, slots=True, kw_only=True)
class Race:
    """A race that fits the picture.

    Attributes:
        view: What is raced.
        lines: The text, the same in both columns.
        palette: Colours.
        language: Language of the words.
    """

    view: RaceView
    lines: tuple[Line, ...]
    palette: Palette
    language: str

    @property
    def tokens(self) -> int:
        """Tokens that the text has."""
        return min(self.lines[-1].first + len(self.lines[-1].ends), self.view.tokens)

    def finish(self, column: RaceColumn) -> float:
        """Return when a column is done."""
        burst = int(np.searchsorted(np.cumsum(column.burst_tokens), self.tokens))
        return float(column.seconds()[min(burst, len(column.burst_tokens) - 1)])

    def moving(self) -> str:
        """Return the race as SVG that moves, over and over."""
        slowest = max(self.finish(column) for column in self.view.columns)
        slow = slowness(slowest)
        period = slowest * slow + REST_SECONDS
        frames = [
            frame
            for place, column in enumerate(self.view.columns)
            for frame in self._frames(column, place, slow / period)
        ]
        speed = written(WIDTH - MARGIN, SPEED_Y, self._speed(slow), self.palette.muted, text_anchor="end")
        return f'<style>{_style(frames, period)}</style><g id="{STILL}">{self.still()}</g>{speed}'

    def still(self) -> str:
        """Return the moment in which the faster column is done, as SVG."""
        moment = min(self.finish(column) for column in self.view.columns)
        parts = list[str]()
        for place, column in enumerate(self.view.columns):
            left = MARGIN + place * (COLUMN + GAP)
            parts.append(self._head(column, left) + self._text(column, place, left, moment))
            finished = sentence(
                "page.race_finished",
                self.language,
                tokens=fmt.count(min(self.tokens, column.tokens)),
                seconds=fmt.seconds(self.finish(column)),
            )
            parts.append(written(left, FINISH_Y, finished, self.palette.muted))
        return "".join(parts)

    def _speed(self, slow: float) -> str:
        if slow == 1:
            return sentence("page.race_real", self.language)
        key, times = ("page.race_slower", slow) if slow > 1 else ("page.race_faster", 1 / slow)
        return sentence(key, self.language, times=fmt.significant(times, 1))

    def _head(self, column: RaceColumn, left: float) -> str:
        words = cut(column.name, NAME_LETTERS)
        name = written(left, NAME_Y, words, self.palette.text, font_size="13", font_weight="bold")
        rate, colour = fmt.rate(column.tokens_per_second), column_colour(column, self.palette)
        return name + written(left, RATE_Y, rate, colour, font_size="24", font_weight="bold")

    def _text(self, column: RaceColumn, place: int, left: float, moment: float) -> str:
        """Return a column's text, each line below a cover that stands as it does at a moment."""
        there = tokens_at(column, moment, self.tokens)
        box = f'<rect x="{left:g}" y="{BOX_Y}" width="{COLUMN:g}" height="{BOX_HEIGHT:g}" rx="5"'
        parts = [f'{box} fill="{self.palette.shade}"/><g font-family="{MONOSPACED.replace(chr(34), chr(39))}">']
        for number, line in enumerate(self.lines):
            y = BOX_Y + PADDING + number * LINE
            wide = {"textLength": f"{text_width(line.text) * LETTER:.1f}", "lengthAdjust": "spacingAndGlyphs"}
            share = _covered(line, there)
            parts.append(written(left + PADDING, y + ASCENT, line.text, self.palette.text, **wide))
            parts.append(
                f'<g transform="translate({left + PADDING + LETTERS * LETTER:.1f} {y:.1f})">'
                f'<rect class="{_name(place, number)}" x="{-LETTERS * LETTER:.1f}" width="{LETTERS * LETTER + 1:.1f}" '
                f'height="{LINE:g}" fill="{self.palette.shade}" transform="scale({share:.4f} 1)"/></g>'
            )
        return "".join([*parts, "</g>"])

    def _frames(self, column: RaceColumn, place: int, shares_per_second: float) -> Iterator[str]:
        """Yield the keyframes of each line: how far its cover has gone when each burst is there."""
        seconds = column.seconds()
        totals = np.minimum(np.cumsum(column.burst_tokens), self.tokens)
        for number, line in enumerate(self.lines):
            last = line.first + len(line.ends)
            stops = ["0%{transform:none}"]
            touched = (totals > line.first) & (np.concatenate(([0], totals[:-1])) < last)
            for at, total in zip(seconds[touched], totals[touched], strict=True):
                share = _covered(line, int(total))
                stops.append(f"{at * shares_per_second * 100:.2f}%{{transform:scaleX({share:.3f})}}")
            done = _covered(line, self.tokens)
            yield f"@keyframes {_name(place, number)}{{{''.join(stops)}to{{transform:scaleX({done:.3f})}}}}"


def _name(place: int, number: int) -> str:
    return f"{'pq'[place]}{number}"


def _covered(line: Line, tokens: int) -> float:
    """Return the share of a line that is covered while so many tokens are there."""
    there = min(max(tokens - line.first, 0), len(line.ends))
    return 1.0 - (line.ends[there - 1] / LETTERS if there else 0.0)


def _style(frames: Sequence[str], period: float) -> str:
    names = [_name(place, number) for place in (0, 1) for number in range(len(frames) // 2)]
    classes = ",".join(f".{name}" for name in names)
    named = "".join(f".{name}{{animation-name:{name}}}" for name in names)
    moving = f"{classes}{{animation:{period:.2f}s step-end infinite}}{named}"
    still = f"#{STILL}:target rect{{animation:none}}"
    return f"@media (prefers-reduced-motion:no-preference){{{moving}}}{still}{''.join(frames)}"


def moving_race(view: RaceView, palette: Palette, language: str) -> Picture:
    """Return a race that moves."""
    drawn = Race(view=view, lines=lines(view.pieces), palette=palette, language=language)
    return Picture(content=drawn.moving(), description=_description(view, language))


def still_race(view: RaceView, palette: Palette, language: str) -> Picture:
    """Return the moment of a race in which the faster column is done."""
    drawn = Race(view=view, lines=lines(view.pieces), palette=palette, language=language)
    return Picture(content=drawn.still(), description=_description(view, language))


def _description(view: RaceView, language: str) -> str:
    said = [
        sentence("page.race_said", language, name=one.name, rate=fmt.rate(one.tokens_per_second))
        for one in view.columns
    ]
    return " ".join([*said, view.note])


def poster(shown: Shown, palette: Palette) -> Picture:
    """Return the figure as a poster, which moves."""
    return moving_race(
        race_view(shown.evaluation, shown.evaluation.scenario.seed, shown.language), palette, shown.language
    )
