"""How figure 'batch' is computed."""

from __future__ import annotations

from roofline_app import format as fmt
from roofline_app.page.figures.working import ARTICLE, Say, Working, line
from roofline_app.results import Evaluation


def working(evaluation: Evaluation, say: Say, _language: str) -> list[Working]:
    """Return formulas with their sources, each followed by its numbers."""
    by_batch = evaluation.best_by_batch
    workings = [line(say("batch_formula"), ARTICLE)]
    for result in by_batch.drafters:
        row = int(result.speedup.argmax())
        batch, draft = fmt.count(int(by_batch.batch[row])), fmt.count(int(result.draft_tokens[row]))
        speedup = fmt.speedup(float(result.speedup[row]))
        workings.append(line(say("batch_numbers", name=result.name, batch=batch, draft=draft, speedup=speedup)))
    return workings
