"""Broken config.json files: each is a change of a good one, and the field that the refusal must name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

DENSE: dict[str, object] = {
    "model_type": "qwen3",
    "hidden_size": 4096,
    "num_hidden_layers": 36,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "intermediate_size": 12288,
    "vocab_size": 151936,
    "max_position_embeddings": 40960,
    "tie_word_embeddings": False,
}
MOE: dict[str, object] = {
    **DENSE,
    "model_type": "qwen3_moe",
    "num_experts": 128,
    "num_experts_per_tok": 8,
    "moe_intermediate_size": 768,
}
HYBRID: dict[str, object] = {
    **DENSE,
    "model_type": "qwen3_5_text",
    "full_attention_interval": 4,
    "linear_conv_kernel_dim": 4,
    "linear_key_head_dim": 128,
    "linear_num_key_heads": 16,
    "linear_num_value_heads": 32,
    "linear_value_head_dim": 128,
}
LATENT: dict[str, object] = {
    "model_type": "deepseek_v32",
    "hidden_size": 7168,
    "num_hidden_layers": 61,
    "num_attention_heads": 128,
    "intermediate_size": 18432,
    "moe_intermediate_size": 2048,
    "n_routed_experts": 256,
    "n_shared_experts": 1,
    "num_experts_per_tok": 8,
    "first_k_dense_replace": 3,
    "q_lora_rank": 1536,
    "kv_lora_rank": 512,
    "qk_nope_head_dim": 128,
    "qk_rope_head_dim": 64,
    "v_head_dim": 128,
    "index_n_heads": 64,
    "index_head_dim": 128,
    "index_topk": 2048,
    "vocab_size": 129280,
    "max_position_embeddings": 163840,
    "tie_word_embeddings": False,
}
COMPRESSED: dict[str, object] = {
    "model_type": "deepseek_v4",
    "hidden_size": 4096,
    "num_hidden_layers": 4,
    "num_attention_heads": 64,
    "num_key_value_heads": 1,
    "head_dim": 512,
    "qk_rope_head_dim": 64,
    "q_lora_rank": 1024,
    "o_groups": 8,
    "o_lora_rank": 1024,
    "sliding_window": 128,
    "index_n_heads": 64,
    "index_head_dim": 128,
    "index_topk": 512,
    "compress_ratios": [0, 4, 128, 4, 0],
    "hc_mult": 4,
    "moe_intermediate_size": 2048,
    "n_routed_experts": 256,
    "n_shared_experts": 1,
    "num_experts_per_tok": 6,
    "expert_dtype": "fp4",
    "vocab_size": 129280,
    "max_position_embeddings": 1048576,
    "tie_word_embeddings": False,
}
LETTERS: dict[str, object] = {
    **DENSE,
    "model_type": "nemotron_h",
    "num_hidden_layers": 4,
    "hybrid_override_pattern": "ME*-",
    "mamba_num_heads": 64,
    "mamba_head_dim": 64,
    "ssm_state_size": 128,
    "n_groups": 8,
    "conv_kernel": 4,
    "mlp_hidden_act": "relu2",
    "n_routed_experts": 128,
    "num_experts_per_tok": 6,
    "moe_intermediate_size": 1856,
    "n_shared_experts": 1,
    "moe_shared_expert_intermediate_size": 3712,
}
LIGHTNING: dict[str, object] = {
    **DENSE,
    "model_type": "minimax_text_01",
    "hidden_size": 6144,
    "num_hidden_layers": 80,
    "num_attention_heads": 64,
    "intermediate_size": 9216,
    "num_local_experts": 32,
    "num_experts_per_tok": 2,
    "vocab_size": 200064,
    "attn_type_list": ([0] * 7 + [1]) * 10,
}
CHUNKED: dict[str, object] = {
    **DENSE,
    "model_type": "llama4_text",
    "hidden_size": 5120,
    "num_hidden_layers": 48,
    "num_attention_heads": 40,
    "intermediate_size": 8192,
    "intermediate_size_mlp": 16384,
    "num_local_experts": 128,
    "num_experts_per_tok": 1,
    "interleave_moe_layer_step": 2,
    "attention_chunk_size": 8192,
    "vocab_size": 202048,
}


@dataclass(frozen=True, slots=True)
class Broken:
    """A change that must be refused.

    Attributes:
        name: What is wrong.
        names: What the refusal must name.
        base: Good config that is changed.
        change: Fields put over it.
        without: Fields taken out of it.
        text: Whole text in place of all that.
    """

    name: str
    names: str
    base: Mapping[str, object] = field(default_factory=lambda: DENSE)
    change: Mapping[str, object] = field(default_factory=dict)
    without: tuple[str, ...] = ()
    text: str | None = None

    def config(self) -> str:
        """Return the text of the config."""
        if self.text is not None:
            return self.text
        kept = {name: value for name, value in self.base.items() if name not in self.without}
        return json.dumps(kept | dict(self.change))


def _missing(base: Mapping[str, object], *names: str) -> list[Broken]:
    return [Broken(f"{base['model_type']} without {name}", name, base, without=(name,)) for name in names]


def _values(name: str, **values: object) -> list[Broken]:
    return [Broken(f"{name} {label}", name, change={name: value}) for label, value in values.items()]


_QUANTISED = "quantization_config"
_FLOAT4: dict[str, object] = {"num_bits": 4, "type": "float", "group_size": 8}
_GOOD_TEXT = json.dumps(DENSE)

BROKEN: tuple[Broken, ...] = (
    *_missing(DENSE, *(name for name in DENSE if name != "tie_word_embeddings")),
    *_missing(MOE, "num_experts_per_tok", "moe_intermediate_size"),
    *_missing(HYBRID, "full_attention_interval", "linear_num_value_heads", "linear_conv_kernel_dim"),
    *_missing(LATENT, "kv_lora_rank", "q_lora_rank", "index_topk", "n_routed_experts", "first_k_dense_replace"),
    *_missing(COMPRESSED, "compress_ratios", "sliding_window", "o_groups", "hc_mult"),
    *_missing(LETTERS, "hybrid_override_pattern", "ssm_state_size", "n_shared_experts"),
    *_missing(CHUNKED, "attention_chunk_size", "interleave_moe_layer_step"),
    Broken("no list of layer types", "layer_types", LIGHTNING, without=("attn_type_list",)),
    Broken("unknown code of a layer type", "attn_type_list", LIGHTNING, {"attn_type_list": [2] * 80}),
    Broken("too few rotary layers", "no_rope_layers", CHUNKED, {"no_rope_layers": [1, 1, 1, 0]}),
    Broken("an indexer without low-rank queries", "q_lora_rank", LATENT, {"q_lora_rank": None}),
    *_values(
        "hidden_size",
        negative=-4096,
        zero=0,
        text="4096",
        true=True,
        fraction=4096.5,
        whole_float=4096.0,
        huge=10**30,
        list=[4096],
        table={"value": 4096},
    ),
    *_values("num_hidden_layers", huge=10**9, negative=-1, text="36"),
    *_values("vocab_size", huge=10**12, zero=0),
    *_values("max_position_embeddings", huge=10**15, text="40k", zero=0),
    *_values("tie_word_embeddings", text="false", number=0),
    *_values("model_type", number=3, list=["qwen3"]),
    *_values("layer_types", text="full_attention", short=["full_attention"], numbers=[1] * 36),
    Broken("nothing but nulls", "model_type", change=dict.fromkeys(DENSE)),
    Broken("not a number", "hidden_size", text=_GOOD_TEXT.replace(": 4096,", ": NaN,")),
    Broken("infinite", "rope_theta", text=_GOOD_TEXT.replace("{", '{"rope_theta": 1e999, ', 1)),
    Broken("infinite inside", "rope.factor", text=_GOOD_TEXT.replace("{", '{"rope": {"factor": -Infinity}, ', 1)),
    Broken("heads that do not divide", "num_key_value_heads", change={"num_key_value_heads": 7}),
    Broken("more key heads than heads", "num_key_value_heads", change={"num_key_value_heads": 64}),
    Broken(
        "width that heads do not divide",
        "num_attention_heads",
        {**DENSE, "model_type": "llama"},
        {"num_attention_heads": 24},
        ("head_dim",),
    ),
    Broken("linear heads that do not divide", "linear_num_key_heads", HYBRID, {"linear_num_key_heads": 12}),
    Broken("mamba groups that do not divide", "n_groups", LETTERS, {"n_groups": 7}),
    Broken("output groups that do not divide", "o_groups", COMPRESSED, {"o_groups": 7}),
    Broken("more experts per token than experts", "num_experts_per_tok", MOE, {"num_experts_per_tok": 129}),
    Broken("more of DeepSeek's", "num_experts_per_tok", LATENT, {"num_experts_per_tok": 257}),
    Broken("two counts of experts", "num_local_experts", MOE, {"num_local_experts": 64}),
    Broken("negative experts", "num_experts", MOE, {"num_experts": -1}),
    Broken("dense layers beyond the last", "first_k_dense_replace", LATENT, {"first_k_dense_replace": 62}),
    Broken("experts in every second layer", "moe_layer_freq", LATENT, {"moe_layer_freq": 2}),
    Broken("a dense layer beyond the last", "mlp_only_layers", MOE, {"mlp_only_layers": [36], "intermediate_size": 1}),
    Broken("unknown layer type", "'mamba'", change={"layer_types": ["full_attention"] * 35 + ["mamba"]}),
    Broken("unknown layer type named", "layer_types", change={"layer_types": ["retention"] * 36}),
    Broken(
        "linear layers of an attention model", "linear_attention", change={"layer_types": ["linear_attention"] * 36}
    ),
    Broken("windows without a size", "sliding_window", change={"layer_types": ["sliding_attention"] * 36}),
    Broken("unknown letter", "'X'", LETTERS, {"hybrid_override_pattern": "ME*X"}),
    Broken("too few letters", "hybrid_override_pattern", LETTERS, {"hybrid_override_pattern": "ME*"}),
    Broken("unknown compression ratio", "compress_ratios", COMPRESSED, {"compress_ratios": [0, 4, 128, 16]}),
    Broken("too few ratios", "compress_ratios", COMPRESSED, {"compress_ratios": [0, 4]}),
    Broken("negative ratio", "compress_ratios", COMPRESSED, {"compress_ratios": [0, -4, 128, 4]}),
    Broken("two key heads in DeepSeek-V4", "num_key_value_heads", COMPRESSED, {"num_key_value_heads": 2}),
    Broken("rotary part beyond the head", "qk_rope_head_dim", COMPRESSED, {"qk_rope_head_dim": 1024}),
    Broken("unknown indexer", "indexer_types", LATENT, {"indexer_types": ["full"] * 60 + ["half"]}),
    Broken("nothing to share", "indexer_types", LATENT, {"indexer_types": ["shared"] * 61}),
    Broken("too few indexers", "indexer_types", LATENT, {"indexer_types": ["full"]}),
    Broken("latent attention in Qwen3", "kv_lora_rank", change={"kv_lora_rank": 512}),
    Broken("experts in a dense model", "num_experts", change={"num_experts": 8}),
    Broken("layers that share a cache", "num_kv_shared_layers", change={"num_kv_shared_layers": 4}),
    Broken("text_config is a list", "text_config", change={"text_config": [1]}),
    Broken("text_config is empty", "model_type", change={"text_config": {}}, without=("model_type",)),
    Broken("text_config within text_config", "text_config", change={"text_config": {**DENSE, "text_config": DENSE}}),
    Broken("broken text_config", "text_config.hidden_size", change={"text_config": {**DENSE, "hidden_size": 0}}),
    Broken("unknown model type", "'retnet'", change={"model_type": "retnet", "hidden_act": "silu", "decay": 0.9}),
    Broken("its unknown field", "decay", change={"model_type": "retnet", "hidden_act": "silu", "decay": 0.9}),
    Broken("unknown ungated model", "hidden_act", change={"model_type": "other", "hidden_act": "gelu_new"}),
    Broken("markup as model type", "is not known", change={"model_type": "<script>", "hidden_act": "silu", "x": 1}),
    Broken("unknown dtype", "torch_dtype", change={"torch_dtype": "int1"}),
    Broken("two dtypes", "torch_dtype", change={"dtype": "float32", "torch_dtype": "bfloat16"}),
    Broken("quantisation is a text", _QUANTISED, change={_QUANTISED: "fp8"}),
    Broken("quantisation without a method", "quant_method", change={_QUANTISED: {}}),
    Broken("unknown method", "quant_method", change={_QUANTISED: {"quant_method": "hqq"}}),
    Broken("unknown algorithm", "quant_algo", change={_QUANTISED: {"quant_algo": "W1A1"}}),
    Broken(
        "odd blocks", "weight_block_size", change={_QUANTISED: {"quant_method": "fp8", "weight_block_size": [1, 9]}}
    ),
    Broken("three bits", "bits", change={_QUANTISED: {"quant_method": "gptq", "bits": 3}}),
    Broken("no groups", "config_groups", change={_QUANTISED: {"quant_method": "compressed-tensors"}}),
    Broken(
        "odd groups of 4-bit floats",
        "group_size",
        change={_QUANTISED: {"quant_method": "compressed-tensors", "config_groups": {"a": {"weights": _FLOAT4}}}},
    ),
    Broken(
        "a regular expression that could take for ever",
        "ignore",
        change={_QUANTISED: {"quant_method": "fp8", "ignore": ["re:(a+)+$"]}},
    ),
    Broken(
        "a regular expression with look-ahead",
        "ignore",
        change={_QUANTISED: {"quant_method": "fp8", "ignore": ["re:(?=a)"]}},
    ),
    Broken("ignore holds numbers", "ignore", change={_QUANTISED: {"quant_method": "fp8", "ignore": [1]}}),
    Broken(
        "unknown cache format",
        "kv_cache_quant_algo",
        change={_QUANTISED: {"quant_algo": "FP8", "kv_cache_quant_algo": "FP2"}},
    ),
    Broken("unknown format of experts", "expert_dtype", COMPRESSED, {"expert_dtype": "fp2"}),
    Broken("ten megabytes", "characters", text='{"a": "' + "x" * 10_000_000 + '"}'),
    Broken("nothing", "not JSON", text=""),
    Broken("a sentence", "not JSON", text="hello"),
    Broken("cut off", "not JSON", text=_GOOD_TEXT[:-5]),
    Broken("a list", "not a JSON object", text="[1, 2]"),
    Broken("a number", "not a JSON object", text="7"),
    Broken("null", "not a JSON object", text="null"),
    Broken("an empty object", "model_type", text="{}"),
    Broken("stated twice", "hidden_size: stated twice", text=_GOOD_TEXT.replace("{", '{"hidden_size": 1, ', 1)),
    Broken("deep lists", "levels deep", text="[" * 100_000),
    Broken("deep tables", "levels deep", text='{"a":' * 100 + "1" + "}" * 100),
    Broken("a number of ten thousand digits", "digits", text='{"hidden_size": ' + "9" * 10_000 + "}"),
    Broken("a byte-order mark", "not JSON", text="\ufeff{}"),
)
