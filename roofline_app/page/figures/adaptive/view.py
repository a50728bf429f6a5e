"""Adaptive verification against batch: what one line gains if the batch shares the draft tokens of a pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from roofline_app import format as fmt
from roofline_app.evaluation import adaptive
from roofline_app.page.figures.axes import Axis, end_labels, speedup_axis
from roofline_app.page.figures.batch.view import NARROW_TICKS, WIDE_TICKS, batch_axis
from roofline_app.page.figures.look import Shown
from roofline_app.page.figures.pieces import Work
from roofline_app.page.figures.rows import Row
from roofline_app.page.figures.tables import Table
from roofline_app.results import Adaptive, DrafterAdaptive, Evaluation, Floats, Integers, VerifiedRounds
from roofline_app.scenario import Scenario, compared_line, decoding_alone
from roofline_app.text import sentence

WAYS = ("fixed", "by_batch", "adaptive", "oracle")
DASHES = ("6 4", "", "", "2 3")
WIDTHS = (2.0, 2.0, 3.0, 2.0)
MOST_TICKS = 6
# Below half a percent there is nothing to speak of.
LEAST_GAIN = 0.005


@dataclass(frozen=True, slots=True, kw_only=True)
class AdaptiveCurve:
    """One way to verify over the batches; arrays of shape (batches,), empty where it is not there."""

    way: str
    title: str
    label: str
    batch: Integers
    rounds: VerifiedRounds | None
    label_y: float
    colour: str = ""

    @property
    def shown(self) -> bool:
        """Whether it is drawn."""
        return self.rounds is not None

    @property
    def speedup(self) -> Floats:
        """Speedups over plain decoding."""
        return np.empty(0) if self.rounds is None else self.rounds.speedup


@dataclass(frozen=True, slots=True, kw_only=True)
class AdaptiveView:
    """What the figure shows.

    Attributes:
        curves: The four ways, in the order of `WAYS`.
        x: Batches on a log axis.
        y: Speedups.
        batch: The current batch.
        largest_batch: The largest batch that fits into memory.
        fresh: Whether every value is of this setting.
    """

    curves: tuple[AdaptiveCurve, ...]
    x: Axis
    y: Axis
    batch: int
    largest_batch: int
    fresh: bool


def adaptive_scenario(scenario: Scenario) -> Scenario:
    """Return the setting of the figure's line alone, with the budget that it shares."""
    line = scenario.drafters[compared_line(scenario)]
    return replace(decoding_alone(scenario), drafters=(line,), budget=scenario.budget)


def adaptive_work(evaluation: Evaluation) -> Work:
    """Return the one line; earlier values stay until newer ones come."""
    setting = adaptive_scenario(evaluation.scenario)
    return Work(setting=setting, parts={setting.drafters[0]: (setting,)}, join=_joined, keeps=True)


def _joined(pieces: Sequence[Evaluation]) -> Adaptive:
    return adaptive(pieces[0].scenario)


def line_name(evaluation: Evaluation) -> str:
    """Return the name of the figure's line."""
    return evaluation.drafters[compared_line(evaluation.scenario)].name


def rounds_of(line: DrafterAdaptive) -> dict[str, VerifiedRounds]:
    """Return the rounds of each way that there is."""
    ways = {way: getattr(line, way) for way in WAYS}
    return {way: rounds for way, rounds in ways.items() if rounds is not None}


def _found(shown: Shown) -> Adaptive | None:
    scenario = shown.evaluation.scenario
    found = shown.found.values.get(scenario.drafters[compared_line(scenario)])
    return found if isinstance(found, Adaptive) else None


def _fresh(shown: Shown) -> Adaptive | None:
    return None if shown.found.waiting else _found(shown)


