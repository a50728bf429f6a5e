"""Dense and expert feed-forward blocks as the dialects of config.json state them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from roofline_app.model.config_json.fields import Fields
from roofline_app.model.config_json.refusals import shown
from roofline_app.model.dimensions import Dense, FeedForward, Moe

EXPERT_NAMES = ("num_experts", "n_routed_experts", "num_local_experts", "moe_num_experts")
USED_NAMES = ("num_experts_per_tok", "experts_per_token", "top_k_experts", "num_experts_per_token", "moe_top_k")
SHARED_NAMES = ("n_shared_experts", "num_shared_experts")
SPARSE, DENSE = "sparse", "dense"
NEXT_TOKEN_NAMES = ("num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules", "num_mtp_layers")
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
    used_name = fields.one_of(*USED_NAMES)
    experts, used = fields.count(experts_name), fields.count(used_name)
    if used > experts:
        fields.refuse(used_name, f"{used} is more than {experts_name} {experts}")
    return experts, used


def next_token_layers(fields: Fields) -> int:
    """Return how many next-token layers a config states; the largest count where it has several."""
    return max(fields.count(name, default=0, least=0) for name in NEXT_TOKEN_NAMES)


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


def sparse_layers(fields: Fields, layers: int, *, dense_first: int | None = None) -> list[bool]:
    """Return which layers have experts, in any spelling.

    Args:
        fields: The text model's fields.
        layers: Number of layers.
        dense_first: First layers without experts where no field says which; None refuses a config without one.

    Returns:
        One truth value for each layer.

    Raises:
        ConfigError: When a list does not fit the number of layers, or nothing says which layers have experts.
    """
    if fields.has("mlp_layer_types"):
        kinds = fields.texts("mlp_layer_types")
        unknown = next((kind for kind in kinds if kind not in {SPARSE, DENSE}), None)
        if unknown is not None:
            fields.refuse("mlp_layer_types", f"{shown(unknown)} is not modelled")
        fields.raw("first_k_dense_replace")
        fields.raw("moe_layer_freq")
        return _fitting(fields, "mlp_layer_types", [kind == SPARSE for kind in kinds], layers)
    if isinstance(fields.raw("moe_layer_freq"), list | tuple):
        fields.raw("first_k_dense_replace")
        return _fitting(fields, "moe_layer_freq", [bool(one) for one in fields.counts("moe_layer_freq")], layers)
    if fields.has("moe_layers_enum"):
        for said_twice in ("moe_every_n_layer", "moe_layer_offset", "first_k_dense_replace"):
            fields.raw(said_twice)
        listed = {int(one) for one in fields.numbers_or_commas("moe_layers_enum")}
        return [layer in listed for layer in range(layers)]
    if fields.count("moe_layer_freq", default=1) > 1:
        fields.refuse("moe_layer_freq", "experts in only some layers are not modelled for this model type")
    first = fields.count("first_k_dense_replace", default=dense_first, least=0)
    if first > layers:
        fields.refuse("first_k_dense_replace", f"{first} is more than num_hidden_layers {layers}")
    return [layer >= first for layer in range(layers)]


def _fitting(fields: Fields, name: str, found: list[bool], layers: int) -> list[bool]:
    """Return a list for each layer; entries for the next-token layers may stand at its end."""
    further = next_token_layers(fields)
    if len(found) not in {layers, layers + further}:
        fields.refuse(name, f"has {len(found)} entries, not num_hidden_layers {layers}")
    return found[:layers]


def dense_first_experts(fields: Fields, layers: int) -> list[FeedForward]:
    """Return dense first layers, then experts with shared experts (DeepSeek, Kimi, GLM, MiMo)."""
    sparse = sparse_layers(fields, layers)
    block = shared_experts(fields)
    return [block if routed else dense(fields) for routed in sparse]


def one_dense_first_experts(fields: Fields, layers: int) -> list[FeedForward]:
    """Return experts in all layers but the first, unless the config says otherwise (Hy3)."""
    sparse = sparse_layers(fields, layers, dense_first=1)
    block = shared_experts(fields)
    return [block if routed else dense(fields) for routed in sparse]


def minimax_m3_experts(fields: Fields, layers: int) -> list[FeedForward]:
    """Return experts of the width `intermediate_size` beside shared ones, with wider dense layers (MiniMax-M3)."""
    sparse = sparse_layers(fields, layers, dense_first=0)
    experts, used = counted(fields, "num_local_experts")
    shared = fields.count("n_shared_experts", default=1, least=0)
    fields.raw("moe_intermediate_size")
    block = Moe(
        experts=experts,
        experts_per_token=used,
        intermediate_size=fields.count("intermediate_size"),
        shared_size=shared * fields.count("shared_intermediate_size", least=0),
    )
    return [block if routed else dense(fields, "dense_intermediate_size") for routed in sparse]


def step_experts(fields: Fields, layers: int) -> list[FeedForward]:
    """Return experts beside one shared expert (Step-3.5 and 3.7)."""
    sparse = sparse_layers(fields, layers, dense_first=3)
    experts, used = counted(fields, "moe_num_experts")
    for noted in (*SHARED_NAMES, "use_moe", "need_fp32_gate"):
        fields.raw(noted)
    block = Moe(
        experts=experts,
        experts_per_token=used,
        intermediate_size=fields.count("moe_intermediate_size"),
        shared_size=fields.count(fields.one_of("share_expert_dim", "share_expert_dims")),
    )
    return [block if routed else dense(fields) for routed in sparse]


def laguna_experts(fields: Fields, layers: int) -> list[FeedForward]:
    """Return a dense first layer, then experts beside one shared expert without a gate (Laguna)."""
    fields.raw("mlp_only_layers")
    fields.raw("decoder_sparse_step")
    sparse = sparse_layers(fields, layers, dense_first=1)
    experts, used = counted(fields, "num_experts")
    block = Moe(
        experts=experts,
        experts_per_token=used,
        intermediate_size=fields.count("moe_intermediate_size"),
        shared_size=fields.count("shared_expert_intermediate_size", default=0, least=0),
    )
    return [block if routed else dense(fields) for routed in sparse]


def latent_experts(fields: Fields, layers: int) -> list[FeedForward]:
    """Return dense first layers, then experts that may work in a narrower width (Kimi Linear and K3)."""
    sparse = sparse_layers(fields, layers, dense_first=1)
    width = fields.count("routed_expert_hidden_size", default=0)
    narrow = replace(
        shared_experts(fields),
        latent_size=width if width != fields.count("hidden_size") else 0,
        latent_norm=fields.flag("latent_moe_use_norm", default=False),
    )
    return [narrow if routed else dense(fields) for routed in sparse]


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
    shared_name = fields.one_of(*SHARED_NAMES)
    shared = 0 if fields.states_null(shared_name) else fields.count(shared_name, least=0)
    return Moe(
        experts=experts,
        experts_per_token=used,
        intermediate_size=width,
        shared_size=width * shared,
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
