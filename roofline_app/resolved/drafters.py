"""Drafter lines resolved: which drafter stands behind each, what was measured of it, and its name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from roofline_app import registry
from roofline_app.model.dimensions import ModelSpec
from roofline_app.model.to_terms import total_parameters, with_weights
from roofline_app.resolved.models import model_spec, terms_of
from roofline_app.scenario import (
    CUSTOM,
    AcceptanceChoice,
    Drafter,
    MeasuredAcceptance,
    MixedAcceptance,
    Scenario,
    Weights,
)
from roofline_app.specs import AcceptanceSpec, NetworkSpec, Precision
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedDrafter:
    """A drafter line with its ids resolved.

    Attributes:
        line: The user's choices.
        name: Name of the line, unique within the scenario.
        chosen: The drafter that stands behind it; None for kinds without weights.
        measured: Measured acceptances that the line names, by id.
        network: What joins a drafter on GPUs of its own to the target's.
    """

    line: Drafter
    name: str
    chosen: ChosenDrafter | None
    measured: Mapping[str, AcceptanceSpec]
    network: NetworkSpec


def drafter_names(drafters: Iterable[Drafter]) -> tuple[str, ...]:
    """Return each line's name, the kind's own where the user gave none, made unique by a number."""
    kinds = registry.drafter_kinds()
    names = list[str]()
    for drafter in drafters:
        wanted = drafter.name or kinds[drafter.kind].name
        name, count = wanted, 1
        while name in names:
            count += 1
            name = f"{wanted} {count}"
        names.append(name)
    return tuple(names)


def _measured(choice: AcceptanceChoice) -> Mapping[str, AcceptanceSpec]:
    choices = [part.acceptance for part in choice.parts] if isinstance(choice, MixedAcceptance) else [choice]
    presets = [one.preset for one in choices if isinstance(one, MeasuredAcceptance)]
    return {preset: registry.acceptance(preset) for preset in presets}


def resolved_drafters(scenario: Scenario) -> tuple[ResolvedDrafter, ...]:
    """Return a scenario's drafter lines with their ids resolved.

    Raises:
        SpecError: When an id is unknown.
    """
    network = registry.networks()["network"]
    return tuple(
        ResolvedDrafter(
            line=line,
            name=name,
            chosen=chosen_drafter(line, scenario),
            measured=_measured(line.acceptance),
            network=network,
        )
        for line, name in zip(scenario.drafters, drafter_names(scenario.drafters), strict=True)
    )


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
