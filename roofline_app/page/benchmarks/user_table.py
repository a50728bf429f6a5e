"""The user's own runs as a table, each beside the shown setting's prediction of it."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from roofline_app import format as fmt
from roofline_app.calibration.benchmarks import MeasuredPoint
from roofline_app.calibration.prediction import Prediction, predicted
from roofline_app.page.benchmarks.user_points import MOST_MARKS, UserPoints
from roofline_app.page.figures.tables import Table, cut_caption
from roofline_app.results import Evaluation
from roofline_app.scenario import Presentation, Scenario, with_pinned
from roofline_app.text import sentence

MOST_ROWS = 200
# Each takes an evaluation of its own, for which a control that moves does not wait longer than for the figures.
MOST_PREDICTED = 20
_UNKNOWN = "–"
_COLUMNS = ("measured_by", "mark_setting", "tokens_per_round", "quantity_step", "own_predicted", "conditions")


@lru_cache(maxsize=4 * MOST_PREDICTED)
def _prediction(point: MeasuredPoint, scenario: Scenario) -> Prediction | None:
    return predicted(point, scenario)


def _words(point: MeasuredPoint, scenario: Scenario) -> str:
    """Return the predicted time and its error, for which the run's own tokens per round count."""
    found = _prediction(replace(point, stream=None), scenario)
    if found is None:
        return _UNKNOWN
    return f"{fmt.seconds(found.seconds_per_token)} ({fmt.signed_percent(found.error)})"


def own_table(own: UserPoints, evaluation: Evaluation, language: str) -> Table:
    """Return every run that can be of the shown model and GPU.

    Args:
        own: The user's points.
        evaluation: Of the shown setting.
        language: Of the words.
    """
    runs = own.runs_of(evaluation)
    scenario = replace(with_pinned(evaluation.scenario), presentation=Presentation())
    rows = [
        (
            point.label or imported.file_name,
            own.setting(point),
            fmt.significant(point.tokens_per_round) if point.tokens_per_round else _UNKNOWN,
            fmt.seconds(point.seconds_per_token) if point.seconds_per_token else _UNKNOWN,
            _words(point, scenario) if place < MOST_PREDICTED else _UNKNOWN,
            " ".join(remark.say(language) for remark in point.assumptions),
        )
        for place, (imported, point) in enumerate(runs[:MOST_ROWS])
    ]
    caption = sentence("page.own_caption", language, count=fmt.count(len(runs)))
    caption = cut_caption(caption, len(runs), MOST_ROWS, language)
    if len(runs) > MOST_PREDICTED:
        caption = sentence("page.own_unpredicted", language, caption=caption, count=fmt.count(MOST_PREDICTED))
    if own.undrawn:
        undrawn, drawn = fmt.count(own.undrawn), fmt.count(MOST_MARKS)
        caption = sentence("page.own_undrawn", language, caption=caption, drawn=drawn, undrawn=undrawn)
    header = tuple(sentence(f"page.{column}", language) for column in _COLUMNS)
    return Table(caption=caption, header=header, rows=tuple(rows))
