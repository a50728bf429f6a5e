"""How figure 'acceptance' is computed."""

from __future__ import annotations

from roofline_app.page.figures.working import ARTICLE, Say, Working, line, round_numbers
from roofline_app.results import Evaluation


def working(evaluation: Evaluation, say: Say, _language: str) -> list[Working]:
    """Return formulas with their sources, each followed by its numbers."""
    numbers = [round_numbers(result, evaluation) for result in evaluation.drafters]
    lines = [line(say("acceptance_numbers", **values)) for values in numbers]
    return [line(say("acceptance_formula"), ARTICLE), *lines]
