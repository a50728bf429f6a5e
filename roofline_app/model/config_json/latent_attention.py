"""Latent attention (DeepSeek-V2 and later, Kimi, GLM-5) and DeepSeek-V4's compressed attention."""

from __future__ import annotations

from roofline_app.model.config_json.experts import dense_first_experts, shared_experts
from roofline_app.model.config_json.fields import Fields
from roofline_app.model.config_json.refusals import shown
from roofline_app.model.dimensions import CompressedAttention, Indexer, LatentAttention, LayerGroup


def _indexer(fields: Fields, *, shared: bool = False) -> Indexer:
    return Indexer(
        heads=fields.count("index_n_heads"),
        head_dim=fields.count("index_head_dim"),
        selected=fields.count("index_topk"),
        shared=shared,
    )


_INDEXER_KINDS = {"F": "full", "S": "shared"}
# Spellings of a list that says of every layer what the indexer's fields say already.
_SPARSE = frozenset({"deepseek_sparse_attention", "indexed_attention"})


def _shared_by_step(fields: Fields, layers: int) -> list[str]:
    """GLM-5.2 without a list: every `index_topk_freq`-th layer has an indexer, the first ones all do."""
    every = fields.count("index_topk_freq", default=1)
    offset = fields.count("index_skip_topk_offset", default=2, least=0)
    return ["shared" if max(layer - offset + 1, 0) % every else "full" for layer in range(layers)]


def _indexers(fields: Fields, layers: int) -> list[Indexer | None]:
    if not fields.has("index_topk", "index_n_heads", "index_head_dim", "indexer_types"):
        return [None] * layers
    name = "indexer_types" if fields.has("indexer_types") else "index_topk_pattern"
    spelled = fields.raw("index_topk_pattern")
    letters = [_INDEXER_KINDS.get(letter, letter) for letter in spelled] if isinstance(spelled, str) else None
    kinds = fields.texts("indexer_types") or letters or fields.texts("index_topk_pattern")
    if not kinds:
        kinds = _shared_by_step(fields, layers)
    for said_otherwise in ("index_topk_freq", "index_skip_topk_offset"):
        fields.raw(said_otherwise)
    if len(kinds) != layers:
        fields.refuse(name, f"has {len(kinds)} entries, not num_hidden_layers {layers}")
    unknown = next((kind for kind in kinds if kind not in {"full", "shared"}), None)
    if unknown is not None:
        fields.refuse(name, f"indexer type {shown(unknown)} is not modelled")
    if kinds[0] == "shared":
        fields.refuse(name, "the first layer has no earlier selection to share")
    return [_indexer(fields, shared=kind == "shared") for kind in kinds]


def _check_layer_types(fields: Fields, *, sparse: bool) -> None:
    """Refuse a list of layer types that says something else than the indexer's fields."""
    known = _SPARSE if sparse else frozenset({"full_attention"})
    other = next((kind for kind in fields.texts("layer_types") if kind not in known), None)
    if other is not None:
        fields.refuse("layer_types", f"layer type {shown(other)} is not modelled for this model type")


def latent_attention(fields: Fields, indexer: Indexer | None = None) -> LatentAttention:
    """Return a layer of latent attention.

    Args:
        fields: The text model's fields.
        indexer: Selects its entries; None where it attends to all.

    Raises:
        ConfigError: When a field is missing or impossible.
    """
    fields.require_stated("q_lora_rank")
    query_rank = fields.count("q_lora_rank", default=0)
    if indexer and not query_rank:
        fields.refuse("q_lora_rank", "missing")
    return LatentAttention(
        heads=fields.count("num_attention_heads"),
        query_rank=query_rank,
        kv_rank=fields.count("kv_lora_rank"),
        nope_dim=fields.count("qk_nope_head_dim"),
        rope_dim=fields.count("qk_rope_head_dim"),
        value_dim=fields.count("v_head_dim"),
        biases=fields.flag("attention_bias", default=False),
        gated=fields.flag("mla_use_output_gate", default=False),
        indexer=indexer,
    )


def expanded_heads(fields: Fields) -> None:
    """Take note of fields that describe keys and values once expanded, to as many heads as there are queries."""
    for described in ("head_dim", "qk_head_dim"):
        if fields.has(described):
            fields.count(described)
    if fields.has("num_key_value_heads"):
        fields.divides("num_key_value_heads", "num_attention_heads")


def latent_layers(fields: Fields) -> list[LayerGroup]:
    """Return the layers of a model with latent attention.

    Args:
        fields: The text model's fields.

    Returns:
        One group per layer, in order.

    Raises:
        ConfigError: When a field is missing or impossible.
    """
    layers = fields.count("num_hidden_layers")
    expanded_heads(fields)
    indexers = _indexers(fields, layers)
    _check_layer_types(fields, sparse=any(indexers))
    mixers = [latent_attention(fields, indexer) for indexer in indexers]
    blocks = dense_first_experts(fields, layers)
    return [LayerGroup(mixer=one, feed_forward=block) for one, block in zip(mixers, blocks, strict=True)]


def _ratios(fields: Fields, layers: int) -> list[int]:
    """Compression ratios of all layers and, last, of the next-token layer where the list has one entry more."""
    ratios = fields.counts("compress_ratios")
    if not ratios:
        fields.refuse("compress_ratios", "missing")
    if len(ratios) not in {layers, layers + 1}:
        fields.refuse("compress_ratios", f"has {len(ratios)} entries, not num_hidden_layers {layers} (and one more)")
    return ratios


# A small ratio comes with an indexer, a large one attends to all of its few entries.
SPARSE_RATIO = 4
HEAVY_RATIO = 128


def compressed_layers(fields: Fields) -> list[LayerGroup]:
    """Return the layers of DeepSeek-V4, followed by its next-token layer where the config describes one.

    Args:
        fields: The text model's fields.

    Returns:
        One group per layer, in order; a list longer than `num_hidden_layers` ends with the next-token layer.

    Raises:
        ConfigError: When a field is missing or impossible, or a compression ratio is not modelled.
    """
    layers = fields.count("num_hidden_layers")
    heads, size = fields.count("num_attention_heads"), fields.count("head_dim")
    if fields.count("num_key_value_heads") != 1:
        fields.refuse("num_key_value_heads", "must be 1: keys and values are one shared head")
    rope = fields.count("qk_rope_head_dim")
    if rope > size:
        fields.refuse("qk_rope_head_dim", f"{rope} is more than head_dim {size}")
    groups = fields.count("o_groups")
    if heads % groups:
        fields.refuse("o_groups", f"{groups} does not divide num_attention_heads {heads}")
    block = shared_experts(fields)
    found: list[LayerGroup] = []
    for ratio in _ratios(fields, layers):
        if ratio not in {0, SPARSE_RATIO, HEAVY_RATIO}:
            fields.refuse("compress_ratios", f"ratio {ratio} is not modelled")
        mixer = CompressedAttention(
            heads=heads,
            head_dim=size,
            rope_dim=rope,
            query_rank=fields.count("q_lora_rank"),
            output_groups=groups,
            output_rank=fields.count("o_lora_rank"),
            window=fields.count("sliding_window"),
            ratio=ratio,
            indexer=_indexer(fields) if ratio == SPARSE_RATIO else None,
        )
        found.append(LayerGroup(mixer=mixer, feed_forward=block))
    return found
