"""Which drafter stands behind a line: the registry's, the target's own layer, a draft model, or a generic one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from roofline_app import registry
from roofline_app.hardware import capacity
from roofline_app.hardware.parallelism import Layout
from roofline_app.model.dimensions import ModelSpec
from roofline_app.model.to_terms import state_bytes_per_sequence, total_parameters, with_weights
from roofline_app.resolved import model_spec, sharded_terms, terms_of
from roofline_app.scenario import CUSTOM, Drafter, Scenario, Weights
from roofline_app.specs import Precision
from roofline_app.speculation.drafting import DraftTerms, model_terms, next_token_terms, trained_terms

_KEPT = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenDrafter:
    """A drafter with weights.

    Attributes:
        id: Registry id, or one made of the target's and the kind.
        name: Name for readers.
        generic: Whether it stands in for one that no entry describes.
        source: Who states its sizes.
        assumed: What no source states.
        terms: Its terms at the chosen precision.
    """

    id: str
    name: str
    generic: bool
    source: str
    assumed: str
    terms: DraftTerms


def chosen_drafter(line: Drafter, scenario: Scenario) -> ChosenDrafter | None:
    """Return the drafter behind a line; None for an ideal one and for n-grams, which have no weights.

    Its weights are stored in bf16, those of the target's own next-token layer as the target's, those of a draft model
    as published. The cache follows a reader's choice.

    Args:
        line: The drafter line.
        scenario: The setting.
    """
    kind, model = line.kind, line.model
    if kind in {"ideal", "ngram"}:
        return None
    return _named(kind, model, scenario.model, scenario.config, scenario.weights, scenario.kv)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrafterMemory:
    """Memory that a drafter takes.

    Attributes:
        name: Of the drafter; empty where there is none.
        weight_bytes: Its own weights, a shared head left out.
        bytes_per_sequence: Its caches and states of one sequence at the setting's context.
    """

    name: str = ""
    weight_bytes: float = 0.0
    bytes_per_sequence: float = 0.0

    def bytes_of(self, sequences: int) -> float:
        """Return the bytes of a number of sequences, weights included."""
        return self.weight_bytes + sequences * self.bytes_per_sequence


def drafter_memory(
    terms: DraftTerms, context_tokens: int, layout: Layout = Layout.EVEN, gpus: int = 1
) -> DrafterMemory:
    """Return what a drafter takes on a node, copies of its caches included.

    Args:
        terms: The drafter.
        context_tokens: Tokens in each sequence's cache.
        layout: How the GPUs share it.
        gpus: GPUs of the node.
    """
    body = sharded_terms(terms.body, layout, gpus)
    kept = capacity.cache_bytes_per_sequence(body, context_tokens) + state_bytes_per_sequence(body)
    return DrafterMemory(weight_bytes=terms.weight_bytes, bytes_per_sequence=kept)


def drafters_in_memory(scenario: Scenario, layout: Layout) -> tuple[DrafterMemory, ...]:
    """Return what each drafter on the target's GPUs takes, also where its cost is stated as a share of a step."""
    lines = [line for line in scenario.drafters if line.placement == "same"]
    found = filter(None, (chosen_drafter(line, scenario) for line in lines))
    return tuple(
        replace(drafter_memory(named.terms, scenario.context, layout, scenario.gpus), name=named.name)
        for named in found
    )


@lru_cache(maxsize=_KEPT)
def _named(kind: str, model: str, target_id: str, config: str, weights: Weights, kv: str) -> ChosenDrafter:
    target = model_spec(target_id, config)
    # A reader's own file of a known model gets that model's drafters.
    twin = registry.twin_of(target.dimensions) if target_id == CUSTOM else None
    if twin is not None:
        target, target_id = replace(target, name=twin.name, source=twin.source), twin.id
    if kind == "mtp":
        return _next_token(target, target_id, weights, kv)
    if kind == "draft":
        return _draft_model(model, target_id, kv)
    return _trained(kind, model, target, target_id, weights, kv)


def _next_token(target: ModelSpec, target_id: str, weights: Weights, kv: str) -> ChosenDrafter:
    stated = target.dimensions.next_token is not None
    precision = with_weights(target.precision, weights=weights, kv=kv)
    return ChosenDrafter(
        id=f"{target_id}-mtp",
        name=f"MTP layer of {target.name}" if stated else "generic MTP layer",
        generic=not stated,
        source=target.source,
        assumed="" if stated else f"One more of the last layers of {target.name}.",
        terms=next_token_terms(target, terms_of(target, weights, kv), precision, registry.formats()),
    )


def _draft_model(model: str, target_id: str, kv: str) -> ChosenDrafter:
    registered = registry.drafter_for(target_id, "draft")
    generic = registry.generic_drafters()["draft"]
    chosen = model or (registered.model if registered else generic.model)
    spec = registry.model(chosen)
    precision = with_weights(spec.precision, weights=Weights(), kv=kv)
    terms = model_terms(spec, precision, registry.formats(), parameters=total_parameters(spec))
    stands_in = not model and registered is None
    return ChosenDrafter(
        id=chosen,
        name=generic.name if stands_in else spec.name,
        generic=stands_in,
        source=spec.source,
        assumed=generic.assumed if stands_in else "",
        terms=terms,
    )


def _trained(kind: str, model: str, target: ModelSpec, target_id: str, weights: Weights, kv: str) -> ChosenDrafter:
    found = registry.drafter(model) if model else registry.drafter_for(target_id, kind)
    drafter = found or registry.generic_drafters()[kind].of_width(target.dimensions.hidden_size, target_id)
    precision = with_weights(Precision(), weights=Weights(), kv=kv)
    return ChosenDrafter(
        id=drafter.id,
        name=drafter.name,
        generic=found is None,
        source=drafter.source,
        assumed=drafter.assumed,
        terms=trained_terms(drafter, target, terms_of(target, weights, kv), precision, registry.formats()),
    )
