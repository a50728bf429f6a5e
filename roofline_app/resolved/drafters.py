"""Drafter lines resolved: which drafter stands behind each, what was measured of it, and its name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import assert_never

from roofline_app import registry
from roofline_app.model.dimensions import DrafterSpec, ModelSpec
from roofline_app.model.drawn_drafter import AllSizes
from roofline_app.model.generic_drafter import generic_drafter
from roofline_app.model.to_terms import total_parameters, with_weights
from roofline_app.resolved.drawn_drafters import Drawing, Drawn, Target, drawn
from roofline_app.resolved.models import model_spec, terms_of
from roofline_app.scenario import (
    CUSTOM,
    AcceptanceChoice,
    Drafter,
    DrafterSizes,
    MeasuredAcceptance,
    MixedAcceptance,
    Scenario,
    Weights,
)
from roofline_app.specs import AcceptanceSpec, DrafterKindSpec, NetworkSpec, Precision, SpecError
from roofline_app.speculation.drafting import (
    DraftTerms,
    chained_terms,
    model_terms,
    next_token_terms,
    trained_terms,
)

_KEPT = 64
# Next-token layers of a chain where a model's config states none, or one alone: as many as Step-3.5 has.
CHAINED_LAYERS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenDrafter:
    """A drafter with weights.

    Attributes:
        id: Registry id, or one made of the target's and the kind.
        name: Name as shown.
        generic: Whether it stands in for one that no entry describes.
        source: Who states its sizes.
        assumed: What no source states.
        terms: Its terms at the chosen precision.
        max_context_tokens: Longest context that it was made for; 0 where none is stated.
        spec: What it is built like: its own dimensions; None for the target's next-token layer.
        drawn: What the user draws; None for others.
    """

    id: str
    name: str
    generic: bool
    source: str
    assumed: str
    terms: DraftTerms
    max_context_tokens: int = 0
    spec: DrafterSpec | ModelSpec | None = None
    drawn: Drawn | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedDrafter:
    """A drafter line with its ids resolved.

    Attributes:
        line: The user's choices.
        kind: What its kind can do.
        name: Name of the line, unique within the scenario.
        chosen: The drafter that stands behind it; None for kinds whose weights are not described, or that have none.
        measured: Measured acceptances that the line names, by id.
        network: What joins a drafter on GPUs of its own to the target's.
    """

    line: Drafter
    kind: DrafterKindSpec
    name: str
    chosen: ChosenDrafter | None
    measured: Mapping[str, AcceptanceSpec]
    network: NetworkSpec


def drafter_names(drafters: Iterable[Drafter]) -> tuple[str, ...]:
    """Return each line's name, the kind's own where the user gave none, made unique by a number.

    Raises:
        UnknownIdError: When a kind is unknown.
    """
    names = list[str]()
    for drafter in drafters:
        wanted = drafter.name or registry.drafter_kind(drafter.kind).name
        name, count = wanted, 1
        while name in names:
            count += 1
            name = f"{wanted} {count}"
        names.append(name)
    return tuple(names)


def real_drafters(lines: Sequence[Drafter]) -> tuple[Drafter, ...]:
    """Return the lines of drafters that can be built; all of them where none can.

    Raises:
        UnknownIdError: When a kind is unknown.
    """
    return tuple(line for line in lines if not registry.drafter_kind(line.kind).hypothetical) or tuple(lines)


def _measured(choice: AcceptanceChoice) -> Mapping[str, AcceptanceSpec]:
    choices = [part.acceptance for part in choice.parts] if isinstance(choice, MixedAcceptance) else [choice]
    presets = [one.preset for one in choices if isinstance(one, MeasuredAcceptance)]
    return {preset: registry.acceptance(preset) for preset in presets}


def resolved_drafters(scenario: Scenario) -> tuple[ResolvedDrafter, ...]:
    """Return a scenario's drafter lines with their ids resolved.

    Raises:
        SpecError: When an id is unknown, or a line asks for work of weights that its kind does not have.
    """
    network = registry.networks()["network"]
    return tuple(
        ResolvedDrafter(
            line=line,
            kind=registry.drafter_kind(line.kind),
            name=name,
            chosen=chosen_drafter(line, scenario),
            measured=_measured(line.acceptance),
            network=network,
        )
        for line, name in zip(scenario.drafters, drafter_names(scenario.drafters), strict=True)
    )


def chosen_drafter(line: Drafter, scenario: Scenario) -> ChosenDrafter | None:
    """Return the drafter behind a line; None for kinds whose weights are not described, or that have none.

    Trained weights are stored in bf16, those of the target's own next-token layer as the target's, those of a draft
    model as published. The cache follows a user's choice.

    Args:
        line: The drafter line.
        scenario: The scenario that it belongs to.

    Raises:
        SpecError: When an id is unknown, or the line asks for work of weights that its kind does not have.
    """
    kind = registry.drafter_kind(line.kind)
    if not kind.has_own_work:
        _refuse_own_work(line, kind)
        return None
    chosen = _described(kind, line.model, scenario.model, scenario.config, scenario.weights, scenario.kv)
    drawing = Drawing.of(line)
    if chosen is None or drawing is None:
        return chosen
    spec = model_spec(scenario.model, scenario.config)
    terms = terms_of(spec, scenario.weights, scenario.kv)
    return _drawn(chosen, drawing, kind, Target(spec=spec, terms=terms, weights=scenario.weights, kv=scenario.kv))


def _refuse_own_work(line: Drafter, kind: DrafterKindSpec) -> None:
    """Refuse what only a drafter with described weights can have."""
    asked = {
        "cost": line.cost is None,
        "placement": line.placement != "same",
        "model": bool(line.model),
        "sizes": line.is_drawn,
    }
    for field in (field for field, is_asked in asked.items() if is_asked):
        message = f"drafters: {field} of {line.name or kind.name} needs weights, of which {kind.id} has none described"
        raise SpecError(message)


def drawn_sizes(line: Drafter, scenario: Scenario) -> AllSizes | None:
    """Return all sizes of the drafter behind a line, drawn or not; None where its layers are no dense attention.

    Args:
        line: The drafter line.
        scenario: The scenario that it belongs to.

    Raises:
        SpecError: When an id is unknown, or the line asks for work of weights that its kind does not have.
    """
    found = chosen_drafter(replace(line, sizes=line.sizes or DrafterSizes()), scenario)
    return found.drawn.sizes if found and found.drawn else None


@lru_cache(maxsize=_KEPT)
def _drawn(base: ChosenDrafter, drawing: Drawing, kind: DrafterKindSpec, target: Target) -> ChosenDrafter:
    """Return the drafter that a line draws, over the one that would stand there otherwise."""
    made = drawn(drawing, kind, base.spec, target, chained=base.terms.chained)
    return replace(
        base,
        id=f"drawn-{kind.id}",
        name=f"drawn {kind.name} drafter",
        generic=False,
        source=kind.source,
        assumed="",
        max_context_tokens=made.max_context_tokens,
        terms=made.terms,
        drawn=made,
    )


@lru_cache(maxsize=_KEPT)
def _described(
    kind: DrafterKindSpec, model: str, target_id: str, config: str, weights: Weights, kv: str
) -> ChosenDrafter | None:
    target = model_spec(target_id, config)
    # A user's own file of a known model gets that model's drafters.
    twin = registry.twin_of(target.dimensions) if target_id == CUSTOM else None
    if twin is not None:
        target, target_id = replace(target, name=twin.name, source=twin.source), twin.id
    match kind.weights:
        case "next-token" if kind.chained:
            return _chain(kind, target, target_id, weights, kv)
        case "next-token":
            return _next_token(kind, target, target_id, weights, kv)
        case "model":
            return _draft_model(kind, model, target_id, kv)
        case "trained":
            return _trained(kind, model, target, target_id, weights, kv)
        case "none" | "undescribed":
            return None
        case _:
            assert_never(kind.weights)


def _next_token(kind: DrafterKindSpec, target: ModelSpec, target_id: str, weights: Weights, kv: str) -> ChosenDrafter:
    stated = target.dimensions.next_token is not None
    precision = with_weights(target.precision, weights=weights, kv=kv)
    return ChosenDrafter(
        id=f"{target_id}-{kind.id}",
        name=f"{kind.name} layer of {target.name}" if stated else f"generic {kind.name} layer",
        generic=not stated,
        source=target.source,
        assumed="" if stated else f"One more of the last layers of {target.name}.",
        terms=next_token_terms(target, terms_of(target, weights, kv), precision, registry.formats()),
    )


def _chain(kind: DrafterKindSpec, target: ModelSpec, target_id: str, weights: Weights, kv: str) -> ChosenDrafter:
    """Return next-token layers behind each other: as many as the model's config states, else as many as are usual."""
    stated = target.dimensions.next_token
    layers = stated.count if stated is not None and stated.count > 1 else CHAINED_LAYERS
    generic = stated is None or stated.count == 1
    copied = "of the last layers" if stated is None else "of its next-token layer"
    precision = with_weights(target.precision, weights=weights, kv=kv)
    terms = chained_terms(target, terms_of(target, weights, kv), precision, registry.formats(), layers=layers)
    return ChosenDrafter(
        id=f"{target_id}-{kind.id}",
        name=f"generic {kind.name}" if generic else f"{kind.name} of {target.name}",
        generic=generic,
        source=target.source,
        assumed=f"{layers} more {copied} of {target.name}." if generic else "",
        terms=terms,
    )


