"""Dense and expert feed-forward blocks as the dialects of config.json state them."""

from __future__ import annotations

from collections.abc import Callable

from roofline_app.model.config_json.fields import Fields
from roofline_app.model.dimensions import Dense, FeedForward, Moe

EXPERT_NAMES = ("num_experts", "n_routed_experts", "num_local_experts")
FeedForwards = Callable[[Fields, int], list[FeedForward]]


def counted(fields: Fields, usual_name: str) -> tuple[int, int]:
    """Return experts and experts per token, once they fit each other.

    Args:
        fields: The text model's fields.
        usual_name: Field that this dialect counts its experts in.

    Returns:
        Routed experts, and how many of them a token uses.

    Raises:
        ConfigError: When either is missing or impossible.
    """
    experts_name = fields.one_of(*dict.fromkeys((usual_name, *EXPERT_NAMES)))
    used_name = fields.one_of("num_experts_per_tok", "experts_per_token", "top_k_experts")
    experts, used = fields.count(experts_name), fields.count(used_name)
    if used > experts:
        fields.refuse(used_name, f"{used} is more than {experts_name} {experts}")
    return experts, used


def _layer_numbers(fields: Fields, name: str, layers: int) -> list[int]:
    numbers = fields.counts(name)
    beyond = next((number for number in numbers if number >= layers), None)
    if beyond is not None:
        fields.refuse(name, f"layer {beyond} is not among num_hidden_layers {layers}")
    return numbers


def dense(fields: Fields, name: str = "intermediate_size") -> Dense:
    """Return a gated dense block.

    Args:
        fields: The text model's fields.
        name: Field that holds its inner width.

    Returns:
        The block.

    Raises:
        ConfigError: When the width is missing or impossible.
    """
    return Dense(intermediate_size=fields.count(name), biases=fields.flag("mlp_bias", default=False))


def all_dense(fields: Fields, layers: int) -> list[FeedForward]:
    """Return the same dense block for every layer."""
    return [dense(fields)] * layers


def plain_experts(fields: Fields, layers: int) -> list[FeedForward]:
    """Return experts of the width `intermediate_size` for every layer (Mixtral, MiniMax)."""
    experts, used = counted(fields, "num_local_experts")
    fields.raw("mlp_intermediate_size")
    block = Moe(
        experts=experts,
        experts_per_token=used,
        intermediate_size=fields.count("intermediate_size"),
        shared_size=fields.count("shared_intermediate_size", default=0, least=0),
    )
    return [block] * layers


def biased_experts(fields: Fields, layers: int) -> list[FeedForward]:
    """Return experts and a router with biases for every layer (gpt-oss)."""
    experts, used = counted(fields, "num_local_experts")
    block = Moe(
        experts=experts,
        experts_per_token=used,
        intermediate_size=fields.count("intermediate_size"),
        expert_biases=True,
        router_bias=True,
    )
    return [block] * layers


def stepped_experts(fields: Fields, layers: int) -> list[FeedForward]:
    """Return experts in every n-th layer, with a gated shared expert where one is stated (Qwen)."""
    experts, used = counted(fields, "num_experts")
    shared = fields.count("shared_expert_intermediate_size", default=0, least=0)
    block = Moe(
        experts=experts,
        experts_per_token=used,
        intermediate_size=fields.count("moe_intermediate_size"),
        shared_size=shared,
        shared_gate=shared > 0,
    )
    step = fields.count("decoder_sparse_step", default=1)
    without = _layer_numbers(fields, "mlp_only_layers", layers)
    fields.raw("intermediate_size")
    return [dense(fields) if layer in without or (layer + 1) % step else block for layer in range(layers)]


def dense_first_experts(fields: Fields, layers: int) -> list[FeedForward]:
    """Return dense first layers, then experts with shared experts (DeepSeek, Kimi, GLM)."""
    if fields.count("moe_layer_freq", default=1) > 1:
        fields.refuse("moe_layer_freq", "experts in only some layers are not modelled for this model type")
    first = fields.count("first_k_dense_replace", least=0)
    if first > layers:
        fields.refuse("first_k_dense_replace", f"{first} is more than num_hidden_layers {layers}")
    block = shared_experts(fields)
    return [dense(fields) if layer < first else block for layer in range(layers)]


def shared_experts(fields: Fields) -> Moe:
    """Return experts beside `n_shared_experts` shared ones of the same width.

    Args:
        fields: The text model's fields.

    Returns:
        The block.

    Raises:
        ConfigError: When a field is missing or impossible.
    """
    experts, used = counted(fields, "n_routed_experts")
    width = fields.count("moe_intermediate_size")
    return Moe(
        experts=experts,
        experts_per_token=used,
        intermediate_size=width,
        shared_size=width * fields.count("n_shared_experts", least=0),
    )


def interleaved_experts(fields: Fields, layers: int) -> list[FeedForward]:
    """Return experts with one shared expert in every n-th layer, dense blocks between them (Llama 4)."""
    experts, used = counted(fields, "num_local_experts")
    width = fields.count("intermediate_size")
    block = Moe(experts=experts, experts_per_token=used, intermediate_size=width, shared_size=width)
    step = fields.count("interleave_moe_layer_step")
    chosen = _layer_numbers(fields, "moe_layers", layers) or range(step - 1, layers, step)
    fields.raw("intermediate_size_mlp")
    return [block if layer in chosen else dense(fields, "intermediate_size_mlp") for layer in range(layers)]


def dense_beside_experts(fields: Fields, layers: int) -> list[FeedForward]:
    """Return dense blocks, with experts beside them where the config enables them (Gemma 4)."""
    if not fields.flag("enable_moe_block", default=False):
        return all_dense(fields, layers)
    experts, used = counted(fields, "num_experts")
    width_name = fields.one_of("moe_intermediate_size", "expert_intermediate_size")
    block = Moe(
        experts=experts,
        experts_per_token=used,
        intermediate_size=fields.count(width_name),
        router_scales=fields.count("hidden_size") + experts,
        dense=dense(fields),
    )
    return [block] * layers
