"""Drafters that a user draws, by sizes or by a config.json of their own, with their terms."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, assert_never

from roofline_app import registry
from roofline_app.model.dimensions import DrafterSpec, ModelSpec
from roofline_app.model.drawn_drafter import (
    OWN,
    SHARED,
    AllSizes,
    assumed_sizes,
    completed,
    drawn_layers,
    drawn_model,
    layers_like,
    model_sizes,
    plain_sizes,
    read_drafter_config,
    trained_sizes,
    usual_sizes,
)
from roofline_app.model.generic_drafter import generic_sequence
from roofline_app.model.terms import Transformer
from roofline_app.model.to_terms import total_parameters, with_weights
from roofline_app.scenario import Drafter, DrafterSizes, Weights
from roofline_app.specs import DrafterKindSpec, Precision
from roofline_app.speculation.drafting import DraftTerms, as_chain, model_terms, trained_terms
from roofline_app.speculation.drafting.drawn_terms import drawn_next_token, of_other_width


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """What a drawn drafter is made of.

    Attributes:
        sizes: All of its sizes, those included that the user does not state; None where its layers are built otherwise.
        assumed: Sizes that the user does not state, as a link would state them.
        joins_widths: Whether it is of another width than the target's, so that something joins both.
        terms: Its terms.
        max_context_tokens: Longest context that its config.json states; 0 for none.
        rebuilt: Whether it is dense attention where what would stand there otherwise is not.
    """

    sizes: AllSizes | None
    assumed: tuple[str, ...]
    joins_widths: bool
    terms: DraftTerms
    max_context_tokens: int = 0
    rebuilt: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """What a line states of its drafter.

    Attributes:
        sizes: Stated sizes.
        config: Text of a config.json, or empty; of the sizes the precision alone counts beside it.
        block: Draft tokens per pass.
    """

    sizes: DrafterSizes
    config: str
    block: int

    @classmethod
    def of(cls, line: Drafter) -> Drawing | None:
        """Return what a line states; None where it states nothing."""
        if not line.is_drawn:
            return None
        return cls(sizes=line.sizes or DrafterSizes(), config=line.config, block=line.block)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The model that is drafted for: its facts, its terms at the chosen formats, its own precision and cache format."""

    spec: ModelSpec
    terms: Transformer
    weights: Weights
    kv: str


def drawn(
    drawing: Drawing, kind: DrafterKindSpec, base: DrafterSpec | ModelSpec | None, target: Target, *, chained: int = 1
) -> Drawn:
    """Return what a line draws.

    Args:
        drawing: What the user states.
        kind: Its kind.
        base: The drafter, or the draft model, that would stand there otherwise; None for the target's next-token layer.
        target: What it drafts for.
        chained: Next-token layers of the target behind each other.

    Raises:
        SpecError: When its config.json cannot be read, or is of another kind.
    """
    match base:
        case DrafterSpec():
            return _trained(drawing, kind, base, target)
        case ModelSpec():
            return _draft_model(drawing, kind, base, target)
        case None:
            if drawing.config:
                read_drafter_config(registry.drafter_kinds().values(), kind, drawing.config)
            return _next_token_layers(drawing, kind, target, chained)
        case _:
            assert_never(base)


def _trained(drawing: Drawing, kind: DrafterKindSpec, base: DrafterSpec, target: Target) -> Drawn:
    """Return a drawn drafter of layers that are trained on the target's hidden states.

    Args:
        drawing: What the user states.
        kind: Its kind.
        base: The drafter that would stand there otherwise.
        target: What it drafts for.
    """
    words, rebuilt = target.spec.dimensions.vocab_size, False
    if drawing.config:
        spec = read_drafter_config(registry.drafter_kinds().values(), kind, drawing.config)
        assert isinstance(spec, DrafterSpec)
        whole = _with_precision(trained_sizes(spec, words), drawing)
    else:
        plain = trained_sizes(base, words)
        rebuilt = plain is None
        whole = completed(drawing.sizes, plain or usual_sizes(base.hidden_size, words))
        spec = _sized(base, whole, kind, drawing.block)
    precision = _precision(drawing.sizes.precision, Precision(), target.kv)
    terms = trained_terms(spec, kind, target.spec, target.terms, precision, registry.formats())
    made = _drawn(drawing, whole, spec.hidden_size, target, _joined(terms, spec, target, precision))
    return replace(made, max_context_tokens=spec.max_context_tokens, rebuilt=rebuilt)


def _drawn(drawing: Drawing, whole: AllSizes | None, width: int, target: Target, terms: DraftTerms) -> Drawn:
    assumed = () if drawing.config or whole is None else assumed_sizes(drawing.sizes, whole)
    joins = width != target.spec.dimensions.hidden_size
    return Drawn(sizes=whole, assumed=assumed, joins_widths=joins, terms=terms)


def _with_precision(sizes: AllSizes | None, drawing: Drawing) -> AllSizes | None:
    return replace(sizes, precision=drawing.sizes.precision) if sizes else None


