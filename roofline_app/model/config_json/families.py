"""Model types: which dialect of config.json each one speaks, and what its code fixes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from roofline_app.model.config_json import experts
from roofline_app.model.config_json.attention import Traits, layer_kinds, mixer
from roofline_app.model.config_json.block_configs import searched_layers
from roofline_app.model.config_json.experts import EXPERT_NAMES, NEXT_TOKEN_NAMES, FeedForwards
from roofline_app.model.config_json.fields import Fields
from roofline_app.model.config_json.kimi_linear import delta_layers
from roofline_app.model.config_json.latent_attention import compressed_layers, latent_layers
from roofline_app.model.config_json.nemotron_h import hybrid_layers, hybrid_next_token
from roofline_app.model.config_json.refusals import shown
from roofline_app.model.config_json.sparse_blocks import block_sparse_layers
from roofline_app.model.config_json.window_heads import STEP, laguna_layers, mimo_layers, step_layers
from roofline_app.model.dimensions import Attention, Dimensions, LatentAttention, LayerGroup, NextToken, grouped


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """How the layers of a model type are read.

    Attributes:
        traits: Of its attention.
        blocks: Reader of its feed-forward blocks.
    """

    traits: Traits
    blocks: FeedForwards


_LLAMA = Traits(derived_head_dim=True, kv_as_heads=True)
_MISTRAL = Traits(derived_head_dim=True, pattern="sliding")
_QWEN2 = Traits(derived_head_dim=True, always_biased=True, output_follows_bias=False, pattern="late-sliding")
_QWEN3 = Traits(norm="head", pattern="late-sliding")
_QWEN3_5 = Traits(norm="head", gated=True, pattern="interval", linear="delta-net")
_SHARED_EXPERT = ("shared_expert_intermediate_size",)

GROUPED: dict[str, Family] = {
    "llama": Family(traits=_LLAMA, blocks=experts.all_dense),
    "mistral": Family(traits=_MISTRAL, blocks=experts.all_dense),
    "ministral": Family(traits=_MISTRAL, blocks=experts.all_dense),
    "mixtral": Family(traits=_MISTRAL, blocks=experts.plain_experts),
    "qwen2": Family(traits=_QWEN2, blocks=experts.all_dense),
    "qwen2_moe": Family(traits=replace(_QWEN2, stated=_SHARED_EXPERT), blocks=experts.stepped_experts),
    "qwen3": Family(traits=_QWEN3, blocks=experts.all_dense),
    "qwen3_moe": Family(traits=_QWEN3, blocks=experts.stepped_experts),
    "qwen3_next": Family(traits=replace(_QWEN3_5, stated=_SHARED_EXPERT), blocks=experts.stepped_experts),
    "qwen3_5_text": Family(traits=_QWEN3_5, blocks=experts.all_dense),
    "qwen3_5_moe_text": Family(traits=replace(_QWEN3_5, stated=_SHARED_EXPERT), blocks=experts.stepped_experts),
    "mimo": Family(traits=_QWEN2, blocks=experts.all_dense),
    "muse_glimmer_text": Family(traits=Traits(gated=True, norms=4, pattern="types"), blocks=experts.all_dense),
    "hy_v3": Family(traits=_QWEN3, blocks=experts.one_dense_first_experts),
    "glm4_moe": Family(
        traits=Traits(norm="head-if-stated", output_follows_bias=False), blocks=experts.dense_first_experts
    ),
    "gpt_oss": Family(traits=Traits(sinks=True, bias=True, pattern="alternate"), blocks=experts.biased_experts),
    "gemma2": Family(traits=Traits(norms=4, tied=True, pattern="alternate"), blocks=experts.all_dense),
    "phi3": Family(traits=_MISTRAL, blocks=experts.all_dense),
    "minimax_m2": Family(traits=Traits(norm="row"), blocks=experts.plain_experts),
    "minimax": Family(traits=Traits(linear="lightning", pattern="types"), blocks=experts.plain_experts),
    "llama4_text": Family(
        traits=Traits(pattern="no-rope", stated=("attention_chunk_size",)), blocks=experts.interleaved_experts
    ),
    "gemma3_text": Family(
        traits=Traits(norm="head", norms=4, tied=True, pattern="every-nth-full"), blocks=experts.all_dense
    ),
    "gemma4_text": Family(
        traits=Traits(norm="head", norms=4, tied=True, pattern="every-nth-full", stated=("global_head_dim",)),
        blocks=experts.dense_beside_experts,
    ),
}
# Other names of the same code.
ALIASES = {
    "qwen2_vl": "qwen2",
    "qwen2_vl_text": "qwen2",
    "qwen2_5_vl": "qwen2",
    "qwen2_5_vl_text": "qwen2",
    "qwen2_5_omni_text": "qwen2",
    "qwen3_vl_text": "qwen3",
    "qwen3_vl_moe_text": "qwen3_moe",
    "qwen3_omni_moe_text": "qwen3_moe",
    "qwen3_5": "qwen3_5_text",
    "qwen3_5_moe": "qwen3_5_moe_text",
    "gemma3": "gemma3_text",
    "gemma4": "gemma4_text",
    "llama4": "llama4_text",
    "mistral3": "mistral",
    "ministral3": "mistral",
    "minimax_m1": "minimax",
    "minimax_text_01": "minimax",
    "minimax_m3": "minimax_m3_vl_text",
    "minimax_m3_vl": "minimax_m3_vl_text",
    "deepseek_v2": "deepseek_v3",
    "deepseek_v32": "deepseek_v3",
    "deepseek_ref": "deepseek_v4",
    "kimi_k2": "deepseek_v3",
    "kimi_k25": "deepseek_v3",
    "kimi_k3": "kimi_linear",
    "glm_moe_dsa": "deepseek_v3",
    "glm4_moe_lite": "deepseek_v3",
    "mimo_v2": "mimo_v2_flash",
    "step3p7": STEP,
    "nemotron_h_puzzle": "nemotron_h",
    "nemotron_nas": "nemotron-nas",
    "deci": "nemotron-nas",
}
# What transformers assumes where a published config leaves fields out.
DEFAULTS: dict[str, dict[str, object]] = {
    "gemma3_text": {
        "vocab_size": 262_208,
        "num_attention_heads": 8,
        "num_key_value_heads": 4,
        "head_dim": 256,
        "max_position_embeddings": 131_072,
        "sliding_window_pattern": 6,
    },
}
# An unknown model type with one of these has gated feed-forward blocks.
_GATED_ACTIVATIONS = frozenset({"silu", "swiglu"})
# Model types whose layers have a reader of their own.
_OWN_LAYERS: dict[str, Callable[[Fields], list[LayerGroup]]] = {
    "deepseek_v3": latent_layers,
    "deepseek_v4": compressed_layers,
    "kimi_linear": delta_layers,
    "laguna": laguna_layers,
    "mimo_v2_flash": mimo_layers,
    "minimax_m3_vl_text": block_sparse_layers,
    "nemotron-nas": searched_layers,
    "nemotron_h": hybrid_layers,
    STEP: step_layers,
}
# Gemma 4 norms dense block and experts apart where it has both.
_NORMS_BESIDE_EXPERTS = 3
# Their configs count next-token modules that their checkpoints do not hold.
_WITHOUT_NEXT_TOKEN = frozenset({"minimax_m3_vl_text"})
# Their next-token layers slide, with a dense block.
_DENSE_WINDOWS = frozenset({"mimo_v2_flash", STEP})
# Model types each of whose next-token layers has an output head of its own.
_OWN_HEADS = frozenset({"step3p5", "step3p7"})


def resolved(model_type: str) -> str:
    """Return the name of the code that a model type runs."""
    return ALIASES.get(model_type, model_type)


def is_known(model_type: str) -> bool:
    """Return whether a model type's own code is known, aliases included."""
    name = resolved(model_type)
    return name in GROUPED or name in _OWN_LAYERS


