"""Random but valid scenarios, for properties."""

from __future__ import annotations

from hypothesis import strategies as st

from roofline_app import registry
from roofline_app.query import encode
from roofline_app.query.drawn_drafters import FORMATS, HEADS, SIZES, meant_for
from roofline_app.query.notices import printable
from roofline_app.query.vocabulary import CONTROLS, THEMES, figure_ids
from roofline_app.scenario import (
    LARGEST_BATCH,
    LARGEST_CAP,
    LARGEST_CONTEXT,
    LARGEST_COST,
    LARGEST_GPUS,
    LARGEST_IMBALANCE,
    LARGEST_RESERVE,
    LONGEST_NAME,
    MOST_BRANCHES,
    MOST_DRAFTERS,
    MOST_PARTS,
    MOST_PASSES,
    MOST_VERIFIED,
    AcceptanceChoice,
    AcceptanceLength,
    ConstantAcceptance,
    Drafter,
    DrafterSizes,
    Hardware,
    LoadPart,
    MeasuredAcceptance,
    MixedAcceptance,
    MixPart,
    Presentation,
    Scenario,
    SurvivalRates,
    Weights,
)
from roofline_app.specs import DrafterKindSpec
from roofline_app.text import LANGUAGES


def chances() -> st.SearchStrategy[float]:
    """Return chances, the limits included."""
    return st.floats(0.0, 1.0).map(lambda chance: chance + 0.0)


@st.composite
def lengths(draw: st.DrawFn) -> AcceptanceLength:
    """Return tokens per round that are possible at their draft length."""
    drafts = draw(st.integers(1, LARGEST_CAP))
    return AcceptanceLength(tokens_per_round=draw(st.floats(1.0, drafts + 1.0)), draft_tokens=drafts)


def measured() -> st.SearchStrategy[MeasuredAcceptance]:
    """Return measured acceptances."""
    return st.sampled_from(registry.acceptance_ids()).map(lambda preset: MeasuredAcceptance(preset=preset))


@st.composite
def mixes(draw: st.DrawFn) -> MixedAcceptance:
    """Return mixes of stated and measured acceptances whose shares add up to 1."""
    weights = draw(st.lists(st.floats(0.01, 1.0), min_size=1, max_size=MOST_PARTS))
    alone = st.one_of(measured(), chances().map(lambda chance: ConstantAcceptance(acceptance=chance)))
    parts = tuple(MixPart(share=weight / sum(weights), acceptance=draw(alone)) for weight in weights)
    return MixedAcceptance(parts=parts)


def acceptances() -> st.SearchStrategy[AcceptanceChoice]:
    """Return every form of acceptance."""
    rates = st.lists(chances(), min_size=1, max_size=LARGEST_CAP).map(lambda rates: tuple(sorted(rates, reverse=True)))
    return st.one_of(
        chances().map(lambda chance: ConstantAcceptance(acceptance=chance)),
        lengths(),
        rates.map(lambda survival: SurvivalRates(survival=survival)),
        measured(),
        mixes(),
    )


def names() -> st.SearchStrategy[str]:
    """Return names as a reader may give them, awkward ones included."""
    awkward = st.text(st.sampled_from(",=:;%&+#?<>\"' aé中🎲"), max_size=LONGEST_NAME)
    return st.one_of(awkward, st.text(max_size=LONGEST_NAME)).map(lambda name: printable(name).strip())


def ranks() -> st.SearchStrategy[tuple[float, ...]]:
    """Return shares of rejections by rank, or none: falling, and no more than all of them."""
    shares = st.lists(st.floats(0.0, 1.0 / (MOST_BRANCHES + 1)), max_size=MOST_BRANCHES)
    return shares.map(lambda falling: tuple(share + 0.0 for share in sorted(falling, reverse=True)))


@st.composite
def drawn_sizes(draw: st.DrawFn, spec: DrafterKindSpec) -> DrafterSizes | None:
    """Return sizes that a line of a kind can state, or none."""
    stated: dict[str, int | str] = {}
    for name, limits in SIZES.items():
        if meant_for(name, spec) and draw(st.booleans()):
            stated[name.replace("-", "_")] = draw(st.integers(int(limits.least), int(limits.most)))
    for name, known in (("precision", FORMATS), ("head", HEADS)):
        if meant_for(name, spec) and draw(st.booleans()):
            stated[name] = draw(st.sampled_from(known))
    if "heads" in stated and "kv_heads" in stated:
        stated["heads"] = stated["kv_heads"]
    if stated.get("head") == "shared":
        stated.pop("vocabulary", None)
    if not stated.get("window"):
        stated.pop("full_layers", None)
    return DrafterSizes(**stated) if stated else None  # type: ignore[arg-type]


