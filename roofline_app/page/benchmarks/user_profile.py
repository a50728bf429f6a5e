"""The user's own profile: the offer to fit one to dropped points, its constants, and its errors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from itertools import chain
from statistics import median

from roofline_app import format as fmt, registry
from roofline_app.calibration.benchmarks import Imported, MeasuredPoint
from roofline_app.calibration.user_fit import UserError, UserFit, fit_to_points, user_row
from roofline_app.page.figures.tables import Table, cut_caption
from roofline_app.page.protocol import OwnFit
from roofline_app.scenario import Scenario
from roofline_app.text import sentence
from roofline_app.timing.profiles import SHARES, Calibration

LEAST_RUNS = 1
MOST_RUNS = 2_000
MOST_ROWS = 200
_DIGITS = 4
_MULTIPLES = "grouped_matmul"


class UserProfile:
    """The fit of the user's points; dropped as soon as the points or the setting change."""

    def __init__(self, language: str) -> None:
        """Start without a fit."""
        self.language = language
        self._made_of: object = None
        self._usable: tuple[MeasuredPoint, ...] = ()
        self._left_out = 0
        self._fits: tuple[UserFit, ...] = ()

    def look_at(self, files: Sequence[Imported], scenario: Scenario) -> int:
        """Set the points to fit, and the setting that fills in what the files leave out.

        Args:
            files: What the user dropped.
            scenario: The shown setting.

        Returns:
            How many runs of plain decoding can be used.
        """
        setting = (scenario.model, scenario.gpu, scenario.gpus, scenario.weights, scenario.kv, scenario.engine)
        if self._made_of != (tuple(files), setting):
            self._made_of = (tuple(files), setting)
            points = chain.from_iterable(imported.points for imported in files)
            usable = tuple(point for point in points if user_row(point, scenario))
            self._usable, self._left_out = usable[:MOST_RUNS], max(len(usable) - MOST_RUNS, 0)
            self._fits = ()
        return len(self._usable)

    def fit(self, files: Sequence[Imported], scenario: Scenario) -> None:
        """Fit profiles, one for each engine and family of the points; too few points change nothing."""
        if self.look_at(files, scenario) >= LEAST_RUNS and not self._fits:
            self._fits = fit_to_points(self._usable, scenario)

    def state(self, files: Sequence[Imported], scenario: Scenario) -> OwnFit:
        """Return the offer, and what the fit leaves, as plain values.

        Args:
            files: What the user dropped.
            scenario: The shown setting.
        """
        usable = self.look_at(files, scenario)
        enough = usable >= LEAST_RUNS
        told = "own_fit_done" if self._fits else "own_fit_ready" if enough else "own_fit_few"
        hint = [self._words(told, count=fmt.count(usable))]
        if self._left_out:
            hint.append(self._words("own_fit_most", most=fmt.count(MOST_RUNS), count=fmt.count(self._left_out)))
        said = [f"{told_factor(fitted, self.language)} {left(fitted, self.language)}" for fitted in self._fits]
        tables = [table for fitted in self._fits for table in self._tables(fitted)]
        return {
            "offered": bool(files),
            "ready": enough and not self._fits,
            "hint": " ".join(hint) if files else "",
            "said": [*said, self._words("own_fit_note")] if said else [],
            "tables": [table.as_json() for table in tables],
        }

    def _words(self, key: str, **values: object) -> str:
        return sentence(f"page.{key}", self.language, **values)

    def _tables(self, fitted: UserFit) -> tuple[Table, Table]:
        return errors_table(fitted, self.language), constants_table(fitted, self.language)


def _header(language: str, *keys: str) -> tuple[str, ...]:
    return tuple(sentence(f"page.{key}", language) for key in keys)


def _off(predicted: float, measured: float) -> float:
    return abs(predicted / measured - 1.0)


def _beside(predicted: float, measured: float) -> str:
    return f"{fmt.seconds(predicted)} ({fmt.signed_percent(predicted / measured - 1.0)})"


def _engine(fitted: UserFit) -> str:
    return registry.engine(fitted.engine).name


def _spread(errors: Iterable[float]) -> tuple[str, str]:
    """Return the median and the largest error in words."""
    known = list(errors)
    return fmt.percent(round(median(known), 3)), fmt.percent(round(max(known), 3))


def told_factor(fitted: UserFit, language: str) -> str:
    """Return by how much the points are slower than the closest profile tells, in one sentence."""
    factor = fitted.factor
    return sentence(
        "page.own_fit_factor",
        language,
        engine=_engine(fitted),
        closest=registry.profile(fitted.closest).name,
        factor=fmt.significant(factor.factor),
        low=fmt.significant(factor.low),
        high=fmt.significant(factor.high),
        count=fmt.count(factor.rows),
    )


def left(fitted: UserFit, language: str) -> str:
    """Return the errors of the closest profile and of the fitted one, in one sentence."""
    before, worst_before = _spread(_off(point.before, point.measured) for point in fitted.points)
    after, worst_after = _spread(_off(point.after, point.measured) for point in fitted.points)
    return sentence(
        "page.own_fit_left",
        language,
        engine=_engine(fitted),
        closest=registry.profile(fitted.closest).name,
        count=fmt.count(len(fitted.points)),
        before=before,
        after=after,
        worst_before=worst_before,
        worst_after=worst_after,
    )


def errors_table(fitted: UserFit, language: str) -> Table:
    """Return each point beside the closest profile's prediction and the fitted one's."""

    def row(point: UserError) -> tuple[str, ...]:
        before, after = _beside(point.before, point.measured), _beside(point.after, point.measured)
        return point.label, fmt.count(point.batch), fmt.seconds(point.measured), before, after

    caption = sentence("page.own_errors_caption", language, engine=_engine(fitted))
    return Table(
        caption=cut_caption(caption, len(fitted.points), MOST_ROWS, language),
        header=_header(language, "own_run", "batch_typed", "measured_value", "closest_value", "fitted_value"),
        rows=tuple(row(point) for point in fitted.points[:MOST_ROWS]),
    )


def _number(name: str, value: float) -> str:
    """Return a constant as a plain number in its unit, without separators, so that it can be copied."""
    scale = 1.0 if name in SHARES or name == _MULTIPLES else fmt.MICRO
    return fmt.significant(value / scale, _DIGITS).replace(",", "")


def _unit(name: str, language: str) -> str:
    unit = "share" if name in SHARES else "multiples" if name == _MULTIPLES else "microseconds"
    return sentence(f"constants.{unit}", language)


def constants_table(fitted: UserFit, language: str) -> Table:
    """Return the fitted constants beside those of the closest profile, each with its meaning and unit."""
    closest = registry.profile(fitted.closest).constants
    names = [field.name for field in fields(Calibration)]
    return Table(
        caption=sentence("page.own_constants_caption", language, engine=_engine(fitted)),
        header=_header(language, "own_constant", "own_closest", "own_fitted", "own_unit", "own_meaning"),
        rows=tuple(
            (
                name,
                _number(name, getattr(closest, name)),
                _number(name, getattr(fitted.constants, name)),
                _unit(name, language),
                sentence(f"constants.{name}", language),
            )
            for name in names
        ),
    )
