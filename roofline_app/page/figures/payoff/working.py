"""How figure 'payoff' is computed."""

from __future__ import annotations

from roofline_app import format as fmt
from roofline_app.page.figures.acceptance.view import round_steps
from roofline_app.page.figures.working import ARTICLE, Say, Working, line
from roofline_app.results import Evaluation


def working(evaluation: Evaluation, say: Say, _language: str) -> list[Working]:
    """Return formulas with their sources, each followed by its numbers."""
    payoff, economics = evaluation.payoff, evaluation.economics
    workings = [line(say("payoff_formula"), ARTICLE), line(say("payoff_gpus"))]
    if payoff is None:
        return workings
    steps = round_steps(evaluation.best_drafter, evaluation.step.seconds)
    for word, index in (("now_word", 0), ("after_word", 1)):
        values = {
            "when": say(word),
            "tokens": fmt.significant(payoff.tokens_per_round[index]),
            "round": fmt.significant(steps),
            "speedup": fmt.speedup(payoff.speedup[index]),
            "plain": fmt.rate(economics.without.tokens_per_second_per_gpu),
            "gpu": fmt.rate(payoff.tokens_per_second_per_gpu[index]),
        }
        workings.append(line(say("payoff_numbers", **values)))
    return workings
