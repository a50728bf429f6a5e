"""How figure 'sensitivity' is computed."""

from __future__ import annotations

from roofline_app.page.figures.working import ARTICLE, Say, Working, line, round_numbers
from roofline_app.results import Evaluation


def working(evaluation: Evaluation, say: Say, _language: str) -> list[Working]:
    """Return formulas with their sources, each followed by its numbers."""
    numbers = dict(round_numbers(evaluation.best_drafter, evaluation))
    return [
        line(say("sensitivity_formula"), ARTICLE),
        line(say("sensitivity_improvements"), ARTICLE),
        line(say("sensitivity_numbers", **numbers)),
    ]
