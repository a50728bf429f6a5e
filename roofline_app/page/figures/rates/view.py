"""Figure 6: tokens per second per user against per GPU, with the batch along each curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from roofline_app import format as fmt
from roofline_app.economics import SECONDS_PER_HOUR, TOKENS_PER_PRICE
from roofline_app.page.figures.axes import Axis, round_ticks
from roofline_app.page.figures.look import Look
from roofline_app.page.figures.pinned_lines import PinnedLine, pinned_rates
from roofline_app.page.figures.rows import Row, columns_as_rows
from roofline_app.page.figures.tables import Table
from roofline_app.page.protocol import KeyEntry
from roofline_app.page.theme import Palette, drafter_colour
from roofline_app.results import Evaluation, Floats, Integers, Rates, RatesByBatch
from roofline_app.text import sentence

MOST_TICKS = 7
NARROW_TICKS = 4
MARGIN = 1.25
ROOM_FOR_WORDS, NARROW_ROOM = 1.6, 2.7  # left of the first point, where a batch is named
NAMED_EVERY = 4
PLAIN = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class RatesCurve:
    """Plain decoding or one drafter; arrays of shape (batches,).

    Attributes:
        line: Position of the drafter, or `PLAIN`.
        name: Name of the line.
        colour: Six hex digits of the user's colour, or empty.
        batch: Sequences decoded together.
        per_user: Tokens per second of one sequence.
        per_gpu: Tokens per second of one accelerator.
        price: USD per million tokens in words, one per batch; empty texts without a price.
        now: Rates at this setting's batch.
        shown: Whether the line is shown.
    """

    line: int
    name: str
    colour: str
    batch: Integers
    per_user: Floats
    per_gpu: Floats
    price: tuple[str, ...]
    now: Rates
    shown: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RatesView:
    """What figure 6 shows; both axes are logarithmic, `price` names dollars at places of the y axis."""

    curves: tuple[RatesCurve, ...]
    named: tuple[tuple[float, float, str], ...]
    largest_batch: int
    x: Axis
    y: Axis
    price: Axis
    pinned: tuple[PinnedLine, ...]


def _prices(rates: RatesByBatch) -> tuple[str, ...]:
    usd = rates.usd_per_million_tokens
    return tuple("" for _ in rates.tokens_per_second_per_gpu) if usd is None else tuple(fmt.usd(price) for price in usd)


def _curves(evaluation: Evaluation, look: Look) -> tuple[RatesCurve, ...]:
    by_batch, economics = evaluation.best_by_batch, evaluation.economics
    shown = look.shown(len(evaluation.drafters))
    plain = sentence("page.plain_step", look.language)
    lines = [(PLAIN, plain, "", by_batch.without, economics.without)]
    lines += [
        (index, result.name, result.colour, by_batch.drafters[index].rates, economics.drafters[index])
        for index, result in enumerate(evaluation.drafters)
    ]
    return tuple(
        RatesCurve(
            line=line,
            name=name,
            colour=colour,
            batch=by_batch.batch,
            per_user=rates.tokens_per_second_per_user,
            per_gpu=rates.tokens_per_second_per_gpu,
            price=_prices(rates),
            now=now,
            shown=line == PLAIN or line in shown,
        )
        for line, name, colour, rates, now in lines
    )


def _axis(values: list[Floats | Integers], most: int, room: float = ROOM_FOR_WORDS) -> Axis:
    low, high = float(np.min(values)) / room, float(np.max(values)) * MARGIN
    ticks = round_ticks(low, high, most)
    return Axis(start=low, end=high, ticks=ticks, labels=tuple(fmt.tick(tick, "").replace(" ", "") for tick in ticks))


def _price_axis(y: Axis, usd_per_gpu_hour: float | None) -> Axis:
    """Return where round prices stand on the y axis: a price times tokens per second per GPU is constant."""
    if not usd_per_gpu_hour:
        return Axis(start=y.start, end=y.end, ticks=(), labels=())
    constant = usd_per_gpu_hour / SECONDS_PER_HOUR * TOKENS_PER_PRICE
    prices = round_ticks(constant / y.end, constant / y.start, MOST_TICKS)
    return Axis(
        start=y.start,
        end=y.end,
        ticks=tuple(constant / price for price in prices),
        labels=tuple(fmt.usd(price) for price in prices),
    )


def rates_view(evaluation: Evaluation, look: Look, *, pinned: Sequence[Evaluation] = ()) -> RatesView:
    """Return the curves; every fourth batch is named beside plain decoding."""
    curves = _curves(evaluation, look)
    behind = pinned_rates(pinned, look.language)
    shown = [curve for curve in curves if curve.shown]
    y = _axis([*(curve.per_gpu for curve in shown), *(line.y for line in behind)], MOST_TICKS)
    per_user = [*(curve.per_user for curve in shown), *(line.x for line in behind)]
    plain = curves[0]
    places = zip(plain.per_user, plain.per_gpu, plain.batch, strict=True)
    named = tuple((float(x), float(y), str(batch)) for x, y, batch in places)[::NAMED_EVERY]
    return RatesView(
        curves=curves,
        named=named,
        largest_batch=evaluation.memory.largest_batch,
        x=_axis(per_user, NARROW_TICKS, NARROW_ROOM) if look.narrow else _axis(per_user, MOST_TICKS),
        y=y,
        price=_price_axis(y, evaluation.economics.usd_per_gpu_hour),
        pinned=behind,
    )


def rates_table(evaluation: Evaluation, language: str) -> Table:
    """Return rates and prices by batch."""
    header = [sentence("page.batch", language)]
    columns = [[str(batch) for batch in evaluation.best_by_batch.batch]]
    for curve in _curves(evaluation, Look(language=language)):
        header.append(sentence("page.column_per_user", language, name=curve.name))
        header.append(sentence("page.column_per_gpu", language, name=curve.name))
        columns.append([fmt.rate(value) for value in curve.per_user])
        columns.append([fmt.rate(value) for value in curve.per_gpu])
        if any(curve.price):
            header.append(sentence("page.column_price", language, name=curve.name))
            columns.append(list(curve.price))
    rows = tuple(zip(*columns, strict=True))
    return Table(caption=sentence("figures.rates_caption", language), header=tuple(header), rows=rows)


def rates_rows(evaluation: Evaluation) -> list[Row]:
    """Return a row per line and batch, for files."""
    by_batch = evaluation.best_by_batch
    lines: list[tuple[str, RatesByBatch]] = [("", by_batch.without)]
    lines += [(line.name, line.rates) for line in by_batch.drafters]
    rows = []
    for name, rates in lines:
        usd = rates.usd_per_million_tokens
        columns = {} if usd is None else {"usd_per_million_tokens": usd}
        rows += columns_as_rows(
            {"drafter": name},
            batch=by_batch.batch,
            tokens_per_second_per_user=rates.tokens_per_second_per_user,
            tokens_per_second_per_gpu=rates.tokens_per_second_per_gpu,
            **columns,
        )
    return rows


def rates_key(view: RatesView, palette: Palette) -> list[KeyEntry]:
    """Return the key of figure 6: plain decoding and each drafter that is shown."""
    return [
        {
            "colour": palette.muted if curve.line == PLAIN else drafter_colour(palette, curve.line, curve.colour),
            "words": curve.name,
        }
        for curve in view.curves
        if curve.shown
    ]
