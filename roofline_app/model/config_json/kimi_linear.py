"""Kimi Linear and Kimi-K3: Kimi delta attention between layers of latent attention, experts that may be narrower."""

from __future__ import annotations

from roofline_app.model.config_json.experts import latent_experts
from roofline_app.model.config_json.fields import Fields
from roofline_app.model.config_json.latent_attention import expanded_heads, latent_attention
from roofline_app.model.config_json.refusals import shown
from roofline_app.model.dimensions import KimiDelta, LayerGroup, Mixer

_FULL, _LINEAR = "full_attention", "linear_attention"
_EVERY = 4


def _kinds(fields: Fields, linear: Fields, layers: int) -> list[str]:
    """Return a kind for each layer; the checkpoint's own lists count layers from 1."""
    listed = {_FULL: linear.counts("full_attn_layers"), _LINEAR: linear.counts("kda_layers")}
    if not any(listed.values()):
        kinds = fields.texts("layer_types")
        kinds = kinds or [_FULL if layer and not layer % _EVERY else _LINEAR for layer in range(layers)]
        if len(kinds) != layers:
            fields.refuse("layer_types", f"has {len(kinds)} entries, not num_hidden_layers {layers}")
        return kinds
    by_layer = {number: kind for kind, numbers in listed.items() for number in numbers}
    if sorted(number for numbers in listed.values() for number in numbers) != list(range(1, layers + 1)):
        linear.refuse("full_attn_layers", f"and kda_layers are not the layers 1 to num_hidden_layers {layers}")
    fields.raw("layer_types")
    return [by_layer[layer + 1] for layer in range(layers)]


def delta_layers(fields: Fields) -> list[LayerGroup]:
    """Return the layers of a Kimi Linear model.

    Args:
        fields: The text model's fields.

    Returns:
        One group per layer, in order.

    Raises:
        ConfigError: When a field is missing or impossible, or a layer type is not modelled.
    """
    layers = fields.count("num_hidden_layers")
    linear = fields.table("linear_attn_config")
    delta = KimiDelta(
        heads=linear.count("num_heads") if linear.has("num_heads") else fields.count("linear_num_heads"),
        head_dim=linear.count("head_dim") if linear.has("head_dim") else fields.count("linear_head_dim"),
        kernel=linear.count("short_conv_kernel_size", default=fields.count("linear_conv_kernel_dim", default=_EVERY)),
        full_gate=linear.flag("use_full_rank_gate", default=False),
    )
    # Without a rank the query has a full projection, stated as null or not at all.
    ranked = fields.with_values({"q_lora_rank": fields.raw("q_lora_rank")})
    mixers: dict[str, Mixer] = {_FULL: latent_attention(ranked), _LINEAR: delta}
    expanded_heads(fields)
    fields.raw("attn_res_block_size")
    kinds = _kinds(fields, linear, layers)
    unknown = next((kind for kind in kinds if kind not in mixers), None)
    if unknown is not None:
        fields.refuse("layer_types", f"layer type {shown(unknown)} is not modelled")
    blocks = latent_experts(fields, layers)
    return [LayerGroup(mixer=mixers[kind], feed_forward=block) for kind, block in zip(kinds, blocks, strict=True)]
