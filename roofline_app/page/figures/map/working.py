"""How figure 'map' is computed."""

from __future__ import annotations

from roofline_app import format as fmt
from roofline_app.page.figures.working import ARTICLE, Say, Working, line
from roofline_app.results import Evaluation


def working(evaluation: Evaluation, say: Say, _language: str) -> list[Working]:
    """Return formulas with their sources, each followed by its numbers."""
    best = evaluation.best_drafter
    values = {"batch": fmt.count(evaluation.batch), "context": fmt.tokens(evaluation.context), "name": best.name}
    numbers = say(
        "map_numbers", draft=fmt.count(best.best.draft_tokens), speedup=fmt.speedup(best.best.speedup), **values
    )
    return [line(say("map_formula"), ARTICLE), line(numbers)]
