"""How right predictions are where it matters: times, speedups, chosen draft lengths, and the sign of a speedup."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from roofline_app.calibration.fit.fitted_profiles import whole_fit
from roofline_app.calibration.fit.left_out import Error
from roofline_app.calibration.fit.measured_rows import Row
from roofline_app.calibration.own_factor import own_factor
from roofline_app.calibration.validation import Comparison, Spread, comparisons, spread

# A choice counts as good whose measured speedup is within this share of the best one's.
GOOD_SHARE = 0.95
# Speedups this close to 1 have no sign: repeats of one setting differ by as much.
SIGN_MARGIN = 0.03


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Draft lengths chosen by prediction among those that were measured in a setting.

    Attributes:
        settings: Settings with at least two measured speedups.
        exact: Share of them in which the choice is the measured best.
        good: Share in which the choice reaches 95 % of the measured best speedup.
        first_decile: Measured speedup of the choice over the best one's that a tenth of the settings stay below.
        worst: The least.
    """

    settings: int
    exact: float
    good: float
    first_decile: float
    worst: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One way of predicting all rows.

    Attributes:
        predictions: `ideal`, `in sample`, `source left out`, `model left out` or `family left out`.
        spreads: Relative errors of `decoding` (client concurrency), other `step`, `speedup` and `verify`.
        choice: Of the draft length of one drafter.
        choice_across: Of drafter and draft length together.
        wrong_signs: Ids of rows that are told a gain where a loss was measured, or a loss for a gain.
    """

    predictions: str
    spreads: Mapping[str, Spread]
    choice: Choice
    choice_across: Choice
    wrong_signs: tuple[str, ...]


def _setting(row: Row, *, across: bool) -> tuple[object, ...]:
    workload, _, checkpoint = row.workload.partition(", ")
    drafted = () if across else (row.drafter, checkpoint)
    return row.source, row.engine, row.model, row.gpu, row.gpus, row.batch, row.context_tokens, workload, *drafted


def choice(errors: Iterable[Error], *, across: bool = False) -> Choice:
    """Return how good the draft lengths are that predictions choose.

    Args:
        errors: Speedups, predicted and measured.
        across: Whether different drafters of one setting are chosen between, too.

    Raises:
        ValueError: When no setting has two measured speedups.
    """
    settings: dict[tuple[object, ...], list[Error]] = {}
    for error in errors:
        if error.quantity == "speedup":
            settings.setdefault(_setting(error.row, across=across), []).append(error)
    reached = []
    for members in settings.values():
        if len(members) > 1:
            chosen = max(members, key=lambda error: error.predicted)
            reached.append(chosen.measured / max(error.measured for error in members))
    if not reached:
        message = "no setting has two measured speedups"
        raise ValueError(message)
    shares = np.array(reached)
    return Choice(
        settings=shares.size,
        exact=float(np.mean(shares == 1.0)),
        good=float(np.mean(shares >= GOOD_SHARE)),
        first_decile=float(np.quantile(shares, 0.1)),
        worst=float(shares.min()),
    )


def wrong_signs(errors: Iterable[Error]) -> tuple[str, ...]:
    """Return the rows that are told a gain where a loss was measured, or the other way round.

    Args:
        errors: Speedups, predicted and measured; those within 3 % of 1 have no sign.
    """
    return tuple(
        error.row.id
        for error in errors
        if error.quantity == "speedup"
        and abs(np.log(error.measured)) > SIGN_MARGIN
        and (error.predicted > 1.0) != (error.measured > 1.0)
    )


def score(predictions: str, errors: Sequence[Error]) -> Score:
    """Return one way of predicting rows as numbers.

    Args:
        predictions: Its name.
        errors: What it predicts for all rows, beside what was measured.
    """
    groups: dict[str, list[float]] = {}
    for error in errors:
        name = "decoding" if error.quantity == "step" and error.row.output_tokens else error.quantity
        groups.setdefault(name, []).append(error.relative)
    return Score(
        predictions=predictions,
        spreads={name: spread(some) for name, some in sorted(groups.items())},
        choice=choice(errors),
        choice_across=choice(errors, across=True),
        wrong_signs=wrong_signs(errors),
    )


def one_own_row(errors: Iterable[Error]) -> Spread:
    """Return the errors of decoding after one own row of the same engine, node, model and format, each row in turn.

    Args:
        errors: What constants predict that were fitted without these rows.
    """
    groups: dict[tuple[object, ...], list[float]] = {}
    for error in errors:
        row = error.row
        if error.quantity == "step" and row.output_tokens:
            key = (row.engine, row.gpu, row.gpus, row.model, row.linear, row.experts)
            groups.setdefault(key, []).append(error.measured / error.predicted)
    logs = np.log([ratio for ratios in groups.values() for ratio in ratios])
    width = float(np.quantile(np.abs(logs), 0.9))
    left = []
    for ratios in groups.values():
        for place, own in enumerate(ratios):
            factor = own_factor([own], width).factor
            left += [factor / other - 1.0 for index, other in enumerate(ratios) if index != place]
    return spread(left)


def _ideal(compared: Iterable[Comparison]) -> list[Error]:
    return [Error(row=one.row, quantity=one.quantity, predicted=one.ideal, measured=one.measured) for one in compared]


def scores() -> tuple[Score, ...]:
    """Return the scores of the ideal profile, of the fit, and of fits without each row's source, model and family."""
    fit = whole_fit()
    found = [score("ideal", _ideal(comparisons()))]
    found.append(score("in sample", [error for some in fit.seen for error in some]))
    for by, unseen in fit.unseen.items():
        found.append(score(f"{by} left out", [error for some in unseen for error in some]))
    return tuple(found)
