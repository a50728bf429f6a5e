"""Grouped-query attention, gated DeltaNet and lightning attention as the dialects of config.json state them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from roofline_app.model.config_json.experts import next_token_layers
from roofline_app.model.config_json.fields import Fields
from roofline_app.model.config_json.refusals import shown
from roofline_app.model.dimensions import Attention, DeltaNet, Lightning, Mixer
from roofline_app.model.terms import Reach

FULL = "full_attention"
SLIDING = "sliding_attention"
CHUNKED = "chunked_attention"
LINEAR = "linear_attention"

Pattern = Literal["full", "sliding", "late-sliding", "interval", "alternate", "every-nth-full", "no-rope", "types"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """What a model type's code fixes and its config.json therefore leaves out.

    Attributes:
        derived_head_dim: Whether a missing head_dim means hidden_size ÷ num_attention_heads.
        kv_as_heads: Whether missing num_key_value_heads are as many as num_attention_heads.
        norm: Norms of queries and keys: per head, per row of all heads, or none; and whether always.
        stated: Fields that must be there, as transformers' default for a missing one is no safe reading.
        bias: What a missing attention_bias means.
        always_biased: Whether queries, keys and values have biases whatever the config states.
        output_follows_bias: Whether attention_bias covers the output projection.
        gated: Whether queries carry an output gate unless the config denies it.
        sinks: Whether heads have sinks.
        norms: Norm vectors per layer.
        tied: What a missing tie_word_embeddings means.
        pattern: Which layers are of which kind where layer_types does not say.
        linear: What `linear_attention` is.
    """

    derived_head_dim: bool = False
    kv_as_heads: bool = False
    norm: Literal["none", "head", "head-if-stated", "row"] = "none"
    stated: tuple[str, ...] = ()
    bias: bool = False
    always_biased: bool = False
    output_follows_bias: bool = True
    gated: bool = False
    sinks: bool = False
    norms: int = 2
    tied: bool = False
    pattern: Pattern = "full"
    linear: Literal["none", "delta-net", "lightning"] = "none"


def head_dim(fields: Fields, traits: Traits) -> int:
    """Return the size of a head.

    Args:
        fields: The text model's fields.
        traits: Of its model type.

    Returns:
        The stated one, else hidden_size ÷ num_attention_heads where the model type says so.

    Raises:
        ConfigError: When it is neither stated nor derivable.
    """
    if fields.has("head_dim") or not traits.derived_head_dim:
        return fields.count("head_dim")
    fields.divides("num_attention_heads", "hidden_size")
    return fields.count("hidden_size") // fields.count("num_attention_heads")


def _norm_parameters(fields: Fields, traits: Traits, heads: int, kv_heads: int, size: int) -> int:
    used = fields.flag("use_qk_norm", default=traits.norm in {"head", "row"})
    match traits.norm:
        case "none":
            return 0
        case "head" | "head-if-stated":
            return 2 * size * used
        case "row":
            return (heads + kv_heads) * size * used


def _reach(fields: Fields, kind: str) -> tuple[Reach, int]:
    match kind:
        case "sliding_attention":
            return Reach.WINDOW, fields.count("sliding_window")
        case "chunked_attention":
            return Reach.CHUNK, fields.count("attention_chunk_size")
        case _:
            return Reach.ALL, 0


def grouped_attention(fields: Fields, traits: Traits, kind: str = FULL) -> Attention:
    """Return a grouped-query attention layer.

    Args:
        fields: The text model's fields.
        traits: Of its model type.
        kind: One of the layer types full, sliding or chunked attention.

    Returns:
        The layer.

    Raises:
        ConfigError: When a field is missing or impossible.
    """
    if traits.kv_as_heads:
        fields = fields.with_defaults({"num_key_value_heads": fields.count("num_attention_heads")})
    fields.divides("num_key_value_heads", "num_attention_heads")
    heads, kv_heads = fields.count("num_attention_heads"), fields.count("num_key_value_heads")
    size = head_dim(fields, traits)
    shared_keys = fields.flag("attention_k_eq_v", default=False) and kind == FULL
    if kind == FULL and fields.has("global_head_dim"):
        size = fields.count("global_head_dim")
    if shared_keys and fields.has("num_global_key_value_heads"):
        fields.divides("num_global_key_value_heads", "num_attention_heads")
        kv_heads = fields.count("num_global_key_value_heads")
    biased = fields.flag("attention_bias", default=traits.bias)
    reach, limit = _reach(fields, kind)
    return Attention(
        heads=heads,
        kv_heads=kv_heads,
        head_dim=size,
        gated=fields.flag("attn_output_gate", default=traits.gated),
        keys_are_values=shared_keys,
        projection_biases=biased or traits.always_biased or fields.flag("qkv_bias", default=False),
        output_bias=biased and traits.output_follows_bias,
        sinks=traits.sinks,
        norm_parameters=_norm_parameters(fields, traits, heads, kv_heads, size),
        reach=reach,
        limit=limit,
    )


def delta_net(fields: Fields) -> DeltaNet:
    """Return a gated DeltaNet layer.

    Args:
        fields: The text model's fields.

    Returns:
        The layer.

    Raises:
        ConfigError: When a field is missing or impossible.
    """
    fields.divides("linear_num_key_heads", "linear_num_value_heads")
    return DeltaNet(
        key_heads=fields.count("linear_num_key_heads"),
        value_heads=fields.count("linear_num_value_heads"),
        key_dim=fields.count("linear_key_head_dim"),
        value_dim=fields.count("linear_value_head_dim"),
        kernel=fields.count("linear_conv_kernel_dim"),
    )


def mixer(fields: Fields, traits: Traits, kind: str) -> Mixer:
    """Return the mixer of a layer type.

    Args:
        fields: The text model's fields.
        traits: Of its model type.
        kind: The layer type as `layer_types` writes it.

    Returns:
        The mixer.

    Raises:
        ConfigError: When the layer type is not modelled, or a field that it needs is missing or impossible.
    """
    if kind == LINEAR and traits.linear == "delta-net":
        return delta_net(fields)
    if kind == LINEAR and traits.linear == "lightning":
        return Lightning(heads=fields.count("num_attention_heads"), head_dim=head_dim(fields, traits))
    if kind in {FULL, SLIDING, CHUNKED}:
        return grouped_attention(fields, traits, kind)
    return fields.refuse("layer_types", f"layer type {shown(kind)} is not modelled")


def _from_attn_types(fields: Fields) -> list[str]:
    """MiniMax's spelling: 1 is full attention, 0 is lightning attention."""
    kinds = {1: FULL, 0: LINEAR}
    codes = fields.counts("attn_type_list")
    unknown = next((code for code in codes if code not in kinds), None)
    if unknown is not None:
        fields.refuse("attn_type_list", f"layer type {unknown} is not modelled")
    return [kinds[code] for code in codes]


