"""What a block drafter has besides its layers: the sequential part, as the config.json of its kind states it."""

from __future__ import annotations

from typing import Any, assert_never

from roofline_app.model.config_json.fields import Fields
from roofline_app.model.dimensions import SequentialPart
from roofline_app.specs.drafter_kinds import Sequence

VANILLA = "vanilla"
# A confidence head is one row of weights and its bias.
_BIAS = 1
# Words that Domino's correction scores in each block, in SGLang, unless it is told to score all of them.
_DOMINO_CANDIDATES = 2048
# Gates of a GRU cell, each with a matrix of the input and one of the state.
_GATES = 3
# Attention and feed-forward of a DFlash2 layer have a convolution each, before and after.
_CONVOLUTIONS, _SIDES = 2, 2
_CODEBOOKS = 2


def read_sequence(sequence: Sequence, fields: Fields, hidden_size: int, layers: int) -> dict[str, Any]:
    """Return the fields of a drafter's spec that its kind's sequential part decides.

    Args:
        sequence: What chooses a block's tokens one after the other.
        fields: Its sizes, as the drafter's config.json calls them.
        hidden_size: Width of the drafter.
        layers: Its layers.

    Returns:
        Fields of `DrafterSpec` by name; none for a drafter whose passes alone draft.

    Raises:
        SpecError: When a size is missing, impossible or of a part that is not modelled.

    Source:
        SpecForge's and SGLang's model code of DSpark, Domino and DFlash2.
    """
    match sequence:
        case "none":
            return {}
        case "markov":
            return _markov(fields, hidden_size)
        case "recurrent":
            return _recurrent(fields, hidden_size)
        case "selector":
            return _selector(fields, hidden_size, layers)
        case _:
            assert_never(sequence)


def _markov(fields: Fields, hidden_size: int) -> dict[str, Any]:
    """Return DSpark's: a row of the previous word's table times a matrix of all words, added to the scores."""
    kind = fields.text("markov_head_type", default=VANILLA)
    if kind != VANILLA:
        fields.refuse("markov_head_type", f"{kind} is not modelled")
    rank = fields.count("markov_rank")
    confidence = 0
    if fields.flag("enable_confidence_head", default=True):
        beside = rank if fields.flag("confidence_head_with_markov", default=True) else 0
        confidence = hidden_size + beside + _BIAS
    return {
        "anchor_drafts": fields.flag("sample_from_anchor", default=True),
        "other_parameters": hidden_size + confidence,
        "sequential": SequentialPart(word_width=rank, scores=True, tables=1, rows=1),
    }


def _recurrent(fields: Fields, hidden_size: int) -> dict[str, Any]:
    """Return Domino's: a GRU over the words so far, whose state and the hidden state correct the scores."""
    state, width = fields.count("gru_hidden_dim"), fields.count("emb_dim")
    cell = _GATES * state * (hidden_size + state)
    return {
        "other_parameters": hidden_size,
        "sequential": SequentialPart(
            step_parameters=cell + (hidden_size + state) * width,
            word_width=width,
            scores=True,
            candidates=_DOMINO_CANDIDATES,
            skipped=fields.count("pure_draft_prefix_len", default=1, least=0),
        ),
    }


def _selector(fields: Fields, hidden_size: int, layers: int) -> dict[str, Any]:
    """Return DFlash2's: dynamic convolutions in every layer, and a walk through each position's likeliest words."""
    rank, likeliest = fields.count("selector_rank"), fields.count("selector_top_k")
    taps, group = fields.count("conv_kernel_size", default=0, least=0), fields.count("conv_group_size", default=1)
    kernels = _SIDES * taps * (hidden_size // group)
    vectors = _CONVOLUTIONS * _SIDES * taps * hidden_size
    return {
        "layer_parameters": _CONVOLUTIONS * hidden_size * kernels,
        "pass_parameters": rank * hidden_size,
        "other_parameters": hidden_size + layers * vectors,
        "sequential": SequentialPart(
            word_width=rank, tables=_CODEBOOKS, rows=_CODEBOOKS * likeliest, products=likeliest * likeliest * rank
        ),
    }