def _draft_model(kind: DrafterKindSpec, model: str, target_id: str, kv: str) -> ChosenDrafter:
    registered, generic = registry.drafter_for(target_id, kind.id), kind.generic
    assert generic is not None
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
        max_context_tokens=spec.max_context_tokens,
        terms=terms,
        spec=spec,
    )


def _trained(
    kind: DrafterKindSpec, model: str, target: ModelSpec, target_id: str, weights: Weights, kv: str
) -> ChosenDrafter:
    found = registry.drafter(model) if model else registry.drafter_for(target_id, kind.id)
    if found and found.kind not in {kind.id, *kind.runs}:
        message = f"drafters: model {model!r} is a drafter of kind {found.kind}, not {kind.id}"
        raise SpecError(message)
    assert kind.generic is not None
    drafter = found or generic_drafter(kind, kind.generic, target.dimensions.hidden_size, target_id)
    if drafter.kind != kind.id:
        told = f"Run in the manner of kind {kind.id}, without what it has besides its layers."
        drafter = replace(drafter.as_plain_block(), assumed=f"{drafter.assumed} {told}".strip())
    precision = with_weights(Precision(), weights=Weights(), kv=kv)
    return ChosenDrafter(
        id=drafter.id,
        name=drafter.name,
        generic=found is None,
        source=drafter.source,
        assumed=drafter.assumed,
        max_context_tokens=drafter.max_context_tokens,
        terms=trained_terms(drafter, kind, target, terms_of(target, weights, kv), precision, registry.formats()),
        spec=drafter,
    )
