"""The config.json of a trained drafter, in the convention of its kind, as SpecForge and checkpoints write it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

from roofline_app.model.config_json.fields import Fields
from roofline_app.model.dimensions import Attention, Dense, DrafterSpec, LayerGroup, grouped
from roofline_app.model.terms import Reach
from roofline_app.specs import DrafterKindSpec
from roofline_app.specs.checks import require

WINDOW = "sliding_attention"
LAYER_TYPES = ("full_attention", WINDOW)
# EAGLE-3 joins a low, a middle and a high hidden state of the target unless its config lists others.
_EAGLE3_STATES = 3
_EAGLE3_NORMS = 3
_GENERIC_DRAFT_WORDS = 32_000


def _layers(fields: Fields, *, norms: int, normed_heads: bool) -> tuple[LayerGroup, ...]:
    """Return the dense layers that a config describes, windows where it lists them."""
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
    return grouped(found)


def _eagle3(fields: Fields) -> dict[str, object]:
    """Return the sizes that a config of an EAGLE-3 head states."""
    listed = fields.table("eagle_config").counts("eagle_aux_hidden_state_layer_ids")
    layers = _layers(fields, norms=_EAGLE3_NORMS, normed_heads=False)
    if len(layers) != 1:
        fields.refuse("layer_types", "an EAGLE-3 head has layers of one kind")
    return {
        "layers": layers,
        "fused_states": len(listed) or _EAGLE3_STATES,
        "vocab_size": fields.count("draft_vocab_size", default=_GENERIC_DRAFT_WORDS),
    }


def _dflash(fields: Fields) -> dict[str, object]:
    """Return the sizes that a config of a DFlash block states; its block size counts the verified token."""
    table = fields.table("dflash_config")
    listed = table.counts("target_layer_ids")
    if not listed:
        fields.refuse("dflash_config", "lists no target_layer_ids")
    return {
        "layers": _layers(fields, norms=2, normed_heads=True),
        "fused_states": len(listed),
        "block": (fields if fields.has("block_size") else table).count("block_size", least=2) - 1,
    }


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
    (architecture, *_) = fields.texts("architectures") or [""]
    kind = next((kind for kind in kinds if architecture in kind.architectures), None)
    if kind is None:
        fields.refuse("architectures", f"drafter {architecture or 'without a name'} is not modelled")
    hidden_size = fields.count("hidden_size")
    match kind.config_form:
        case "eagle3":
            sizes = _eagle3(fields)
        case "dflash":
            sizes = _dflash(fields)
        case "none":
            fields.refuse("architectures", f"{kind.name} has no convention for its config")
        case _:
            assert_never(kind.config_form)
    return DrafterSpec(kind=kind.id, hidden_size=hidden_size, **sizes, **facts)  # type: ignore[arg-type]
