"""The fit repeats the profiles of the data, and reads rows whose source is known."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from importlib import resources

import pytest

from roofline_app import registry
from roofline_app.calibration.fit.fitted_profiles import fit, whole_fit
from roofline_app.calibration.fit.left_out import By, folds
from roofline_app.calibration.fit.measured_rows import measured_rows, sources
from roofline_app.calibration.fit.profiles_toml import profiles_toml
from roofline_app.timing.profiles import SHARES, Calibration, Profile

FITTED = tuple(profile for profile in registry.profiles().values() if profile.is_calibrated)


@cache
def _fit() -> tuple[Profile, ...]:
    return fit()


@pytest.mark.wide
def test_a_fit_repeats_the_constants_of_the_data() -> None:
    for found in _fit():
        stored = registry.profiles()[found.id]
        assert found.constants is not None
        assert stored.constants is not None
        for field in fields(Calibration):
            known, again = (getattr(profile.constants, field.name) for profile in (stored, found))
            assert again == pytest.approx(known, rel=1e-6), (found.id, field.name)


@pytest.mark.wide
def test_a_fit_leaves_the_errors_of_the_data() -> None:
    for found in _fit():
        stored = registry.profiles()[found.id]
        assert (found.rows, found.fitted, len(found.errors)) == (stored.rows, stored.fitted, len(stored.errors))
        for known, again in zip(stored.errors, found.errors, strict=True):
            assert (again.model, again.quantity, again.rows) == (known.model, known.quantity, known.rows)
            assert again.median == pytest.approx(known.median, abs=1e-4)
            assert again.unseen_ninth_decile == pytest.approx(known.unseen_ninth_decile, abs=1e-4)


def test_the_data_hold_profiles_as_a_fit_writes_them() -> None:
    text = resources.files("roofline_app.data").joinpath("profiles.toml").read_text(encoding="utf-8")
    assert text.endswith(profiles_toml(FITTED))


def test_every_constant_but_the_hidden_arithmetic_is_a_share_or_a_short_time() -> None:
    for profile in FITTED:
        constants = profile.constants
        assert constants is not None
        assert all(0.05 < getattr(constants, name) <= 1.0 for name in SHARES)
        times = [field.name for field in fields(constants) if field.name.startswith("seconds_per")]
        assert all(0.0 < getattr(constants, name) < 5e-3 for name in times)
        assert len(fields(constants)) <= 15


def test_models_of_one_shape_are_left_out_together() -> None:
    together = folds(measured_rows(), "model").values()
    assert any({"deepseek-v3", "deepseek-r1"} <= {row.model for row in some} for some in together)


@pytest.mark.parametrize("by", ["source", "model", "family"])
def test_every_row_is_left_out_once(by: By) -> None:
    left_out = [row.id for some in folds(measured_rows(), by).values() for row in some]
    assert sorted(left_out) == sorted(row.id for row in measured_rows())


def test_the_fit_is_well_conditioned() -> None:
    assert whole_fit().solution.condition < 2000


def test_every_row_has_a_source_a_known_model_and_a_known_gpu() -> None:
    for row in measured_rows():
        assert row.source in sources()
        assert row.model in registry.model_ids()
        assert row.gpu in registry.gpu_ids()
        assert {row.linear, row.experts, row.kv} <= registry.formats().keys()
