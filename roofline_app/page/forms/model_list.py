"""The models to choose from, as the page's finder lists them."""

from __future__ import annotations

from functools import cache

from roofline_app import format as fmt, registry
from roofline_app.page.protocol import ListedModelWords
from roofline_app.registry import ListedModel
from roofline_app.text import sentence


@cache
def model_list(language: str) -> tuple[ListedModelWords, ...]:
    """Return all models of the registry: family and name, the words that find them, size and kind in words."""
    return tuple(_words(model, language) for model in registry.listed_models())


def _words(model: ListedModel, language: str) -> ListedModelWords:
    family, _, name = model.label.partition(" · ")
    return {
        "id": model.id,
        "family": family,
        "name": name,
        "label": model.name,
        "words": " ".join((model.id, model.name, family, model.repository)).lower(),
        "facts": _facts(model, language),
    }


def _facts(model: ListedModel, language: str) -> str:
    size, active = f"{model.parameters / fmt.GIGA:.3g}B", f"{model.active_parameters / fmt.GIGA:.3g}B"
    if model.active_parameters:
        said = [sentence("page.model_sparse", language, size=size, active=active)]
    else:
        said = [sentence("page.model_dense", language, size=size)]
    if model.measured:
        said.append(sentence("page.model_measured", language))
    return sentence("page.model_facts_between", language).join(said)