def grouped_layers(fields: Fields, family: Family) -> list[LayerGroup]:
    """Return the layers of a model with grouped-query attention, recurrent ones between them included.

    Args:
        fields: The text model's fields.
        family: How its model type is read.

    Returns:
        One group per layer, in order.

    Raises:
        ConfigError: When a field is missing or impossible, or a layer type is not modelled.
    """
    fields.require_stated(*family.traits.stated)
    kinds = layer_kinds(fields, family.traits)
    mixers = {kind: mixer(fields, family.traits, kind) for kind in dict.fromkeys(kinds)}
    blocks = family.blocks(fields, len(kinds))
    beside = _NORMS_BESIDE_EXPERTS if fields.flag("enable_moe_block", default=False) else 0
    norms = family.traits.norms + beside
    return [
        LayerGroup(mixer=mixers[kind], feed_forward=block, norms=norms)
        for kind, block in zip(kinds, blocks, strict=True)
    ]


def family_of(model_type: str, fields: Fields) -> Family | None:
    """Return the family of a model type with grouped-query attention: how its config is read.

    A model type that is not known is read as a plain transformer; `read_dimensions` then refuses every field that a
    plain transformer does not have.

    Args:
        model_type: The model type, aliases resolved.
        fields: The text model's fields.

    Returns:
        The family, or None for model types whose layers have a reader of their own.
    """
    if model_type in _OWN_LAYERS:
        return None
    if model_type in GROUPED:
        return GROUPED[model_type]
    activation = fields.text("hidden_act")
    if activation not in _GATED_ACTIVATIONS:
        fields.refuse("hidden_act", f"{shown(activation)} is not modelled")
    has_experts = fields.has(*EXPERT_NAMES)
    return Family(traits=_MISTRAL, blocks=experts.stepped_experts if has_experts else experts.all_dense)


