"""Model types and their dialects: windows that are switched off, libraries' defaults, lists in several spellings."""

from __future__ import annotations

import json

import pytest
from hostile_configs import DENSE, LATENT, LETTERS

from roofline_app import registry
from roofline_app.evaluation import evaluate
from roofline_app.model.config_json import ConfigError, read_config
from roofline_app.model.dimensions import Attention, Dense, KimiDelta, LatentAttention, Moe
from roofline_app.model.terms import Reach
from roofline_app.model.to_terms import kv_bytes_per_token, total_parameters, transformer, window_bytes_per_sequence
from roofline_app.scenario import CUSTOM, Scenario
from roofline_app.speculation.drafting.drafter_terms import next_token_terms

QWEN_VL_7B: dict[str, object] = {
    "model_type": "qwen2_5_vl",
    "hidden_size": 3584,
    "intermediate_size": 18944,
    "num_hidden_layers": 28,
    "num_attention_heads": 28,
    "num_key_value_heads": 4,
    "vocab_size": 152064,
    "max_position_embeddings": 128000,
    "sliding_window": 32768,
    "use_sliding_window": False,
    "max_window_layers": 28,
    "hidden_act": "silu",
}


def _kv_bytes(config: dict[str, object]) -> float:
    spec = read_config(config)
    return kv_bytes_per_token(transformer(spec, spec.precision, registry.formats()))


@pytest.mark.parametrize("model_type", ["qwen2", "qwen2_vl", "qwen2_5_vl", "mimo", "mistral", "novel"])
@pytest.mark.parametrize("listed", [False, True])
def test_a_window_that_is_switched_off_is_none(model_type: str, listed: bool) -> None:
    lists = {"layer_types": ["sliding_attention"] * 28} if listed else {}
    assert _kv_bytes({**QWEN_VL_7B, "model_type": model_type, **lists}) == 57_344


def test_qwen2_5_vl_keeps_its_whole_context() -> None:
    config = json.dumps(QWEN_VL_7B)
    found = evaluate(Scenario(model=CUSTOM, config=config, gpu="h100-sxm", gpus=1, batch=8, context=65_536))
    assert found.model.kv_bytes_per_token * 8 * 65_536 == pytest.approx(30.1e9, rel=2e-3)


def test_qwen_windows_start_where_the_config_says() -> None:
    windows = {**QWEN_VL_7B, "use_sliding_window": True, "max_window_layers": 20, "sliding_window": 4096}
    assert _kv_bytes(windows) == 20 * 2048
    spec = read_config(windows)
    assert window_bytes_per_sequence(transformer(spec, spec.precision, registry.formats())) == 8 * 2048 * 4096


@pytest.mark.parametrize(
    ("fields", "parameters", "kv_bytes", "window_bytes"),
    [
        pytest.param(
            {"num_hidden_layers": 34, "hidden_size": 2560, "intermediate_size": 10240},
            3_880_263_168,
            20_480,
            121_634_816,
            id="4B",
        ),
        pytest.param(
            {
                "num_hidden_layers": 48,
                "hidden_size": 3840,
                "intermediate_size": 15360,
                "num_attention_heads": 16,
                "num_key_value_heads": 8,
            },
            11_766_034_176,
            65_536,
            335_544_320,
            id="12B",
        ),
    ],
)
def test_gemma_3_as_published_leaves_transformers_defaults_out(
    fields: dict[str, object], parameters: int, kv_bytes: int, window_bytes: int
) -> None:
    spec = read_config(
        {"model_type": "gemma3", "text_config": {"model_type": "gemma3_text", "sliding_window": 1024, **fields}}
    )
    terms = transformer(spec, spec.precision, registry.formats())
    assert total_parameters(spec) == parameters
    assert (kv_bytes_per_token(terms), window_bytes_per_sequence(terms)) == (kv_bytes, window_bytes)


