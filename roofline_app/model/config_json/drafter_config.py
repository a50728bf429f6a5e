"""The config.json of a trained drafter, in the convention of its kind, as SpecForge and checkpoints write it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, assert_never

from roofline_app.model.config_json.drafter_sequence import read_sequence
from roofline_app.model.config_json.fields import Fields
from roofline_app.model.dimensions import Attention, Dense, DrafterSpec, LayerGroup, grouped
from roofline_app.model.terms import Reach
from roofline_app.specs import DrafterKindSpec
from roofline_app.specs.checks import require

WINDOW = "sliding_attention"
LAYER_TYPES = ("full_attention", WINDOW)
# What would make its layers others than those that are built here.
_EXPERTS = "a mixture of experts"
_NOT_MODELLED = {
    "kv_lora_rank": "latent attention",
    "n_routed_experts": _EXPERTS,
    "num_experts": _EXPERTS,
    "num_local_experts": _EXPERTS,
}
# EAGLE-3 joins a low, a middle and a high hidden state of the target unless its config lists others.
_EAGLE3_STATES = 3
_EAGLE3_NORMS = 3
_GENERIC_DRAFT_WORDS = 32_000
# P-EAGLE heads were released for eight to ten parallel tokens; their config.json says nothing of it.
_PARALLEL_DRAFTS = 8


def _layers(fields: Fields, *, norms: int, normed_heads: bool) -> list[LayerGroup]:
    """Return the dense layers that a config describes, one by one, windows where it lists them."""
    for name, what in _NOT_MODELLED.items():
        if fields.has(name):
            fields.refuse(name, f"{what} in a drafter is not modelled")
    heads, hidden_size = fields.count("num_attention_heads"), fields.count("hidden_size")
    head_dim = fields.count("head_dim", default=hidden_size // heads)
    count = fields.count("num_hidden_layers")
    types = fields.texts("layer_types") or [LAYER_TYPES[0]] * count
    if len(types) != count:
        fields.refuse("layer_types", f"lists {len(types)} layers of {count}")
    block = Dense(intermediate_size=fields.count("intermediate_size"))
    found = []
    for layer_type in types:
        if layer_type not in LAYER_TYPES:
            fields.refuse("layer_types", f"layer type {layer_type} is not modelled")
        windowed = layer_type == WINDOW
        attention = Attention(
            heads=heads,
            kv_heads=fields.count("num_key_value_heads"),
            head_dim=head_dim,
            norm_parameters=2 * head_dim if normed_heads else 0,
            reach=Reach.WINDOW if windowed else Reach.ALL,
            limit=fields.count("sliding_window") if windowed else 0,
        )
        found.append(LayerGroup(mixer=attention, feed_forward=block, norms=norms))
    return found


def _eagle3(fields: Fields) -> dict[str, Any]:
    """Return the sizes that a config of an EAGLE-3 head states; of several layers the first alone reads two states."""
    listed = fields.table("eagle_config").counts("eagle_aux_hidden_state_layer_ids")
    first, *others = _layers(fields, norms=_EAGLE3_NORMS, normed_heads=False)
    layers = grouped([first, *(replace(layer, norms=_EAGLE3_NORMS - 1) for layer in others)])
    if len({layer.mixer for layer in layers}) != 1:
        fields.refuse("layer_types", "an EAGLE-3 head has layers of one kind")
    states = len(listed) or _EAGLE3_STATES
    return {
        "layers": layers,
        "fused_states": states,
        "vocab_size": fields.count("draft_vocab_size", default=_GENERIC_DRAFT_WORDS),
        # EAGLE-3.1 norms each hidden state before they are joined.
        "other_parameters": states * fields.count("hidden_size") if fields.flag("fc_norm", default=False) else 0,
    }


def _parallel(fields: Fields) -> dict[str, Any]:
    """Return the sizes of an EAGLE-3 head that drafts in parallel: masked positions share a learnt state."""
    sizes = _eagle3(fields)
    masked = sizes["fused_states"] * fields.count("hidden_size")
    block = fields.count("parallel_draft_tokens", default=_PARALLEL_DRAFTS, least=2)
    return {**sizes, "other_parameters": sizes["other_parameters"] + masked, "block": block}


def _dflash(fields: Fields, kind: DrafterKindSpec) -> dict[str, Any]:
    """Return the sizes that a config of a DFlash block states, and of what else its kind has.

    Its block size counts the verified token, unless that one's position drafts as well.
    """
    table = fields.table("dflash_config")
    listed = table.counts("target_layer_ids")
    if not listed:
        fields.refuse("dflash_config", "lists no target_layer_ids")
    layers = _layers(fields, norms=2, normed_heads=True)
    # Files keep the sequential part's sizes at the top, in this table, or in one of the kind's own.
    tables = (table, fields.table(f"{kind.id}_config"))
    stated = {name: value for one in tables for name, value in one.values(*one.names()).items()}
    more = read_sequence(kind.sequence, fields.with_values(stated), fields.count("hidden_size"), len(layers))
    positions = (fields if fields.has("block_size") else table).count("block_size", least=2)
    return {
        "layers": grouped(layers),
        "fused_states": len(listed),
        "vocab_size": fields.count("draft_vocab_size", default=0, least=0),
        **more,
        "block": positions if more.get("anchor_drafts") else positions - 1,
    }


def kind_of(kinds: Iterable[DrafterKindSpec], fields: Fields) -> DrafterKindSpec:
    """Return the kind of drafter that a config is of, by its projector where it names one, else by its architecture.

    Args:
        kinds: Every kind of drafter.
        fields: Fields of the config.json.

    Raises:
        ConfigError: When no kind is known by that name.
    """
    (architecture, *_) = fields.texts("architectures") or [""]
    projector = fields.table("dflash_config").text("projector_type", default="")
    name = projector or architecture
    kind = next((kind for kind in kinds if name in kind.architectures), None)
    if kind is None:
        fields.refuse("architectures", f"drafter {name or 'without a name'} is not modelled")
    return kind


def read_drafter(
    kinds: Iterable[DrafterKindSpec], *, config: Mapping[str, object] | None = None, **facts: object
) -> DrafterSpec:
    """Return the drafter that an entry's facts and the fields of its config.json describe.

    Args:
        kinds: Every kind of drafter.
        config: Fields of the drafter's config.json; None for a separate draft model, which has its own entry.
        **facts: The entry's other fields; without a config `kind` and `model` among them.

    Returns:
        The drafter.

    Raises:
        SpecError: When the architecture is not modelled, or a field is missing or impossible.
    """
    if config is None:
        drafter = DrafterSpec(**facts)  # type: ignore[arg-type]
        models = [kind.id for kind in kinds if kind.weights == "model"]
        require(drafter.kind in models, "kind", f"{drafter.kind!r} is not one of {', '.join(models)}")
        return drafter
    fields = Fields(config)
    kind = kind_of(kinds, fields)
    hidden_size = fields.count("hidden_size")
    match kind.config_form:
        case "eagle3":
            sizes = _parallel(fields) if kind.in_blocks else _eagle3(fields)
        case "dflash":
            sizes = _dflash(fields, kind)
        case "none":
            fields.refuse("architectures", f"{kind.name} has no convention for its config")
        case _:
            assert_never(kind.config_form)
    longest = fields.count("max_position_embeddings", default=0, least=0)
    return DrafterSpec(kind=kind.id, hidden_size=hidden_size, max_context_tokens=longest, **sizes, **facts)  # type: ignore[arg-type]
