"""How figure 'time' is computed."""

from __future__ import annotations

from roofline_app import format as fmt
from roofline_app.hardware.layout_words import layout_reason
from roofline_app.page.figures.working import ARTICLE, NO_SOURCE, Say, Working, line
from roofline_app.results import Evaluation


def working(evaluation: Evaluation, say: Say, language: str) -> list[Working]:
    """Return formulas with their sources, each followed by its numbers."""
    layout = evaluation.layout
    recipe = (say("recipe"), layout.source) if layout.source else NO_SOURCE
    workings = [line(say("time_formula"), ARTICLE), line(layout_reason(layout, language), recipe)]
    for result in evaluation.drafters:
        length, tokens = result.best.draft_tokens, result.best.tokens_per_round
        workings.append(
            line(
                say(
                    "time_numbers",
                    name=result.name,
                    verify=fmt.seconds(float(result.verifying_seconds[length])),
                    drafting=fmt.seconds(float(result.drafting_seconds[length])),
                    tokens=fmt.significant(tokens),
                    token=fmt.seconds(result.best.seconds_per_round / tokens),
                )
            )
        )
    return workings