def test_llama_without_key_value_heads_has_as_many_as_heads() -> None:
    llama = {name: value for name, value in DENSE.items() if name not in {"num_key_value_heads", "head_dim"}}
    mixer = read_config({**llama, "model_type": "llama"}).dimensions.layers[0].mixer
    assert isinstance(mixer, Attention)
    assert (mixer.heads, mixer.kv_heads, mixer.head_dim) == (32, 32, 128)


@pytest.mark.parametrize("activation", ["swigluoai", "situ", "gelu_pytorch_tanh", "relu2"])
def test_an_activation_is_no_reason_to_refuse_a_known_model(activation: str) -> None:
    assert read_config({**DENSE, "hidden_act": activation}).dimensions == read_config(DENSE).dimensions


def test_nemotron_layers_may_be_spelled_in_words_without_their_number() -> None:
    words = ["mamba", "moe", "attention", "mlp"]
    spelled = {
        name: value for name, value in LETTERS.items() if name not in {"hybrid_override_pattern", "num_hidden_layers"}
    }
    expected = read_config(LETTERS).dimensions
    assert read_config({**spelled, "layers_block_type": words}).dimensions == expected
    newer = ["linear_attention", "moe", "full_attention", "mlp"]
    assert read_config({**spelled, "layer_types": newer}).dimensions == expected
    with pytest.raises(ConfigError, match="hybrid_override_pattern: differs from layers_block_type"):
        read_config({**LETTERS, "layers_block_type": words[::-1]})


@pytest.mark.parametrize("number", ["Infinity", "1e999", "1e308", "100.0"])
def test_a_bound_may_be_infinite(number: str) -> None:
    text = json.dumps(LETTERS)[:-1] + f', "time_step_limit": [0.0, {number}]' + "}"
    assert read_config(text).dimensions == read_config(LETTERS).dimensions


def test_glm_5_2_shares_selections_with_and_without_a_list() -> None:
    base = {**LATENT, "model_type": "glm_moe_dsa", "num_hidden_layers": 78}
    listed = {"indexer_types": ["full"] * 3 + (["shared"] * 3 + ["full"]) * 18 + ["shared"] * 3}
    said = {"layer_types": ["deepseek_sparse_attention"] * 78, "mlp_layer_types": ["dense"] * 3 + ["sparse"] * 75}
    stepped = read_config({**base, "index_topk_freq": 4, "index_skip_topk_offset": 3})
    assert read_config({**base, **listed, **said}).dimensions == stepped.dimensions
    own = [group.count for group in stepped.dimensions.layers if _has_indexer(group.mixer)]
    assert sum(own) == 21


def _has_indexer(mixer: object) -> bool:
    return isinstance(mixer, LatentAttention) and mixer.indexer is not None and not mixer.indexer.shared


def test_layer_types_that_say_something_else_are_refused() -> None:
    with pytest.raises(ConfigError, match="layer_types: layer type 'linear_attention'"):
        read_config({**LATENT, "layer_types": ["linear_attention"] * 61})


def _kimi(**changes: object) -> dict[str, object]:
    linear = {"full_attn_layers": [4, 8], "kda_layers": [1, 2, 3, 5, 6, 7], "num_heads": 32, "head_dim": 128}
    return {
        "model_type": "kimi_linear",
        "hidden_size": 2304,
        "num_hidden_layers": 8,
        "num_attention_heads": 32,
        "intermediate_size": 9216,
        "moe_intermediate_size": 1024,
        "num_experts": 256,
        "num_experts_per_token": 8,
        "num_shared_experts": 1,
        "q_lora_rank": None,
        "kv_lora_rank": 512,
        "qk_nope_head_dim": 128,
        "qk_rope_head_dim": 64,
        "v_head_dim": 128,
        "vocab_size": 163840,
        "max_position_embeddings": 1048576,
        "linear_attn_config": {**linear, "short_conv_kernel_size": 4},
        **changes,
    }


def test_kimi_linear_counts_its_layers_from_one() -> None:
    groups = read_config(_kimi()).dimensions.layers
    assert sum(group.count for group in groups if isinstance(group.mixer, KimiDelta)) == 6
    assert [type(group.feed_forward) for group in groups] == [Dense, Moe, Moe]


