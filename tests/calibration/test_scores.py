"""Scores: the choice of a draft length, signs, and what one own row is worth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from roofline_app.calibration.fit.fitted_profiles import whole_fit
from roofline_app.calibration.fit.left_out import By, Error
from roofline_app.calibration.fit.measured_rows import Row, measured_rows
from roofline_app.calibration.own_factor import own_factor, scaled
from roofline_app.calibration.scores import choice, one_own_row, scores, wrong_signs
from roofline_app.timing.profiles import SHARES, Calibration

ROUND = next(row for row in measured_rows() if row.drafter and row.draft_tokens)


def _error(draft_tokens: int, predicted: float, measured: float) -> Error:
    row: Row = replace(ROUND, draft_tokens=draft_tokens)
    return Error(row=row, quantity="speedup", predicted=predicted, measured=measured)


def _unseen(by: By) -> list[Error]:
    return [error for some in whole_fit().unseen[by] for error in some]


def test_a_choice_is_worth_what_was_measured_of_it() -> None:
    found = choice([_error(3, 2.0, 1.8), _error(5, 2.1, 1.75), _error(7, 1.9, 1.5)])
    assert (found.settings, found.exact, found.good) == (1, 0.0, 1.0)
    assert found.worst == pytest.approx(1.75 / 1.8)


def test_settings_with_one_length_hold_no_choice() -> None:
    with pytest.raises(ValueError, match="two measured speedups"):
        choice([_error(3, 2.0, 1.8)])


def test_a_gain_told_for_a_loss_is_a_wrong_sign_unless_it_is_noise() -> None:
    assert wrong_signs([_error(3, 1.2, 0.8), _error(3, 1.2, 1.1), _error(3, 1.2, 0.99)]) == (ROUND.id,)


@pytest.mark.wide
@pytest.mark.parametrize("by", ["source", "model"])
def test_chosen_lengths_of_rows_left_out_are_better_than_the_ideal_profiles(by: By) -> None:
    ideal = next(one for one in scores() if one.predictions == "ideal")
    for across in (False, True):
        found = choice(_unseen(by), across=across)
        assert found.good >= 0.92
        assert found.good > (ideal.choice_across if across else ideal.choice).good
        assert found.worst >= 0.9


def test_one_own_row_takes_a_third_of_the_error_of_decoding() -> None:
    unseen = _unseen("source")
    before = float(np.median([abs(error.relative) for error in unseen if error.row.output_tokens]))
    after = one_own_row(unseen)
    assert after.median <= 0.065
    assert after.median <= 2 * before / 3
    assert after.ninth_decile <= 0.25


def test_plain_decoding_inferred_from_speculative_runs_is_within_ten_per_cent_in_the_median() -> None:
    inferred = [abs(error.relative) for error in _unseen("source") if error.quantity == "speedup"]
    assert np.median(inferred) <= 0.10


def test_more_own_rows_are_believed_more_and_leave_less_doubt() -> None:
    factors = [own_factor([1.5] * count, 0.3) for count in (0, 1, 3, 100)]
    assert [one.factor for one in factors] == sorted(one.factor for one in factors)
    widths = [one.high / one.low for one in factors]
    assert widths == sorted(widths, reverse=True)
    assert factors[0].high == pytest.approx(np.exp(0.3), rel=1e-3)


def test_scaled_constants_scale_every_time() -> None:
    constants = Calibration(**dict.fromkeys(SHARES, 0.4), seconds_per_kernel=1e-6, seconds_per_round=1e-3)
    slower = scaled(constants, 2.0)
    assert all(getattr(slower, name) == 0.2 for name in SHARES)
    assert (slower.seconds_per_kernel, slower.seconds_per_round) == (2e-6, 2e-3)
