"""Where the difference between the pinned setting and the shown one comes from: a part after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from roofline_app import format as fmt, query
from roofline_app.difference import Difference, Side, difference, mixtures, side, token_seconds
from roofline_app.evaluation import evaluate
from roofline_app.explanation import in_words, signed_seconds
from roofline_app.page.figures.axes import Axis, seconds_axis
from roofline_app.page.figures.look import Shown
from roofline_app.page.figures.pieces import Work
from roofline_app.page.figures.rows import Row
from roofline_app.page.figures.tables import Table
from roofline_app.results import Evaluation, Floats
from roofline_app.text import sentence

ROOM = 1.04
BEFORE, AFTER = "before", "after"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A bar of the figure: one of the two settings, or a part of their difference.

    Attributes:
        group: `before`, `after`, or the group of inputs.
        seconds: Of a token, or what the part adds to it.
        left: Where the bar begins, in seconds.
        right: Where it ends.
        words: What stands above it.
    """

    group: str
    seconds: float
    left: float
    right: float
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceView:
    """The bars, the pinned setting's first and the shown one's last; none where no setting is pinned."""

    bars: tuple[Bar, ...]
    x: Axis


@lru_cache(maxsize=4)
def _pinned_side(link: str) -> Side:
    return side(evaluate(query.decode(link).scenario))


def difference_work(evaluation: Evaluation) -> Work:
    """Return the settings between the pinned one and the shown one; none where no setting is pinned."""
    link = next(iter(evaluation.scenario.pinned), "")
    if not link:
        return Work(setting="", parts={}, join=_joined)
    before, after = _pinned_side(link), side(evaluation)
    mixed = mixtures(before, after)
    parts = {(swapped, one.draft_tokens): (one.scenario,) for swapped, one in mixed.items()}
    return Work(setting=tuple(parts.items()), parts=parts, join=_joined)


def _joined(pieces: Sequence[Evaluation]) -> Floats:
    return token_seconds(pieces[0])


def found_difference(shown: Shown) -> Difference | None:
    """Return the difference, once everything that it takes is there; None without a pinned setting."""
    values = shown.found.values
    if not values or shown.found.waiting:
        return None
    return difference({swapped: float(seconds[length]) for (swapped, length), seconds in values.items()})


def difference_view(shown: Shown) -> DifferenceView:
    """Return the bars of the shown difference."""
    found = found_difference(shown)
    if found is None:
        return DifferenceView(bars=(), x=seconds_axis(1.0))
    bars = [_whole(BEFORE, found.before, shown.language)]
    reached = found.before
    for part in found.parts:
        words = f"{sentence(f'difference.{part.group}', shown.language)} {signed_seconds(part.seconds)}"
        ends = sorted((reached, reached + part.seconds))
        bars.append(Bar(group=part.group, seconds=part.seconds, left=ends[0], right=ends[1], words=words))
        reached += part.seconds
    bars.append(_whole(AFTER, found.after, shown.language))
    return DifferenceView(bars=tuple(bars), x=seconds_axis(ROOM * max(bar.right for bar in bars)))


def _whole(group: str, seconds: float, language: str) -> Bar:
    words = f"{sentence(f'page.difference_{group}', language)} {fmt.seconds(seconds)}"
    return Bar(group=group, seconds=seconds, left=0.0, right=seconds, words=words)


def difference_note(shown: Shown) -> str:
    """Return the difference in one sentence, or how to get one."""
    found = found_difference(shown)
    if found is not None:
        return in_words(found, "pin", shown.language)
    key = "difference_waits" if shown.evaluation.scenario.pinned else "difference_asks"
    return sentence(f"page.{key}", shown.language)


def difference_table(shown: Shown) -> Table:
    """Return both settings and the parts between them."""
    rows = tuple(
        (
            sentence(f"page.difference_{bar.group}", shown.language)
            if bar.group in {BEFORE, AFTER}
            else sentence(f"difference.{bar.group}", shown.language),
            fmt.seconds(bar.seconds) if bar.group in {BEFORE, AFTER} else signed_seconds(bar.seconds),
        )
        for bar in difference_view(shown).bars
    )
    header = tuple(sentence(f"page.{column}", shown.language) for column in ("difference_group", "quantity_step"))
    return Table(caption=sentence("figures.difference_caption", shown.language), header=header, rows=rows)


def difference_rows(shown: Shown) -> list[Row]:
    """Return the same as numbers."""
    return [{"group": bar.group, "seconds_per_token": bar.seconds} for bar in difference_view(shown).bars]