def test_kimi_linear_refuses_lists_that_leave_a_layer_out() -> None:
    linear = {"full_attn_layers": [4], "kda_layers": [1, 2, 3], "num_heads": 32, "head_dim": 128}
    with pytest.raises(ConfigError, match=r"linear_attn_config\.full_attn_layers"):
        read_config(_kimi(linear_attn_config=linear))


def _searched(*blocks: dict[str, object]) -> dict[str, object]:
    plain = {name: value for name, value in DENSE.items() if name not in {"num_key_value_heads", "intermediate_size"}}
    return {**plain, "model_type": "nemotron-nas", "num_hidden_layers": len(blocks), "block_configs": list(blocks)}


KEPT = {"attention": {"n_heads_in_group": 8}, "ffn": {"ffn_mult": 5.25}}


def test_a_searched_layer_may_lack_attention() -> None:
    whole, without = read_config(_searched(KEPT, {**KEPT, "attention": {"no_op": True}})).dimensions.layers
    assert isinstance(whole.mixer, Attention)
    assert (whole.mixer.kv_heads, whole.norms) == (4, 2)
    assert (without.mixer, without.norms) == (None, 1)
    assert isinstance(without.feed_forward, Dense)
    assert without.feed_forward.intermediate_size == 14336


@pytest.mark.parametrize(
    ("block", "named"),
    [
        ({**KEPT, "ffn": {"replace_with_linear": True}}, r"block_configs\.0\.ffn\.replace_with_linear"),
        ({**KEPT, "ffn": {"ffn_mult": "5"}}, r"block_configs\.0\.ffn\.ffn_mult"),
        ({**KEPT, "attention": {"n_heads_in_group": 5}}, r"block_configs\.0\.attention\.n_heads_in_group"),
        ({**KEPT, "attention": {"n_heads_in_group": 8, "window_length": 128}}, r"attention\.window_length"),
    ],
)
def test_a_searched_block_of_another_kind_is_refused_by_name(block: dict[str, object], named: str) -> None:
    with pytest.raises(ConfigError, match=named):
        read_config(_searched(block))


def test_keys_may_be_wider_than_values() -> None:
    mimo = {
        **DENSE,
        "model_type": "mimo_v2_flash",
        "head_dim": 192,
        "v_head_dim": 128,
        "num_experts_per_tok": 8,
        "n_routed_experts": 256,
        "moe_intermediate_size": 2048,
        "hybrid_layer_pattern": [0] + [1] * 35,
        "moe_layer_freq": [0] + [1] * 35,
        "swa_num_key_value_heads": 16,
        "sliding_window": 128,
        "add_swa_attention_sink_bias": True,
    }
    full, sliding = (group.mixer for group in read_config(mimo).dimensions.layers)
    assert isinstance(full, Attention)
    assert isinstance(sliding, Attention)
    assert (full.kv_heads, full.sinks, full.reach) == (8, False, Reach.ALL)
    assert (sliding.kv_heads, sliding.sinks, sliding.reach, sliding.limit) == (16, True, Reach.WINDOW, 128)
    assert _kv_bytes(mimo) == 8 * (192 + 128) * 2


def test_an_unknown_model_type_is_what_a_refusal_names_first() -> None:
    with pytest.raises(ConfigError, match=r"^model_type: 'novel' is not known .*\(v_head_dim: .*\); else choose"):
        read_config({**DENSE, "model_type": "novel", "hidden_act": "silu", "v_head_dim": 64})


