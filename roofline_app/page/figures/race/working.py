"""How figure 'race' is computed."""

from __future__ import annotations

from roofline_app import format as fmt
from roofline_app.page.figures.working import ARTICLE, LEVIATHAN, Say, Working, line
from roofline_app.results import Evaluation
from roofline_app.speculation.timeline import STRATA


def working(evaluation: Evaluation, say: Say, _language: str) -> list[Working]:
    """Return formulas with their sources, each followed by its numbers."""
    result, step = evaluation.best_drafter, evaluation.step.seconds
    best = result.best
    return [
        line(say("race_formula"), ARTICLE),
        line(say("race_plain", step=fmt.seconds(step), rate=fmt.rate(1 / step))),
        line(
            say(
                "race_numbers",
                name=result.name,
                draft=fmt.count(best.draft_tokens),
                tokens=fmt.significant(best.tokens_per_round),
                verify=fmt.seconds(float(result.verifying_seconds[best.draft_tokens])),
                drafting=fmt.seconds(float(result.drafting_seconds[best.draft_tokens])),
                rate=fmt.rate(best.tokens_per_round / best.seconds_per_round),
            )
        ),
        line(say("race_bursts", rounds=fmt.count(STRATA)), LEVIATHAN),
    ]
