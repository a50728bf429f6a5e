"""The strip's work: the setting with one assumption changed, an evaluation at a time."""

from __future__ import annotations

from dataclasses import replace
from operator import itemgetter

from roofline_app import registry
from roofline_app.page.figures.pieces import Work
from roofline_app.results import Evaluation
from roofline_app.scenario import Presentation
from roofline_app.sensitivity import alone, settings


def strip_work(evaluation: Evaluation) -> Work:
    """Return the settings that differ by one assumption, with the best drafter alone."""
    line = evaluation.drafters.index(evaluation.best_drafter)
    setting = replace(alone(evaluation.scenario, line), presentation=Presentation())
    calibrated = registry.profile(evaluation.profile.id).is_calibrated
    changed = settings(setting, calibrated=calibrated)
    return Work(setting=setting, parts={name: (one,) for name, one in changed.items()}, join=itemgetter(0))
