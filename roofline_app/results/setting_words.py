"""A setting in one line: model, node, batch and context."""

from __future__ import annotations

from roofline_app import format as fmt
from roofline_app.results.evaluation import Evaluation
from roofline_app.text import sentence


def setting_words(evaluation: Evaluation, language: str = "en") -> str:
    """Return model, node, batch and context in one line."""
    return sentence(
        "page.poster_setting",
        language,
        model=evaluation.model.name,
        gpus=evaluation.node.gpus,
        gpu=evaluation.node.name,
        batch=fmt.count(evaluation.batch),
        context=fmt.tokens(evaluation.context),
    )
