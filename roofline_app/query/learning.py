"""The learning curve of a drafter in a link: what training costs, and the tokens per round that it reaches."""

from __future__ import annotations

from itertools import pairwise

from roofline_app.query.notices import NOTHING, Notices
from roofline_app.query.numbers import Limits, number, written
from roofline_app.scenario import LARGEST_CAP, MOST_LEARNING, LearningCurve

_LEAST = 2
_TOKENS = Limits(least=1, most=LARGEST_CAP + 1)
_USD = Limits(least=0, most=10**12)


def read_learning(text: str, notices: Notices) -> LearningCurve:
    """Return the points of a learning curve; none, with a notice, where the text states no such curve.

    Args:
        text: `usd:tokens;usd:tokens…` with costs rising; where the first numbers are samples, `usd@` of one stands
            before all: `0.02@0:3.1;5e6:3.6`.
        notices: Takes a notice where it is not used.
    """
    each_text, at, points_text = text.rpartition("@")
    each = number(each_text) if at else 1.0
    points = [_point(part, each) for part in points_text.split(";", MOST_LEARNING)] if each else []
    found = tuple(point for point in points if point is not None)
    rises = all(later > earlier for (earlier, _), (later, _) in pairwise(found))
    if len(found) != len(points) or not _LEAST <= len(found) <= MOST_LEARNING or not rises:
        notices.add("not_learning", key="learning", given=text, used=NOTHING, detail=str(MOST_LEARNING))
        return ()
    return found


def _point(text: str, each: float) -> tuple[float, float] | None:
    spent, tokens = map(number, text.partition(":")[::2])
    if spent is None or tokens is None or not _within(tokens, _TOKENS) or not _within(spent * each, _USD):
        return None
    return spent * each + 0.0, tokens + 0.0


def _within(value: float, limits: Limits) -> bool:
    return limits.least <= value <= limits.most


def write_learning(curve: LearningCurve) -> str:
    """Return a learning curve as it stands in a link, its costs in USD."""
    return ";".join(f"{written(usd)}:{written(tokens)}" for usd, tokens in curve)
