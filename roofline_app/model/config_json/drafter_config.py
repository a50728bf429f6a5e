"""The config.json of a trained drafter: EAGLE-3 heads and DFlash blocks, as SpecForge and checkpoints write them."""

from __future__ import annotations

from collections.abc import Mapping

from roofline_app.model.config_json.fields import Fields
from roofline_app.model.dimensions import Attention, Dense, DrafterSpec, LayerGroup, grouped
from roofline_app.model.terms import Reach

EAGLE3 = "LlamaForCausalLMEagle3"
BLOCKS = ("DFlashDraftModel", "DSparkDraftModel")
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


def read_drafter(*, config: Mapping[str, object] | None = None, **facts: object) -> DrafterSpec:
    """Return the drafter that an entry's facts and the fields of its config.json describe.

    Args:
        config: Fields of the drafter's config.json; None for a separate draft model, which has its own entry.
        **facts: The entry's other fields.

    Returns:
        The drafter.

    Raises:
        SpecError: When the architecture is not modelled, or a field is missing or impossible.
    """
    if config is None:
        return DrafterSpec(**facts)  # type: ignore[arg-type]
    fields = Fields(config)
    (architecture, *_) = fields.texts("architectures") or [""]
    if architecture == EAGLE3:
        listed = fields.table("eagle_config").counts("eagle_aux_hidden_state_layer_ids")
        return DrafterSpec(
            kind="eagle3",
            hidden_size=fields.count("hidden_size"),
            layers=_layers(fields, norms=_EAGLE3_NORMS, normed_heads=False),
            fused_states=len(listed) or _EAGLE3_STATES,
            vocab_size=fields.count("draft_vocab_size", default=_GENERIC_DRAFT_WORDS),
            **facts,  # type: ignore[arg-type]
        )
    if architecture not in BLOCKS:
        fields.refuse("architectures", f"drafter {architecture or 'without a name'} is not modelled")
    table = fields.table("dflash_config")
    listed = table.counts("target_layer_ids")
    if not listed:
        fields.refuse("dflash_config", "lists no target_layer_ids")
    return DrafterSpec(
        kind="block",
        hidden_size=fields.count("hidden_size"),
        layers=_layers(fields, norms=2, normed_heads=True),
        fused_states=len(listed),
        block_size=(fields if fields.has("block_size") else table).count("block_size", least=2),
        **facts,  # type: ignore[arg-type]
    )
