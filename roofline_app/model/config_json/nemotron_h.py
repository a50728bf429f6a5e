"""Nemotron-H: layers of one block each, spelled as letters."""

from __future__ import annotations

from roofline_app.model.config_json.attention import Traits, grouped_attention
from roofline_app.model.config_json.experts import counted
from roofline_app.model.config_json.fields import Fields
from roofline_app.model.config_json.refusals import shown
from roofline_app.model.dimensions import Dense, LayerGroup, Mamba2, Moe

MAMBA, ATTENTION, EXPERTS, MLP = "M", "*", "E", "-"
_ATTENTION_TRAITS = Traits(output_follows_bias=True, derived_head_dim=False, kv_as_heads=True)


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


def _experts(fields: Fields) -> Moe:
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
    biased = fields.flag("mlp_bias", default=False)
    return Dense(intermediate_size=fields.count("intermediate_size"), gated=False, biases=biased)


def _layer(fields: Fields, letter: str) -> LayerGroup:
    match letter:
        case "M":
            return LayerGroup(mixer=_mamba(fields), feed_forward=None, norms=1)
        case "*":
            head = fields.one_of("head_dim", "attention_head_dim")
            renamed = fields.with_defaults({"head_dim": fields.raw(head)})
            return LayerGroup(mixer=grouped_attention(renamed, _ATTENTION_TRAITS), feed_forward=None, norms=1)
        case "E":
            return LayerGroup(mixer=None, feed_forward=_experts(fields), norms=1)
        case "-":
            return LayerGroup(mixer=None, feed_forward=_dense(fields), norms=1)
        case _:
            return fields.refuse("hybrid_override_pattern", f"layer type {shown(letter)} is not modelled")


_KINDS = {
    MAMBA: ("mamba", "mamba2", "linear_attention"),
    ATTENTION: ("attention", "full_attention"),
    EXPERTS: ("moe",),
    MLP: ("mlp",),
}
_LETTERS = {kind: letter for letter, kinds in _KINDS.items() for kind in kinds}
LISTS = ("layers_block_type", "layer_types")


def _letters(fields: Fields, pattern: str, *lists: str) -> str:
    """Return the kinds of layers as letters, in whichever spelling the config has; empty where it has none."""
    name = fields.one_of(*lists)
    kinds = fields.texts(name)
    unknown = next((kind for kind in kinds if kind not in _LETTERS), None)
    if unknown is not None:
        fields.refuse(name, f"layer type {shown(unknown)} is not modelled")
    listed = "".join(_LETTERS[kind] for kind in kinds)
    spelled = fields.text(pattern, default=listed)
    if listed and spelled != listed:
        fields.refuse(pattern, f"differs from {name}")
    return spelled


def hybrid_layers(fields: Fields) -> list[LayerGroup]:
    """Return the layers of a Nemotron-H model.

    Args:
        fields: The text model's fields.

    Returns:
        One group per letter of `hybrid_override_pattern` (M Mamba-2, * attention, E experts, - dense), or per entry of
        `layers_block_type`, whose length is the number of layers.

    Raises:
        ConfigError: When a field is missing or impossible, or a kind of layer is not modelled.
    """
    if fields.has("block_configs"):
        return _searched_layers(fields)
    letters = _letters(fields, "hybrid_override_pattern", *LISTS)
    if not letters:
        fields.refuse("hybrid_override_pattern", "missing")
    layers = fields.count("num_hidden_layers", default=len(letters))
    if len(letters) != layers:
        fields.refuse("hybrid_override_pattern", f"has {len(letters)} letters, not num_hidden_layers {layers}")
    for described in ("intermediate_size", "expand"):
        if fields.has(described):
            fields.count(described)
    by_letter = {letter: _layer(fields, letter) for letter in dict.fromkeys(letters)}
    return [by_letter[letter] for letter in letters]


def _searched_layers(fields: Fields) -> list[LayerGroup]:
    """Return the layers of a Nemotron-H that a search made: each block states its kind and what differs in it."""
    found = []
    for block in fields.tables("block_configs"):
        kind = block.text("block_type")
        if kind not in _LETTERS:
            block.refuse("block_type", f"{shown(kind)} is not modelled")
        own = fields.with_values({name: block.raw(name) for name in block.names()})
        found.append(_layer(own, _LETTERS[kind]))
    for said_twice in ("hybrid_override_pattern", *LISTS, "mtp_block_configs"):
        fields.raw(said_twice)
    return found


def hybrid_next_token(fields: Fields) -> LayerGroup:
    """Return the next-token layer: its blocks, of which the config lists one mixer and one feed-forward, as one layer.

    Args:
        fields: The text model's fields.

    Raises:
        ConfigError: When it lists anything else.
    """
    letters = _letters(fields, "mtp_hybrid_override_pattern", "mtp_layers_block_type") or f"{ATTENTION}{EXPERTS}"
    blocks = [_layer(fields, letter) for letter in letters]
    mixers = [block.mixer for block in blocks if block.mixer]
    feed_forwards = [block.feed_forward for block in blocks if block.feed_forward]
    if len(mixers) > 1 or len(feed_forwards) > 1:
        fields.refuse("mtp_hybrid_override_pattern", f"{shown(letters)} has more than two blocks")
    return LayerGroup(mixer=next(iter(mixers), None), feed_forward=next(iter(feed_forwards), None), norms=len(blocks))
