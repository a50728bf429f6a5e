"""Nemotron-NAS (DeciLM): a search chose every layer's attention and feed-forward block, or left them out."""

from __future__ import annotations

from roofline_app.model.config_json.attention import Traits, head_dim
from roofline_app.model.config_json.fields import Fields
from roofline_app.model.dimensions import Attention, Dense, LayerGroup

_TRAITS = Traits(derived_head_dim=True)
_ROUNDED_TO = 256
_LARGEST_MULTIPLE = 64.0
_UNUSED = ("window_length", "num_sink_tokens", "sparsify", "unshifted_sink", "use_prefill_window_in_sink_attention")


def _refuse_replaced(block: Fields) -> None:
    if block.flag("replace_with_linear", default=False):
        block.refuse("replace_with_linear", "a single matrix in place of a block is not modelled")
    for name in _UNUSED:
        if block.raw(name):
            block.refuse(name, "is not modelled")


def _attention(fields: Fields, block: Fields) -> Attention | None:
    _refuse_replaced(block)
    if block.flag("no_op", default=False):
        return None
    heads, group = fields.count("num_attention_heads"), block.count("n_heads_in_group")
    if heads % group:
        block.refuse("n_heads_in_group", f"{group} does not divide num_attention_heads {heads}")
    biased = fields.flag("attention_bias", default=False)
    return Attention(
        heads=heads,
        kv_heads=heads // group,
        head_dim=head_dim(fields, _TRAITS),
        projection_biases=biased,
        output_bias=biased,
    )


def _dense(fields: Fields, block: Fields) -> Dense | None:
    _refuse_replaced(block)
    if block.flag("no_op", default=False):
        return None
    biased = fields.flag("mlp_bias", default=False)
    if block.has("intermediate_size"):
        return Dense(intermediate_size=block.count("intermediate_size"), biases=biased)
    width = int(2 * block.number("ffn_mult", most=_LARGEST_MULTIPLE) * fields.count("hidden_size") / 3)
    if width < 1:
        block.refuse("ffn_mult", "gives no width")
    return Dense(intermediate_size=-(-width // _ROUNDED_TO) * _ROUNDED_TO, biases=biased)


def searched_layers(fields: Fields) -> list[LayerGroup]:
    """Return the layers that `block_configs` describes.

    Args:
        fields: The text model's fields.

    Returns:
        One group per layer, in order; a block that is left out has neither weights nor norm nor cache.

    Raises:
        ConfigError: When a field is missing or impossible, or a block is not modelled.
    """
    layers = fields.count("num_hidden_layers")
    blocks = fields.tables("block_configs")
    if len(blocks) != layers:
        fields.refuse("block_configs", f"has {len(blocks)} entries, not num_hidden_layers {layers}")
    found = []
    for block in blocks:
        mixer = _attention(fields, block.table("attention"))
        feed_forward = _dense(fields, block.table("ffn"))
        norms = (mixer is not None) + (feed_forward is not None)
        found.append(LayerGroup(mixer=mixer, feed_forward=feed_forward, norms=norms))
    return found
