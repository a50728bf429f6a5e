"""A drafter's dimensions: its own layers, what it reads of the target, and whose output head it uses."""

from __future__ import annotations

from dataclasses import dataclass, replace

from roofline_app.model.dimensions.layers import LayerGroup
from roofline_app.specs.checks import (
    require,
    require_date,
    require_positive,
    require_source,
    require_text,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SequentialPart:
    """What chooses the tokens of a block one after the other, a step each, once a pass has scored them all.

    Attributes:
        step_parameters: Weights that each step reads, those per word aside.
        word_width: Numbers per word of the target's vocabulary, in each of its matrices and tables of words.
        scores: Whether each step scores words by a matrix of `word_width` numbers per word.
        candidates: Words that the steps of a pass score, gathered once for all of them; 0 where each scores all words.
        tables: Tables of `word_width` numbers per word that steps look up in.
        rows: Rows that a step looks up for one sequence.
        products: Multiply-adds of a step besides those of its weights.
        skipped: First draft tokens of a block that take no step.
    """

    step_parameters: int = 0
    word_width: int = 0
    scores: bool = False
    candidates: int = 0
    tables: int = 0
    rows: int = 0
    products: int = 0
    skipped: int = 0

    def parameters(self, words: int) -> int:
        """Return its weights.

        Args:
            words: Size of the target's vocabulary.
        """
        return self.step_parameters + (self.tables + self.scores) * self.word_width * words


@dataclass(frozen=True, slots=True, kw_only=True)
class DrafterSpec:
    """One drafter with weights.

    Attributes:
        id: Key of the entry; of a generic drafter, the target's id and the kind.
        name: Name as shown.
        kind: Id of its kind.
        targets: Ids of the models that it drafts for.
        source: Who states the figures.
        checked: ISO date of the last check.
        model: Registry id of a separate draft model; empty where the layers are stated here.
        hidden_size: Width of its layers; 0 for a separate draft model.
        layers: Groups of equal layers.
        fused_states: Hidden states of the target that are joined and projected onto the width, per token.
        vocab_size: Words of a head of its own; 0 where it uses the target's.
        block: Draft tokens of one pass, the verified token not counted; 1 where each takes a pass of its own.
        anchor_drafts: Whether the verified token's position of a block drafts as well.
        layer_parameters: Weights of each layer besides attention and feed-forward that every position multiplies.
        pass_parameters: Further weights of a pass that every position multiplies.
        other_parameters: Vectors and small matrices that are read and hardly computed with.
        sequential: What chooses a block's tokens one after the other; None where a pass alone does.
        max_context_tokens: Longest context that it was made for; 0 where none is stated.
        assumed: What no source states, as a sentence; empty where everything is stated.
    """

    id: str
    name: str
    kind: str
    targets: tuple[str, ...]
    source: str
    checked: str
    model: str = ""
    hidden_size: int = 0
    layers: tuple[LayerGroup, ...] = ()
    fused_states: int = 1
    vocab_size: int = 0
    block: int = 1
    anchor_drafts: bool = False
    layer_parameters: int = 0
    pass_parameters: int = 0
    other_parameters: int = 0
    sequential: SequentialPart | None = None
    max_context_tokens: int = 0
    assumed: str = ""

    def __post_init__(self) -> None:
        """Refuse a drafter without layers, source or target, and a pass that drafts nothing."""
        require_text(self, "name", "kind")
        require(bool(self.targets), "targets", "must not be empty")
        require_source(self)
        require(bool(self.model) != bool(self.layers), "layers", "must be stated here or be those of a model")
        require_positive(self, "fused_states", "block")
        if self.layers:
            require_positive(self, "hidden_size")
        require_date(self)

    def as_plain_block(self) -> DrafterSpec:
        """Return it as a drafter whose passes alone draft, after the verified token: that draws no sequence.

        Its positions stay as many, so that one whose verified token drafts has a draft token fewer.
        """
        return replace(
            self,
            block=self.block - 1 if self.anchor_drafts else self.block,
            anchor_drafts=False,
            layer_parameters=0,
            pass_parameters=0,
            other_parameters=0,
            sequential=None,
        )