def _has_windows(fields: Fields, *, by_default: bool = True) -> bool:
    """Return whether a stated window counts: a config may state one and switch it off."""
    stated = fields.has("sliding_window")
    return fields.flag("use_sliding_window", default=by_default) and stated


def _late_sliding(fields: Fields, layers: int) -> list[str]:
    """Qwen 2 and 3: windows from the layer `max_window_layers` on, where they are switched on at all."""
    if not _has_windows(fields, by_default=False):
        return [FULL] * layers
    first = fields.count("max_window_layers", least=0)
    return [SLIDING if layer >= first else FULL for layer in range(layers)]


def _every_nth_full(fields: Fields, name: str, other: str, layers: int) -> list[str]:
    every = fields.count(name)
    return [other if (layer + 1) % every else FULL for layer in range(layers)]


def _by_pattern(fields: Fields, traits: Traits, layers: int) -> list[str]:
    match traits.pattern:
        case "full":
            kinds = [FULL] * layers
        case "sliding":
            by_qwen = fields.has("max_window_layers", "use_sliding_window")
            everywhere = [SLIDING if fields.has("sliding_window") else FULL] * layers
            kinds = _late_sliding(fields, layers) if by_qwen else everywhere
        case "late-sliding":
            kinds = _late_sliding(fields, layers)
        case "interval":
            kinds = _every_nth_full(fields, "full_attention_interval", LINEAR, layers)
        case "every-nth-full":
            kinds = _every_nth_full(fields, "sliding_window_pattern", SLIDING, layers)
        case "alternate":
            kinds = [FULL if layer % 2 else SLIDING for layer in range(layers)]
        case "no-rope":
            kinds = _chunked_where_rotary(fields, layers)
        case "types":
            fields.refuse("layer_types", "missing")
    return kinds


def _chunked_where_rotary(fields: Fields, layers: int) -> list[str]:
    """Llama 4: layers with a rotary embedding attend within chunks; every fourth has none and attends to all."""
    rotary = fields.counts("no_rope_layers")
    if rotary and len(rotary) != layers:
        fields.refuse("no_rope_layers", f"has {len(rotary)} entries, not num_hidden_layers {layers}")
    if not rotary:
        every = fields.count("no_rope_layer_interval", default=4)
        rotary = [(layer + 1) % every for layer in range(layers)]
    if not fields.has("attention_chunk_size"):
        return [FULL] * layers
    return [CHUNKED if has_rope else FULL for has_rope in rotary]


def layer_kinds(fields: Fields, traits: Traits) -> list[str]:
    """Return the layer type of every layer.

    Args:
        fields: The text model's fields.
        traits: Of its model type.

    Returns:
        One of the names that `layer_types` uses for each layer.

    Raises:
        ConfigError: When the list does not fit the number of layers, or nothing says which layer is what.
    """
    layers = fields.count("num_hidden_layers")
    further = next_token_layers(fields)
    name = "layer_types" if fields.has("layer_types") else "attn_type_list"
    kinds = fields.texts("layer_types") or _from_attn_types(fields)
    if not kinds and not fields.has(name):
        return _by_pattern(fields, traits, layers)
    if len(kinds) not in {layers, layers + further}:
        fields.refuse(name, f"has {len(kinds)} entries, not num_hidden_layers {layers}")
    kinds = kinds[:layers]
    for ignored in ("full_attention_interval", "sliding_window_pattern", "use_sliding_window", "max_window_layers"):
        fields.raw(ignored)
    if not fields.flag("use_sliding_window", default=True):
        kinds = [FULL if kind == SLIDING else kind for kind in kinds]
        fields.raw("sliding_window")
    return kinds