def adaptive_view(shown: Shown, *, label_room: float) -> AdaptiveView:
    """Return the four curves over batch.

    Args:
        shown: What the figure shows.
        label_room: Height of one label as a share of the frame's height.
    """
    evaluation, found = shown.evaluation, _found(shown)
    ways = rounds_of(found.drafters[0]) if found else {}
    batch = found.batch if found else np.empty(0, dtype=np.int64)
    top = max((float(rounds.speedup.max()) for rounds in ways.values()), default=1.0)
    y = speedup_axis(top, MOST_TICKS)
    places = end_labels({WAYS.index(way): float(rounds.speedup[-1]) for way, rounds in ways.items()}, y, label_room)
    row = int(np.searchsorted(batch, evaluation.batch))
    curves = tuple(
        AdaptiveCurve(
            way=way,
            title=sentence(f"figures.adaptive_{way}", shown.language),
            label=fmt.speedup(float(ways[way].speedup[min(row, batch.size - 1)])) if way in ways else "",
            batch=batch if way in ways else batch[:0],
            rounds=ways.get(way),
            label_y=places.get(index, 0.0),
        )
        for index, way in enumerate(WAYS)
    )
    return AdaptiveView(
        curves=curves,
        x=batch_axis(evaluation.best_by_batch.batch, NARROW_TICKS if shown.look.narrow else WIDE_TICKS),
        y=y,
        batch=evaluation.batch,
        largest_batch=evaluation.memory.largest_batch,
        fresh=not shown.found.waiting,
    )


def adaptive_note(shown: Shown) -> str:
    """Return the finding in words: what adaptive verification brings, and where most."""
    found = _fresh(shown)
    return finding(found, shown.evaluation, shown.language) if found else ""


def finding(found: Adaptive, evaluation: Evaluation, language: str) -> str:
    """Return in words what a line gains from adaptive verification.

    Args:
        found: Of the line alone.
        evaluation: Of the setting, with all lines.
        language: Of the words.
    """
    line, name = found.drafters[0], line_name(evaluation)
    if line.adaptive is None or line.oracle is None:
        return sentence("figures.adaptive_tree", language, name=name)
    fits = np.flatnonzero(found.batch <= max(evaluation.memory.largest_batch, evaluation.batch))
    gains = (line.adaptive.speedup / line.by_batch.speedup - 1.0)[fits]
    brings = bool(gains.max() >= LEAST_GAIN)
    # Where nothing is brought, the oracle's best batch is named.
    told = gains if brings else (line.oracle.speedup / line.by_batch.speedup)[fits]
    best = fits[int(np.argmax(told))]
    over_fixed = float(line.adaptive.speedup[best] / line.fixed.speedup[best] - 1.0)
    values = {
        "name": name,
        "batch": fmt.count(int(found.batch[best])),
        "gain": fmt.signed_percent(float(gains.max())),
        "fixed_gain": fmt.signed_percent(over_fixed),
        "length": fmt.count(int(line.fixed.draft_tokens.max())),
        "oracle": fmt.signed_percent(float(line.oracle.speedup[best] / line.by_batch.speedup[best] - 1.0)),
    }
    if brings:
        return sentence("figures.adaptive_brings", language, **values)
    alike = not line.mixed and line.spread == 0.0
    key = "figures.adaptive_alike" if alike or line.confidence == 0.0 else "figures.adaptive_nothing"
    return sentence(key, language, **values)


def adaptive_table(shown: Shown) -> Table:
    """Return speedups and verified draft tokens of each way by batch."""
    language, found = shown.language, _fresh(shown)
    header, columns = [sentence("page.batch", language)], list[list[str]]()
    if found:
        columns.append([fmt.count(int(batch)) for batch in found.batch])
        for way, rounds in rounds_of(found.drafters[0]).items():
            title = sentence(f"figures.adaptive_{way}", language)
            header += [title, sentence("figures.adaptive_verified_column", language, way=title)]
            columns.append([fmt.speedup(value) for value in rounds.speedup.tolist()])
            columns.append([fmt.significant(value) if value else "0" for value in rounds.verified_tokens.tolist()])
    rows = tuple(zip(*columns, strict=True))
    return Table(caption=sentence("figures.adaptive_caption", language), header=tuple(header), rows=rows)


def adaptive_rows(shown: Shown) -> list[Row]:
    """Return a row per way and batch, for files."""
    found = _fresh(shown)
    if not found:
        return []
    name = line_name(shown.evaluation)
    return [
        {
            "drafter": name,
            "way": way,
            "batch": int(found.batch[row]),
            "speedup": float(rounds.speedup[row]),
            "draft_tokens": int(rounds.draft_tokens[row]),
            "verified_tokens": float(rounds.verified_tokens[row]),
            "tokens_per_round": float(rounds.tokens_per_round[row]),
            "seconds_per_round": float(rounds.seconds_per_round[row]),
        }
        for way, rounds in rounds_of(found.drafters[0]).items()
        for row in range(found.batch.size)
    ]
