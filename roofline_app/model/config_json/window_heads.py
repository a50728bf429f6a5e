"""Models whose layers differ in their heads: MiMo-V2, Step-3.5 and 3.7, Laguna."""

from __future__ import annotations

from dataclasses import replace

from roofline_app.model.config_json.attention import FULL, SLIDING, Traits, grouped_attention, layer_kinds
from roofline_app.model.config_json.experts import dense_first_experts, laguna_experts, step_experts
from roofline_app.model.config_json.fields import Fields
from roofline_app.model.config_json.refusals import shown
from roofline_app.model.dimensions import Attention, LayerGroup
from roofline_app.model.terms import Reach

_MIMO = Traits(derived_head_dim=True, kv_as_heads=True, output_follows_bias=False)
_STEP = Traits(derived_head_dim=True, norm="head")
_MIMO_EVERY = 6
STEP = "step3p5"
OTHER_HEADS = "attention_other_setting"


def _window(fields: Fields, *names: str) -> int:
    """Return the window, which a config may name more than once."""
    return fields.count(fields.one_of(*names))


def _mimo_kinds(fields: Fields, layers: int) -> list[str]:
    pattern = fields.counts("hybrid_layer_pattern")
    if fields.has("layer_types"):
        return layer_kinds(fields, _MIMO)
    if not pattern:
        return [FULL if not layer or not (layer + 1) % _MIMO_EVERY else SLIDING for layer in range(layers)]
    if len(pattern) != layers:
        fields.refuse("hybrid_layer_pattern", f"has {len(pattern)} entries, not num_hidden_layers {layers}")
    return [SLIDING if one else FULL for one in pattern]


def mimo_layers(fields: Fields) -> list[LayerGroup]:
    """Return the layers of MiMo-V2: keys wider than values, and sinks where the config says so.

    Args:
        fields: The text model's fields.

    Returns:
        One group per layer, in order.

    Raises:
        ConfigError: When a field is missing or impossible.
    """
    layers = fields.count("num_hidden_layers")
    kinds = _mimo_kinds(fields, layers)
    full = replace(
        grouped_attention(fields, _MIMO),
        value_dim=fields.count("v_head_dim", default=0),
        sinks=fields.flag("add_full_attention_sink_bias", default=False),
    )
    windowed = fields.renamed(
        num_attention_heads="swa_num_attention_heads",
        num_key_value_heads="swa_num_key_value_heads",
        head_dim="swa_head_dim",
        v_head_dim="swa_v_head_dim",
    )
    sliding = full
    if SLIDING in kinds:
        sliding = replace(
            grouped_attention(windowed, _MIMO),
            value_dim=windowed.count("v_head_dim", default=0),
            sinks=fields.flag("add_swa_attention_sink_bias", default=False),
            reach=Reach.WINDOW,
            limit=_window(fields, "sliding_window", "sliding_window_size", "attention_chunk_size"),
        )
    blocks = dense_first_experts(fields.with_defaults({"n_shared_experts": 0}), layers)
    mixers = {FULL: full, SLIDING: sliding}
    return [LayerGroup(mixer=mixers[kind], feed_forward=block) for kind, block in zip(kinds, blocks, strict=True)]


def _step_attention(fields: Fields, kind: str) -> Attention:
    groups = fields.renamed(num_key_value_heads="num_attention_groups")
    if kind == SLIDING:
        other = fields.table(OTHER_HEADS)
        names = ("num_attention_heads", "num_attention_groups", "head_dim")
        heads = {name: other.raw(name) for name in names} | {"num_key_value_heads": other.raw("num_attention_groups")}
        if fields.has("num_sliding_attention_heads"):
            heads["num_attention_heads"] = fields.count("num_sliding_attention_heads")
        groups = groups.with_values({name: value for name, value in heads.items() if value is not None})
    return replace(grouped_attention(groups, _STEP, kind), head_gated=True)


def step_layers(fields: Fields) -> list[LayerGroup]:
    """Return the layers of Step-3.5 and 3.7, whose heads each have an output gate.

    Args:
        fields: The text model's fields.

    Returns:
        One group per layer, in order.

    Raises:
        ConfigError: When a field is missing or impossible.
    """
    kinds = layer_kinds(fields, _STEP)
    unknown = next((kind for kind in kinds if kind not in {FULL, SLIDING}), None)
    if unknown is not None:
        fields.refuse("layer_types", f"layer type {shown(unknown)} is not modelled")
    for noted in ("use_head_wise_attn_gate", "use_qk_norm", OTHER_HEADS, "num_sliding_attention_heads"):
        fields.raw(noted)
    mixers = {kind: _step_attention(fields, kind) for kind in dict.fromkeys(kinds)}
    blocks = step_experts(fields, len(kinds))
    return [LayerGroup(mixer=mixers[kind], feed_forward=block) for kind, block in zip(kinds, blocks, strict=True)]


def step_leaves_heads_out(fields: Fields) -> bool:
    """Return whether a config of Step has sliding layers and does not say how many heads they have."""
    stated = fields.has(OTHER_HEADS, "num_sliding_attention_heads")
    return not stated and SLIDING in fields.texts("layer_types")


def laguna_layers(fields: Fields) -> list[LayerGroup]:
    """Return the layers of Laguna, each with heads of its own number and a gate for every head or every channel.

    Args:
        fields: The text model's fields.

    Returns:
        One group per layer, in order.

    Raises:
        ConfigError: When a field is missing or impossible.
    """
    kinds = layer_kinds(fields, _STEP)
    heads = fields.counts("num_attention_heads_per_layer") or [fields.count("num_attention_heads")] * len(kinds)
    if len(heads) != len(kinds):
        fields.refuse("num_attention_heads_per_layer", f"has {len(heads)} entries, not num_hidden_layers {len(kinds)}")
    gating = fields.raw("gating")
    by_head = gating in {None, True, "per-head"} if isinstance(gating, str | bool | None) else False
    fields.raw("gating_types")
    mixers = {}
    for pair in dict.fromkeys(zip(kinds, heads, strict=True)):
        kind, count = pair
        attention = grouped_attention(fields.with_values({"num_attention_heads": count}), _STEP, kind)
        mixers[pair] = replace(attention, head_gated=by_head, gated=not by_head)
    blocks = laguna_experts(fields, len(kinds))
    pairs = zip(kinds, heads, blocks, strict=True)
    return [LayerGroup(mixer=mixers[kind, count], feed_forward=block) for kind, count, block in pairs]
