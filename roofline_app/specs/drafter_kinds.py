"""Kinds of drafters: what a kind can do, as one record from which links, menus, costs and serving flags follow.

Code that has to tell kinds apart asks for a capability, never for an id. Where it branches it matches one of the four
closed sets below to the end, so that a further form is found by the type checker.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, assert_never, get_args

from roofline_app.specs.checks import (
    SpecError,
    require,
    require_choice,
    require_date,
    require_number,
    require_positive,
    require_source,
    require_text,
)
from roofline_app.specs.generic_drafters import GenericDrafterSpec
from roofline_app.specs.table import build
from roofline_app.specs.value_types import field_types

# How drafts are made: at no cost and almost always right, a bound that nobody can build (`free`); by one pass per draft
# token (`token`) or per block of them (`block`); by looking them up in the text so far, on the host (`host`).
Drafting = Literal["free", "token", "block", "host"]
# Which weights stand behind a kind: none; some whose sizes the data do not describe (`undescribed`), so that drafting
# costs a share of a step; the target's own next-token layer; a separate model; layers trained on the target's states.
WeightsForm = Literal["none", "undescribed", "next-token", "model", "trained"]
# How trained layers take the target's hidden states in: not at all; side by side with the embedding, so that q, k and v
# read twice the width (EAGLE-3); as keys and values that every layer writes for committed tokens (DFlash).
States = Literal["none", "beside", "keys"]
# Whose convention a trained drafter's config.json follows.
ConfigForm = Literal["none", "eagle3", "dflash"]
# What chooses a block's tokens one after the other, once a pass has scored them all: nothing; a table of words that
# follow each other (`markov`, DSpark); a recurrent cell over the words so far (`recurrent`, Domino); a walk through the
# likeliest words of each position (`selector`, DFlash2).
Sequence = Literal["none", "markov", "recurrent", "selector"]
# What an option of an engine can count: draft tokens alone, or together with the token that is verified first; and
# branches of a tree.
DRAFTS, POSITIONS, BRANCHES = "drafts", "positions", "branches"
OptionValue = bool | int | float | str
Options = tuple[tuple[str, OptionValue], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineMethod:
    """How one serving engine runs a kind of drafter.

    Attributes:
        engine: Id of the engine.
        method: The engine's name of the kind.
        options: What the engine has to be told besides, by the engine's name of it; the values `drafts` and `positions`
            stand for draft tokens alone and with the verified token, `branches` for those of a tree.
        by_batch: Whether the engine can choose the draft length by batch.
        trees: Whether it drafts trees.
        layouts: Words that the engine needs besides where the GPUs share the model in some way, by layout.
        refused_layouts: Layouts with which the engine refuses it.
        other_vocabulary: Options for a drafter of another vocabulary than the target's; none where it is refused.
        package: A package that the engine needs for it besides; empty where it needs none.
        adaptive: Options with which the engine sizes the verification by confidence; none where it cannot be asked so.
        adaptive_setting: What it needs for that instead besides options: a variable of its environment; empty for none.
        adaptive_table: The option that then takes a table of costs.
        chains: Whether it drafts no more than the checkpoint has next-token layers, where these are several.
    """

    engine: str
    method: str
    options: Options = ()
    by_batch: bool = False
    trees: bool = False
    layouts: tuple[tuple[str, tuple[str, ...]], ...] = ()
    refused_layouts: tuple[str, ...] = ()
    other_vocabulary: Options = ()
    package: str = ""
    adaptive: Options = ()
    adaptive_setting: str = ""
    adaptive_table: str = ""
    chains: bool = False

    def __post_init__(self) -> None:
        """Refuse a method without a name."""
        require_text(self, "engine", "method")

    def options_at(self, draft_tokens: int, branches: int = 1) -> Options:
        """Return the options at a draft length.

        Args:
            draft_tokens: Draft length γ.
            branches: Branches of a tree; 1 for a chain.
        """
        counts: Mapping[OptionValue, int] = {DRAFTS: draft_tokens, POSITIONS: draft_tokens + 1, BRANCHES: branches}
        return tuple((name, counts.get(value, value)) for name, value in self.options)

    def layout_words(self, layout: str) -> tuple[str, ...]:
        """Return the words that the engine needs besides with a layout.

        Args:
            layout: How the GPUs share the model.
        """
        return dict(self.layouts).get(layout, ())


@dataclass(frozen=True, slots=True, kw_only=True)
class DrafterKindSpec:
    """A kind of drafter: its defaults, and what it can do.

    Attributes:
        id: The kind's key in links.
        name: Name as people write it.
        drafting: How drafts are made (`Drafting`).
        weights: Which weights stand behind it (`WeightsForm`).
        acceptance: Default chance that a draft token is accepted given that those before it were, in [0, 1].
        cost: Default cost of one draft pass as a share of a step, at least 0.
        description: One line for menus and cards.
        source: Where the defaults come from.
        checked: ISO date of the last check.
        states: How trained layers take the target's hidden states in (`States`).
        config_form: Whose convention its config.json follows (`ConfigForm`).
        architectures: Names by which a config.json of such a drafter is known, in `architectures` or `projector_type`.
        sequence: What chooses a block's tokens one after the other (`Sequence`).
        runs: Kinds whose drafters it runs as well, in its own manner: without what they have besides.
        block: Default draft tokens per pass; 1 where each token takes a pass of its own.
        parallel: Whether a pass runs over as many positions as are drafted, not over its whole block.
        chained: Whether each draft token has a layer of its own, with a cache of its own.
        trees: Whether it can draft several tokens for a position, of which the target verifies a tree.
        ranks: Of a tree, the share of the rejections of each position's likeliest token that the next likeliest ones
            catch, in their order, where a line does not state it.
        physical: Whether a line that states no cost has that of the drafter's own work.
        generic: What stands in where a model has no such drafter.
        engines: How serving engines run it, one entry for each that does.
    """

    id: str
    name: str
    drafting: Drafting
    weights: WeightsForm
    acceptance: float
    cost: float
    description: str
    source: str
    checked: str
    states: States = "none"
    config_form: ConfigForm = "none"
    architectures: tuple[str, ...] = ()
    sequence: Sequence = "none"
    runs: tuple[str, ...] = ()
    block: int = 1
    parallel: bool = False
    chained: bool = False
    trees: bool = False
    ranks: tuple[float, ...] = ()
    physical: bool = False
    generic: GenericDrafterSpec | None = None
    engines: tuple[EngineMethod, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what no drafter can be."""
        require_text(self, "id", "name", "description")
        require_source(self)
        require_date(self)
        for field, known in (
            ("drafting", Drafting),
            ("weights", WeightsForm),
            ("states", States),
            ("config_form", ConfigForm),
            ("sequence", Sequence),
        ):
            require_choice(self, field, get_args(known))
        require_number(self, "acceptance", least=0, most=1)
        require_number(self, "cost", least=0)
        require_positive(self, "block")
        self._check_forms()

    def _check_forms(self) -> None:
        """Refuse capabilities that contradict each other."""
        passes = self.drafting in {"token", "block"}
        require(passes == (self.weights != "none"), "weights", f"{self.weights!r} contradicts drafting")
        require(self.in_blocks == (self.block > 1), "block", "above 1 goes with drafting block")
        trained = self.weights == "trained"
        require(trained == (self.states != "none"), "states", "goes with weights trained")
        require(trained or self.config_form == "none", "config_form", "goes with weights trained")
        known = self.config_form != "none"
        require(known == bool(self.architectures), "architectures", "goes with config_form")
        require(self.has_own_work or not self.physical, "physical", "needs weights that are described")
        described = self.weights in {"model", "trained"}
        require(described == (self.generic is not None), "generic", "goes with weights model or trained")
        self._check_manner()

    def _check_manner(self) -> None:
        """Refuse manners of drafting that the kind's passes do not have."""
        trained_blocks = self.weights == "trained" and self.in_blocks
        require(trained_blocks or self.sequence == "none", "sequence", "goes with drafting block and weights trained")
        require(
            trained_blocks or not (self.parallel or self.runs), "parallel", "goes with trained blocks, as does runs"
        )
        require(self.weights == "next-token" or not self.chained, "chained", "goes with weights next-token")
        require(self.drafting == "token" or not self.trees, "trees", "goes with drafting token")
        require(not self.chained or not self.trees, "trees", "contradicts chained")
        require(self.trees == bool(self.ranks), "ranks", "goes with trees")
        shares = all(0.0 <= share <= 1.0 for share in self.ranks) and sum(self.ranks) <= 1.0
        require(shares and list(self.ranks) == sorted(self.ranks, reverse=True), "ranks", "must be falling shares")

    @property
    def hypothetical(self) -> bool:
        """Whether it is a bound on what speculation can give, not a drafter that can be built."""
        return self.drafting == "free"

    @property
    def in_blocks(self) -> bool:
        """Whether one pass drafts a block, so that a line can state its length and further passes over it."""
        return self.drafting == "block"

    @property
    def block_counts_verified(self) -> bool:
        """Whether a checkpoint's block size counts the token that is verified first along with the drafts (DFlash)."""
        return self.config_form == "dflash" and self.sequence != "markov"

    @property
    def looks_up(self) -> bool:
        """Whether drafts come from the text so far, so that random text proves nothing."""
        return self.drafting == "host"

    @property
    def has_own_work(self) -> bool:
        """Whether its weights are described, so that drafting can be priced by the work of its own passes."""
        match self.weights:
            case "none" | "undescribed":
                return False
            case "next-token" | "model" | "trained":
                return True
            case _:
                assert_never(self.weights)

    @property
    def has_checkpoint(self) -> bool:
        """Whether an engine needs a checkpoint of the drafter besides the target's."""
        match self.weights:
            case "none" | "next-token":
                return False
            case "undescribed" | "model" | "trained":
                return True
            case _:
                assert_never(self.weights)

    def method(self, engine_id: str) -> EngineMethod | None:
        """Return an engine's way of running it; None if it has none.

        Args:
            engine_id: Key of the engine.
        """
        return next((method for method in self.engines if method.engine == engine_id), None)


def engine_methods(tables: Mapping[str, Mapping[str, object]]) -> tuple[EngineMethod, ...]:
    """Return each engine's way of running a kind, from the entry's tables.

    Args:
        tables: The fields of `EngineMethod`, by the engine's id; the options as a table of their own.

    Raises:
        SpecError: When a field is missing, unknown or impossible; names the engine and the field.
    """
    methods = []
    for engine, table in tables.items():
        try:
            methods.append(build(_method, table, field_types(EngineMethod), engine=engine))
        except SpecError as error:
            message = f"engines.{engine}: {error}"
            raise SpecError(message) from error
    return tuple(methods)


def _method(
    *,
    options: Mapping[str, OptionValue] | None = None,
    layouts: Mapping[str, Iterable[str]] | None = None,
    other_vocabulary: Mapping[str, OptionValue] | None = None,
    adaptive: Mapping[str, OptionValue] | None = None,
    **facts: Any,
) -> EngineMethod:
    return EngineMethod(
        options=tuple((options or {}).items()),
        layouts=tuple((layout, tuple(words)) for layout, words in (layouts or {}).items()),
        other_vocabulary=tuple((other_vocabulary or {}).items()),
        adaptive=tuple((adaptive or {}).items()),
        **facts,
    )