@st.composite
def drafters(draw: st.DrawFn) -> Drafter:
    """Return drafter lines of every kind."""
    spec = draw(st.sampled_from(list(registry.drafter_kinds().values())))
    block = spec.in_blocks
    passes = draw(st.integers(1, MOST_PASSES)) if block else 1
    weighted = spec.has_own_work
    ids = [key for key, model in registry.drafters().items() if model.kind == spec.id]
    models = registry.model_ids() if spec.weights == "model" else ids
    separate = weighted and draw(st.booleans())
    costs = st.floats(0.0, LARGEST_COST).map(lambda cost: cost + 0.0)
    topk = draw(st.sampled_from((1, 1, 2, 4, MOST_BRANCHES))) if spec.trees else 1
    return Drafter(
        kind=spec.id,
        acceptance=draw(acceptances()),
        cost=draw(st.one_of(st.none(), costs) if weighted else costs),
        block=draw(st.integers(1, LARGEST_CAP)) if block else spec.block,
        relax=draw(chances()),
        passes=passes,
        gain=draw(chances()) if passes > 1 else 0.0,
        topk=topk,
        verified=draw(st.integers(0, MOST_VERIFIED)) if topk > 1 else 0,
        ranks=draw(ranks()) if topk > 1 else (),
        spread=draw(chances()) if topk == 1 else 0.0,
        confidence=draw(chances()) if topk == 1 else 1.0,
        model=draw(st.sampled_from(["", *models])) if weighted else "",
        placement="separate" if separate else "same",
        link_latency=draw(st.one_of(st.none(), st.floats(0.0, 10.0).map(abs))) if separate else None,
        link_bandwidth=draw(st.one_of(st.none(), st.floats(1e3, 1e18))) if separate else None,
        name=draw(names()),
        colour=draw(st.one_of(st.just(""), st.from_regex("[0-9a-f]{6}", fullmatch=True))),
        sizes=draw(drawn_sizes(spec)) if weighted else None,
    )


def changed_hardware() -> st.SearchStrategy[Hardware]:
    """Return a reader's changes of a GPU."""
    figure = st.one_of(st.none(), st.floats(1e6, 1e18))
    return st.builds(
        Hardware, bandwidth=figure, memory=figure, bf16=figure, fp8=figure, fp4=figure, int8=figure, interconnect=figure
    )


def presentations() -> st.SearchStrategy[Presentation]:
    """Return what is shown and how."""
    return st.builds(
        Presentation,
        figures=st.lists(st.sampled_from(figure_ids()), unique=True).map(tuple),
        controls=st.lists(st.sampled_from(CONTROLS), unique=True).map(tuple),
        theme=st.sampled_from(("", *THEMES)),
        lang=st.sampled_from(("", *LANGUAGES)),
        poster=st.sampled_from(("", "article")),
    )


@st.composite
def loads(draw: st.DrawFn) -> tuple[LoadPart, ...]:
    """Return loads whose shares add up to 1, often none."""
    batches = sorted(draw(st.sets(st.integers(1, LARGEST_BATCH), max_size=4)))
    context = draw(st.one_of(st.none(), st.integers(1, LARGEST_CONTEXT)))
    return tuple(LoadPart(batch=batch, share=1.0 / len(batches), context=context) for batch in batches)


def scenarios(*, models: tuple[str, ...] = (), pinned: bool = True) -> st.SearchStrategy[Scenario]:
    """Return valid scenarios of registry models.

    Args:
        models: Ids to draw from; all where empty.
        pinned: Whether some of them pin another setting.
    """
    formats = st.sampled_from(("published", *FORMATS))
    other = scenarios(models=models, pinned=False).map(encode) if pinned else st.nothing()
    positive = st.one_of(st.none(), st.just(0.0), st.floats(1e-3, 1e6))  # tinier ones are no prices and no traffic
    return st.builds(
        Scenario,
        model=st.sampled_from(models or registry.model_ids()),
        gpu=st.sampled_from(registry.gpu_ids()),
        gpus=st.integers(1, LARGEST_GPUS),
        hardware=st.one_of(st.just(Hardware()), changed_hardware()),
        price=positive,
        reserve=st.floats(0.0, LARGEST_RESERVE).map(lambda share: share + 0.0),
        batch=st.integers(1, LARGEST_BATCH),
        context=st.integers(1, LARGEST_CONTEXT),
        cap=st.integers(1, LARGEST_CAP),
        weights=st.builds(Weights, experts=formats, linear=formats, head=formats),
        kv=formats,
        drafters=st.lists(drafters(), min_size=1, max_size=MOST_DRAFTERS).map(tuple),
        profile=st.sampled_from((*registry.profiles(), "calibrated")),
        engine=st.sampled_from(("", *registry.engine_ids())),
        layout=st.sampled_from(("", "even", "tp", "tp+ep", "dp+tp", "dp+ep")),
        kv_read=st.sampled_from(("overlap", "add")),
        experts=st.sampled_from(("independent", "correlated")),
        imbalance=st.floats(1.0, LARGEST_IMBALANCE),
        kernels=st.sampled_from(("launched", "fused")),
        compare=st.one_of(st.just(""), other),
        seed=st.integers(0, 2**32 - 1),
        budget=st.one_of(st.none(), st.integers(1, LARGEST_BATCH)),
        traffic=positive,
        after=st.one_of(st.none(), st.floats(1.0, LARGEST_CAP + 1.0)),
        training=positive,
        learning=st.sampled_from(((), ((0.0, 2.5), (1e4, 3.25)), ((5.5, 1.0), (7.0, 65.0), (1e12, 2.0)))),
        horizon=st.one_of(st.none(), st.floats(1.0, 36_500.0)),
        load=loads(),
        presentation=presentations() if pinned else st.just(Presentation()),
    )