def all_layers(model_type: str, fields: Fields) -> list[LayerGroup]:
    """Return a model's layers; DeepSeek-V4's may end with its next-token layer.

    Args:
        model_type: The model type, aliases resolved.
        fields: The text model's fields.

    Returns:
        One group per layer, in order.

    Raises:
        ConfigError: When a field is missing or impossible, or a layer is not modelled.
    """
    family = family_of(model_type, fields)
    return grouped_layers(fields, family) if family else _OWN_LAYERS[model_type](fields)


def _next_token(model_type: str, fields: Fields, family: Family | None, layers: list[LayerGroup]) -> NextToken | None:
    """Return the next-token layers; `layers` may hold one after the last, which describes them."""
    if model_type in _WITHOUT_NEXT_TOKEN:
        return None
    count = fields.count(fields.one_of(*NEXT_TOKEN_NAMES), default=0, least=0)
    if not count:
        return None
    depth = fields.count("num_hidden_layers", default=len(layers))
    last: LayerGroup = layers[min(depth, len(layers) - 1)]
    if family and family.traits.linear == "delta-net":
        # The next-token layer of Qwen3.5 has full attention whatever the last layer has.
        last = LayerGroup(mixer=mixer(fields, family.traits, "full_attention"), feed_forward=last.feed_forward)
    if model_type == "nemotron_h":
        last = hybrid_next_token(fields)
    if model_type in _DENSE_WINDOWS:
        windowed = next((layer for layer in layers if isinstance(layer.mixer, Attention) and layer.mixer.limit), last)
        last = LayerGroup(mixer=windowed.mixer, feed_forward=experts.dense(fields))
    if isinstance(last.mixer, LatentAttention) and last.mixer.indexer:
        # There is no earlier selection of its own to share.
        last = replace(last, mixer=replace(last.mixer, indexer=replace(last.mixer.indexer, shared=False)))
    return NextToken(count=count, layer=last, own_head=model_type in _OWN_HEADS)


def read_dimensions(model_type: str, fields: Fields, *, tied: bool | None) -> tuple[Dimensions, list[LayerGroup]]:
    """Return a model's architecture, and its layers in order.

    Args:
        model_type: As the text model's config states it.
        fields: The text model's fields.
        tied: Whether embedding and head are tied as the outer config states it; None where it does not.

    Returns:
        The architecture, and one group per layer.

    Raises:
        ConfigError: When a field is missing or impossible, or a layer is not modelled.
    """
    known = resolved(model_type)
    family = family_of(known, fields)
    hidden_size = fields.count("hidden_size")
    found = all_layers(known, fields)
    depth = fields.count("num_hidden_layers", default=len(found) if known == "nemotron_h" else None)
    layers = found[:depth]
    default = tied if tied is not None else bool(family and family.traits.tied)
    dimensions = Dimensions(
        hidden_size=hidden_size,
        vocab_size=fields.count("vocab_size"),
        tied=fields.flag("tie_word_embeddings", default=default),
        layers=grouped(layers),
        streams=fields.count("hc_mult") if known == "deepseek_v4" else 0,
        weighs_layers=fields.count("attn_res_block_size", default=0, least=0) > 0,
        next_token=_next_token(known, fields, family, found),
    )
    return dimensions, layers
