"""Nemotron-H: layers of one block each, spelled as letters."""

from __future__ import annotations

from roofline_app.model.config_json.attention import Traits, grouped_attention
from roofline_app.model.config_json.experts import counted
from roofline_app.model.config_json.fields import Fields, shown
from roofline_app.model.dimensions import Dense, LayerGroup, Mamba2, Moe

MAMBA, ATTENTION, EXPERTS, MLP = "M", "*", "E", "-"
_ATTENTION_TRAITS = Traits(output_follows_bias=True, derived_head_dim=False)


def _mamba(fields: Fields) -> Mamba2:
    fields.divides("n_groups", "mamba_num_heads")
    return Mamba2(
        heads=fields.count("mamba_num_heads"),
        head_dim=fields.count("mamba_head_dim"),
        state_dim=fields.count("ssm_state_size"),
        groups=fields.count("n_groups"),
        kernel=fields.count("conv_kernel"),
        convolution_bias=fields.flag("use_conv_bias", default=True),
        projection_biases=fields.flag("use_bias", default=False),
    )


def _ungated(fields: Fields) -> None:
    activation = fields.text("mlp_hidden_act", default="relu2")
    if activation != "relu2":
        fields.refuse("mlp_hidden_act", f"{shown(activation)} is not modelled for this model type")


def _experts(fields: Fields) -> Moe:
    _ungated(fields)
    experts, used = counted(fields, "n_routed_experts")
    shared = fields.count("n_shared_experts", least=0)
    fields.raw("moe_shared_expert_intermediate_size")
    return Moe(
        experts=experts,
        experts_per_token=used,
        intermediate_size=fields.count("moe_intermediate_size"),
        gated=False,
        shared_size=shared * fields.count("moe_shared_expert_intermediate_size") if shared else 0,
        latent_size=fields.count("moe_latent_size", default=0),
    )


def _dense(fields: Fields) -> Dense:
    _ungated(fields)
    biased = fields.flag("mlp_bias", default=False)
    return Dense(intermediate_size=fields.count("intermediate_size"), gated=False, biases=biased)


def _layer(fields: Fields, letter: str) -> LayerGroup:
    match letter:
        case "M":
            return LayerGroup(mixer=_mamba(fields), feed_forward=None, norms=1)
        case "*":
            return LayerGroup(mixer=grouped_attention(fields, _ATTENTION_TRAITS), feed_forward=None, norms=1)
        case "E":
            return LayerGroup(mixer=None, feed_forward=_experts(fields), norms=1)
        case "-":
            return LayerGroup(mixer=None, feed_forward=_dense(fields), norms=1)
        case _:
            return fields.refuse("hybrid_override_pattern", f"layer type {shown(letter)} is not modelled")


def hybrid_layers(fields: Fields) -> list[LayerGroup]:
    """Return the layers of a Nemotron-H model.

    Args:
        fields: The text model's fields.

    Returns:
        One group per letter of `hybrid_override_pattern`: M Mamba-2, * attention, E experts, - dense.

    Raises:
        ConfigError: When a field is missing or impossible, or a letter is not modelled.
    """
    layers = fields.count("num_hidden_layers")
    letters = fields.text("hybrid_override_pattern")
    if len(letters) != layers:
        fields.refuse("hybrid_override_pattern", f"has {len(letters)} letters, not num_hidden_layers {layers}")
    for described in ("intermediate_size", "expand"):
        if fields.has(described):
            fields.count(described)
    by_letter = {letter: _layer(fields, letter) for letter in dict.fromkeys(letters)}
    return [by_letter[letter] for letter in letters]
