"""Figure 10: what output tokens cost against tokens per round, now and after training."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from roofline_app import format as fmt
from roofline_app.economics import SECONDS_PER_HOUR, TOKENS_PER_PRICE, gpus_in_use
from roofline_app.page.figures.acceptance.view import line_length, round_steps
from roofline_app.page.figures.axes import MOST_TICKS, Axis, linear_axis, whole_axis
from roofline_app.page.figures.look import Look
from roofline_app.page.figures.payoff.learning_words import UNKNOWN, learning_rows, learning_words
from roofline_app.page.figures.tables import Table
from roofline_app.results import Evaluation, Floats, Payoff
from roofline_app.text import sentence

NARROW_TICKS = 5
TICKS = 6
PER_TOKEN = 10
ROOM_ABOVE = 1.05


@dataclass(frozen=True, slots=True, kw_only=True)
class PayoffPoint:
    """Tokens per round, and the cost of a million output tokens."""

    words: str
    tokens_per_round: float
    cost: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PayoffView:
    """What figure 10 shows: the cost of a million tokens in dollars, or in GPU hours without a price.

    Attributes:
        line: Position of the drafter.
        name: Its name.
        colour: Six hex digits of the user's colour, or empty.
        tokens_per_round: From 1 to everything accepted.
        cost: Of a million output tokens there.
        points: Now, and after training where that is stated.
        cost_words: What the y axis says.
    """

    line: int
    name: str
    colour: str
    tokens_per_round: Floats
    cost: Floats
    points: tuple[PayoffPoint, ...]
    cost_words: str
    x: Axis
    y: Axis


def _cost_text(cost: float, *, priced: bool) -> str:
    return fmt.usd(cost) if priced else fmt.significant(cost)


def payoff_view(evaluation: Evaluation, look: Look) -> PayoffView:
    """Return the curve of the best drafter: a round's time stays, so that cost falls as tokens per round rise."""
    best = evaluation.best_drafter
    price, plain = evaluation.economics.usd_per_gpu_hour, evaluation.economics.without
    hours = TOKENS_PER_PRICE / SECONDS_PER_HOUR / plain.tokens_per_second_per_gpu
    unit = hours if price is None else hours * price
    length, steps = line_length(best), round_steps(best, evaluation.step.seconds)
    reached = 1.0 + np.arange(length * PER_TOKEN + 1, dtype=np.float64) / PER_TOKEN
    # A drafter's own GPUs cost as much as the target's, as long as it makes decoding faster.
    gpus = evaluation.node.gpus
    speculating = unit * steps * gpus_in_use(best, gpus, length) / gpus
    cost = np.where(steps < reached, speculating / reached, unit)
    now = float(best.tokens_per_round[length])
    stated = [("payoff_now", now)]
    if evaluation.payoff is not None:
        stated.append(("payoff_after", evaluation.payoff.tokens_per_round[1]))
    points = []
    for key, tokens in stated:
        value = speculating / tokens if steps < tokens else unit
        text = _cost_text(value, priced=price is not None)
        words = sentence(f"page.{key}", look.language)
        points.append(PayoffPoint(words=words, tokens_per_round=tokens, cost=value, text=text))
    y = linear_axis(float(np.max(cost)) * ROOM_ABOVE, "", TICKS)
    labels = tuple(_cost_text(tick, priced=price is not None) for tick in y.ticks)
    return PayoffView(
        line=evaluation.drafters.index(best),
        name=best.name,
        colour=best.colour,
        tokens_per_round=reached,
        cost=cost,
        points=tuple(points),
        cost_words=sentence("page.gpu_hours" if price is None else "page.per_million", look.language),
        x=whole_axis(length + 1, NARROW_TICKS if look.narrow else MOST_TICKS),
        y=Axis(start=0.0, end=y.end, ticks=y.ticks, labels=("0", *labels[1:])),
    )


def payoff_words(evaluation: Evaluation, language: str) -> str:
    """Return the payoff of training, in a sentence or two."""
    payoff, between = evaluation.payoff, sentence("page.payoff_between", language)
    name = evaluation.best_drafter.name
    learned = learning_words(evaluation, language)
    if payoff is None:
        return between.join(learned) or sentence("page.payoff_asks", language, name=name)
    said = [
        sentence(
            "page.payoff_speed",
            language,
            name=name,
            now=fmt.significant(payoff.tokens_per_round[0]),
            after=fmt.significant(payoff.tokens_per_round[1]),
            speedup=fmt.speedup(payoff.speedup[0]),
            speedup_after=fmt.speedup(payoff.speedup[1]),
        )
    ]
    if payoff.gpus is not None:
        before, after = (fmt.significant(gpus) for gpus in payoff.gpus)
        said.append(sentence("page.payoff_gpus", language, before=before, after=after))
    if payoff.usd_saved_per_day is not None:
        key = "page.payoff_saves" if payoff.usd_saved_per_day > 0 else "page.payoff_saves_nothing"
        said.append(sentence(key, language, usd=fmt.usd(payoff.usd_saved_per_day)))
    if payoff.break_even_days is not None:
        said.append(sentence("page.payoff_days", language, days=fmt.significant(payoff.break_even_days)))
    return between.join([*said, *learned])


def _cells(values: tuple[float, float] | None, show: Callable[[float], str]) -> tuple[str, str]:
    return (UNKNOWN, UNKNOWN) if values is None else (show(values[0]), show(values[1]))


def _pairs(payoff: Payoff) -> Mapping[str, tuple[str, str]]:
    return {
        "tokens_per_round": _cells(payoff.tokens_per_round, fmt.significant),
        "speedup": _cells(payoff.speedup, fmt.speedup),
        "per_gpu": _cells(payoff.tokens_per_second_per_gpu, fmt.rate),
        "gpus_busy": _cells(payoff.gpus, fmt.significant),
        "usd_per_day": _cells(payoff.usd_per_day, fmt.usd),
    }


def payoff_table(evaluation: Evaluation, language: str) -> Table:
    """Return speed, GPUs and price, now and after training."""
    view = payoff_view(evaluation, Look(language=language))
    pairs = _pairs(evaluation.payoff) if evaluation.payoff else {}
    rows = [(sentence(f"page.{key}", language), *cells) for key, cells in pairs.items()]
    rows += learning_rows(evaluation, language)
    costs = [point.text for point in view.points]
    rows.append((view.cost_words, costs[0], costs[1] if len(costs) > 1 else UNKNOWN))
    header = tuple(sentence(f"page.{key}", language) for key in ("quantity", "payoff_now", "payoff_after"))
    return Table(caption=sentence("figures.payoff_caption", language), header=header, rows=tuple(rows))


def payoff_rows(payoff: Payoff | None) -> list[dict[str, object]]:
    """Return now and after training as rows of numbers, for files."""
    if payoff is None:
        return []
    return [
        {
            "drafter": payoff.name,
            "when": when,
            "draft_tokens": payoff.draft_tokens,
            "tokens_per_round": payoff.tokens_per_round[index],
            "speedup": payoff.speedup[index],
            "tokens_per_second_per_gpu": payoff.tokens_per_second_per_gpu[index],
            "gpus": payoff.gpus[index] if payoff.gpus else None,
            "usd_per_day": payoff.usd_per_day[index] if payoff.usd_per_day else None,
            "break_even_days": payoff.break_even_days,
        }
        for index, when in enumerate(("now", "after"))
    ]