def _joined(terms: DraftTerms, spec: DrafterSpec, target: Target, precision: Precision) -> DraftTerms:
    """Return terms with what joins the drafter's width to the target's."""
    own_head, stored = spec.vocab_size > 0, precision.attention
    return of_other_width(terms, spec.hidden_size, target.spec, stored, registry.formats(), own_head=own_head)


def _sized(base: DrafterSpec, sizes: AllSizes, kind: DrafterKindSpec, block: int) -> DrafterSpec:
    """Return a drafter of other sizes; what its kind has besides its layers follows their width and number."""
    further: dict[str, Any] = {}
    if base.sequential and (sizes.width, sizes.layers) != (base.hidden_size, sum(one.count for one in base.layers)):
        further = generic_sequence(kind, sizes.width, sizes.layers)
    if base.other_parameters and not base.sequential:
        # Norms of the target's hidden states, or the state that masked positions share.
        further = {"other_parameters": sizes.states * sizes.width}
    return replace(
        base,
        **further,
        max_context_tokens=0,
        kind=kind.id,
        hidden_size=sizes.width,
        layers=drawn_layers(sizes, kind.states),
        fused_states=sizes.states,
        vocab_size=sizes.vocabulary if sizes.head == OWN else 0,
        block=block,
    )


def _next_token_layers(drawing: Drawing, kind: DrafterKindSpec, target: Target, chained: int) -> Drawn:
    """Return drawn next-token layers, with the target's head or one of their own.

    Where no precision is stated, their weights are stored as the target's. A chain has one for each draft token.

    Args:
        drawing: What the user states.
        kind: Their kind.
        target: What they draft for.
        chained: How many the target has behind each other.
    """
    dimensions = target.spec.dimensions
    group = dimensions.next_token.layer if dimensions.next_token else dimensions.layers[-1]
    width, words = dimensions.hidden_size, dimensions.vocab_size
    plain = plain_sizes((replace(group, count=1),), width, words)
    base = plain or usual_sizes(width, words)
    whole = completed(drawing.sizes, replace(base, layers=chained, window=0, head=SHARED))
    one = replace(whole, layers=1) if kind.chained else whole
    spec = DrafterSpec(
        id=f"drawn-{kind.id}",
        name=kind.name,
        kind=kind.id,
        targets=(target.spec.id,),
        source=kind.source,
        checked=kind.checked,
        hidden_size=whole.width,
        layers=(layers_like(one, group),),
        fused_states=2,
        vocab_size=whole.vocabulary if whole.head == OWN else 0,
    )
    own = with_weights(target.spec.precision.next_token or target.spec.precision, weights=target.weights, kv=target.kv)
    precision = _precision(whole.precision, replace(own, layers=(), next_token=None), target.kv)
    formats = registry.formats()
    terms = trained_terms(spec, kind, target.spec, target.terms, precision, formats)
    terms = drawn_next_token(terms, whole.width, target.spec, precision.attention, formats)
    if kind.chained:
        terms = as_chain(terms, whole.layers)
    made = _drawn(drawing, whole, whole.width, target, _joined(terms, spec, target, precision))
    return replace(made, rebuilt=plain is None)


def _draft_model(drawing: Drawing, kind: DrafterKindSpec, base: ModelSpec, target: Target) -> Drawn:
    """Return a drawn model of its own.

    Args:
        drawing: What the user states.
        kind: Its kind.
        base: The model that would stand there otherwise, whose build it has.
        target: What it drafts for, whose words it has unless others are stated.
    """
    rebuilt = False
    if drawing.config:
        spec = read_drafter_config(registry.drafter_kinds().values(), kind, drawing.config)
        assert isinstance(spec, ModelSpec)
        whole = _with_precision(model_sizes(spec), drawing)
    else:
        like, layers = base.dimensions, sum(group.count for group in base.dimensions.layers)
        plain = model_sizes(base)
        rebuilt = plain is None
        built = plain or usual_sizes(like.hidden_size, like.vocab_size, layers)
        whole = completed(drawing.sizes, replace(built, vocabulary=target.spec.dimensions.vocab_size))
        spec = drawn_model(whole, base)
    precision = _precision(drawing.sizes.precision, spec.precision, target.kv)
    terms = model_terms(spec, precision, registry.formats(), parameters=total_parameters(spec))
    assumed = () if drawing.config or whole is None else assumed_sizes(drawing.sizes, whole, shares=False)
    longest = spec.max_context_tokens if drawing.config else 0
    return Drawn(
        sizes=whole,
        assumed=assumed,
        joins_widths=False,
        terms=terms,
        max_context_tokens=longest,
        rebuilt=rebuilt,
    )


def _precision(stated: str, own: Precision, kv: str) -> Precision:
    """Return a drafter's formats: its linear layers as stated, its head as it is, its cache as chosen."""
    weights = Weights(experts=stated, linear=stated) if stated else Weights()
    return with_weights(own, weights=weights, kv=kv)
