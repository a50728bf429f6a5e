"""How figure 'rates' is computed."""

from __future__ import annotations

from roofline_app import format as fmt
from roofline_app.economics import gpus_in_use
from roofline_app.page.figures.working import Say, Working, line
from roofline_app.results import Evaluation


def working(evaluation: Evaluation, say: Say, _language: str) -> list[Working]:
    """Return formulas with their sources, each followed by its numbers."""
    best, economics = evaluation.best_drafter, evaluation.economics
    rates = economics.drafters[evaluation.drafters.index(best)]
    user, gpu = fmt.rate(rates.tokens_per_second_per_user), fmt.rate(rates.tokens_per_second_per_gpu)
    step, speedup = fmt.seconds(evaluation.step.seconds), fmt.speedup(best.best.speedup)
    in_use = gpus_in_use(best, evaluation.node.gpus, best.best.draft_tokens)
    batch, gpus = fmt.count(evaluation.batch), fmt.count(in_use)
    workings = [
        line(say("rates_user", name=best.name, speedup=speedup, step=step, user=user)),
        line(say("rates_gpu", user=user, batch=batch, gpus=gpus, gpu=gpu)),
    ]
    if economics.usd_per_gpu_hour is not None and rates.usd_per_million_tokens is not None:
        price, usd = fmt.usd(economics.usd_per_gpu_hour), fmt.usd(rates.usd_per_million_tokens)
        workings.append(line(say("rates_price", price=price, gpu=gpu, usd=usd)))
    return workings
