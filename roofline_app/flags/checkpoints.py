"""Checkpoints as engines ask for them: repositories of models and of drafters, or words that a user has to replace."""

from __future__ import annotations

from roofline_app import registry
from roofline_app.model.dimensions import Attention, CompressedAttention, Dimensions, LatentAttention
from roofline_app.resolved import ChosenDrafter
from roofline_app.resolved.models import model_spec, twin_of
from roofline_app.scenario import CUSTOM, Scenario
from roofline_app.specs import CheckpointSpec, DrafterKindSpec

# What a user has to replace: a checkpoint of their own.
MODEL = "MODEL"
DRAFT_MODEL = "DRAFT_MODEL"
CARDS = "https://huggingface.co/"


def model_checkpoint(scenario: Scenario) -> str:
    """Return the repository of the scenario's model, or `MODEL` if only the user knows it."""
    return _repository(scenario.model) if scenario.model != CUSTOM else MODEL


def model_facts(scenario: Scenario) -> CheckpointSpec | None:
    """Return what engines have to be told of a scenario's model; None where that is nothing.

    A user's own file of a known model is told the same, but for repositories of the model itself: those are the user's.
    """
    if scenario.model != CUSTOM:
        return registry.checkpoints().get(scenario.model)
    twin = twin_of(scenario, model_spec(scenario.model, scenario.config))
    known = registry.checkpoints().get(twin.id) if twin else None
    return None if known is None or known.bundled else known


def drafter_checkpoint(kind: DrafterKindSpec, chosen: ChosenDrafter | None, scenario: Scenario) -> tuple[str, str]:
    """Return the repository of a drafter's weights, and that of the model where it has to be another.

    Args:
        kind: The kind whose weights it has.
        chosen: The drafter; None where the data describe none.
        scenario: The scenario that it belongs to.

    Returns:
        Empty where it has no weights of its own, `DRAFT_MODEL` where only the user knows them; the model's repository
        that brings the drafter along, else empty.
    """
    model = model_facts(scenario)
    if model and kind.id in model.bundled:
        return "", model.bundled[kind.id]
    if kind.weights == "next-token":
        return (model.next_token if model else ""), ""
    if not kind.has_checkpoint:
        return "", ""
    if chosen is None:
        return DRAFT_MODEL, ""
    if kind.weights == "model":
        return _repository(chosen.id) if chosen.id in registry.model_ids() else DRAFT_MODEL, ""
    known = registry.checkpoints().get(chosen.id)
    return (known.repository if known and known.repository else DRAFT_MODEL), ""


def drafter_heads(chosen: ChosenDrafter | None) -> int:
    """Return the attention heads of a drafter with a config of its own, 0 where they are not known."""
    if chosen is None or chosen.generic:
        return 0
    if chosen.id in registry.model_ids():
        return attention_heads(registry.model(chosen.id).dimensions)
    layers = registry.drafter(chosen.id).layers if chosen.id in registry.drafter_ids() else ()
    return next((group.mixer.heads for group in layers if isinstance(group.mixer, Attention)), 0)


def attention_heads(dimensions: Dimensions) -> int:
    """Return the query heads of a model's attention, 0 where it has none."""
    mixers = (group.mixer for group in dimensions.layers)
    full = (Attention, LatentAttention, CompressedAttention)
    return next((mixer.heads for mixer in mixers if isinstance(mixer, full)), 0)


def other_vocabulary(kind: DrafterKindSpec, chosen: ChosenDrafter | None, scenario: Scenario) -> bool:
    """Return whether a separate draft model has another vocabulary than the target."""
    if kind.weights != "model" or chosen is None or chosen.id not in registry.model_ids():
        return False
    target = model_spec(scenario.model, scenario.config)
    return registry.model(chosen.id).dimensions.vocab_size != target.dimensions.vocab_size


def _repository(model: str) -> str:
    source = registry.model(model).source
    return source.removeprefix(CARDS) if source.startswith(CARDS) else MODEL