def test_laguna_has_heads_by_layer_and_a_gate_for_each() -> None:
    laguna = {
        **DENSE,
        "model_type": "laguna",
        "layer_types": ["full_attention", "sliding_attention"] * 18,
        "num_attention_heads_per_layer": [32, 48] * 18,
        "sliding_window": 512,
        "gating": "per-head",
        "num_experts": 256,
        "num_experts_per_tok": 8,
        "moe_intermediate_size": 512,
        "shared_expert_intermediate_size": 512,
    }
    mixers = [group.mixer for group in read_config(laguna).dimensions.layers if isinstance(group.mixer, Attention)]
    assert {(mixer.heads, mixer.limit) for mixer in mixers} == {(32, 0), (48, 512)}
    assert all(mixer.head_gated and not mixer.gated for mixer in mixers)
    with pytest.raises(ConfigError, match="num_attention_heads_per_layer: has 1 entries"):
        read_config({**laguna, "num_attention_heads_per_layer": [32]})


def test_glm_4_5_with_its_next_token_layer_is_what_hugging_face_counts() -> None:
    spec = registry.model("glm-4.5")
    terms = transformer(spec, spec.precision, registry.formats())
    layer = next_token_terms(spec, terms, spec.precision, registry.formats()).parameters
    # The checkpoint stores an embedding and a head of that layer's own, which engines share with the model's.
    own = 2 * spec.dimensions.vocab_size * spec.dimensions.hidden_size
    assert total_parameters(spec) + layer + own == pytest.approx(358e9, rel=2e-3)


def test_step_3_5_as_published_lists_its_experts_in_one_text() -> None:
    step = {
        "model_type": "step3p5",
        "hidden_size": 4096,
        "num_hidden_layers": 4,
        "num_attention_heads": 64,
        "num_attention_groups": 8,
        "head_dim": 128,
        "intermediate_size": 11264,
        "vocab_size": 128896,
        "max_position_embeddings": 262144,
        "max_seq_len": 262144,
        "layer_types": ["full_attention"] + ["sliding_attention"] * 3 + ["full_attention"],
        "num_nextn_predict_layers": 1,
        "sliding_window": 512,
        "attention_other_setting": {"num_attention_heads": 96, "num_attention_groups": 8, "head_dim": 128},
        "use_head_wise_attn_gate": True,
        "use_moe": True,
        "moe_every_n_layer": 1,
        "moe_layer_offset": 0,
        "moe_layers_enum": "2,3",
        "moe_num_experts": 288,
        "moe_top_k": 8,
        "moe_intermediate_size": 1280,
        "share_expert_dim": 1280,
        "need_fp32_gate": True,
    }
    spec = read_config(step)
    assert [type(group.feed_forward) for group in spec.dimensions.layers] == [Dense, Dense, Moe]
    mixers = [group.mixer for group in spec.dimensions.layers if isinstance(group.mixer, Attention)]
    assert [(mixer.heads, mixer.head_gated) for mixer in mixers] == [(64, True), (96, True), (96, True)]
    assert spec.dimensions.next_token is not None
    assert isinstance(spec.dimensions.next_token.layer.feed_forward, Dense)


def test_a_searched_nemotron_states_every_blocks_experts() -> None:
    blocks = [
        {"block_type": "mamba"},
        {"block_type": "moe", "n_routed_experts": 64, "num_experts_per_tok": 4},
        {"block_type": "moe"},
        {"block_type": "attention"},
    ]
    config = {**LETTERS, "model_type": "nemotron_h_puzzle", "block_configs": blocks}
    experts = [group.feed_forward for group in read_config(config).dimensions.layers if group.feed_forward]
    assert [block.experts for block in experts if isinstance(block, Moe)] == [64, 128]
    with pytest.raises(ConfigError, match=r"block_configs\.0\.block_type: 'rnn' is not modelled"):
        read_config({**config, "block_configs": [{"block_type": "rnn"}] * 4})


@pytest.mark.parametrize("table", ["text_config", "llm_config", "language_config"])
def test_the_language_model_may_lie_in_a_table_of_its_own(table: str) -> None:
    outer = {"model_type": "some_vision_model", "vision_config": {"hidden_size": 1}, table: DENSE}
    assert read_config(outer).dimensions == read_config(DENSE).dimensions
    assert read_config({"model_type": "omni", "thinker_config": outer}).dimensions == read_config(DENSE).dimensions
