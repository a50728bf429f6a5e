"""MiniMax-M3: grouped-query attention that reads the blocks of keys which an index branch chooses."""

from __future__ import annotations

from dataclasses import replace

from roofline_app.model.config_json.attention import FULL, Traits, grouped_attention
from roofline_app.model.config_json.experts import minimax_m3_experts
from roofline_app.model.config_json.fields import Fields
from roofline_app.model.config_json.refusals import shown
from roofline_app.model.dimensions import Indexer, LayerGroup

SPARSE = "minimax_m3_sparse"
_TRAITS = Traits(norm="head")


def _kinds(fields: Fields, sparse: Fields, layers: int) -> list[str]:
    pattern = sparse.counts("sparse_attention_freq")
    name = "layer_types" if fields.has("layer_types") else "sparse_attention_freq"
    kinds = fields.texts("layer_types") or [SPARSE if one else FULL for one in pattern] or [FULL] * layers
    if len(kinds) != layers:
        fields.refuse(name, f"has {len(kinds)} entries, not num_hidden_layers {layers}")
    unknown = next((kind for kind in kinds if kind not in {FULL, SPARSE}), None)
    if unknown is not None:
        fields.refuse("layer_types", f"layer type {shown(unknown)} is not modelled")
    return kinds if sparse.flag("use_sparse_attention", default=True) else [FULL] * layers


def _indexer(fields: Fields, sparse: Fields) -> Indexer:
    named = {
        "index_n_heads": "sparse_num_index_heads",
        "index_head_dim": "sparse_index_dim",
        "index_block_size": "sparse_block_size",
        "index_topk_blocks": "sparse_topk_blocks",
    }
    heads, size, block, chosen = (
        sparse.count(inner) if sparse.has(inner) else fields.count(outer) for outer, inner in named.items()
    )
    if not all(sparse.counts("sparse_disable_index_value")):
        disabled, used = sparse.counts("sparse_disable_index_value"), sparse.counts("sparse_attention_freq")
        if any(here and not off for here, off in zip(used, disabled, strict=False)):
            sparse.refuse("sparse_disable_index_value", "an index branch with values is not modelled")
    return Indexer(heads=heads, head_dim=size, selected=block * chosen)


def block_sparse_layers(fields: Fields) -> list[LayerGroup]:
    """Return the layers of MiniMax-M3.

    Args:
        fields: The text model's fields.

    Returns:
        One group per layer, in order.

    Raises:
        ConfigError: When a field is missing or impossible.
    """
    layers = fields.count("num_hidden_layers")
    sparse = fields.table("sparse_attention_config")
    kinds = _kinds(fields, sparse, layers)
    gate = "attention_output_gate"
    if fields.flag(gate, default=False):
        fields.refuse(gate, "is not modelled for this model type")
    full = grouped_attention(fields, _TRAITS)
    mixers = {FULL: full}
    if SPARSE in kinds:
        mixers[SPARSE] = replace(full, indexer=_indexer(fields, sparse))
    blocks = minimax_m3_experts(fields, layers)
    return [LayerGroup(mixer=mixers[kind], feed_forward=block) for kind, block in zip(kinds, blocks, strict=True)]
