"""The reader of config.json: what it understands, and what it refuses by name."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from config_files import FILES
from damaged_configs import damaged_configs
from hostile_configs import BROKEN, CHUNKED, COMPRESSED, DENSE, HYBRID, LATENT, LETTERS, LIGHTNING, MOE, Broken
from hypothesis import given, strategies as st
from reference_data import config_facts, drafter_config_facts, facts, whole_file

from roofline_app import registry
from roofline_app.model.config_json import ConfigError, read_config
from roofline_app.model.dimensions import (
    Attention,
    CompressedAttention,
    DeltaNet,
    Dense,
    LatentAttention,
    LayerGroup,
    Lightning,
    Mamba2,
    Moe,
)
from roofline_app.model.terms import Reach
from roofline_app.model.to_terms import parameters_by_category, total_parameters
from roofline_app.specs import Precision

# The published checkpoint is in bf16; the file is NVIDIA's quantised one.
OWN_PRECISION = {"gemma-4-31b": Precision(mlp="nvfp4", kv="fp8")}


@pytest.mark.parametrize(("file", "model_id"), FILES.items(), ids=FILES.values())
def test_a_published_config_equals_the_registry_entry(file: str, model_id: str) -> None:
    spec = read_config(config_facts()[file])
    entry = registry.model(model_id)
    assert spec.dimensions == entry.dimensions
    stored = spec.precision
    if model_id.startswith("deepseek-v4"):
        # The entries count small matrices that stay in bf16 with the rest of attention.
        stored = replace(stored, layers=())
    assert stored == OWN_PRECISION.get(model_id, entry.precision)
    assert spec.max_context_tokens == entry.max_context_tokens


def test_every_published_config_is_compared() -> None:
    assert set(FILES) == set(config_facts())


def test_the_facts_of_published_configs_are_those_of_the_whole_files() -> None:
    for file, known in config_facts().items():
        whole = json.loads(whole_file(f"configs/{file}.json").read_text(encoding="utf-8"))
        assert facts(whole) == known
        assert read_config(whole) == read_config(known)


def test_the_facts_of_drafters_configs_are_those_of_the_whole_files() -> None:
    for file, known in drafter_config_facts().items():
        whole = json.loads(whole_file(f"configs/drafters/{file}.json").read_text(encoding="utf-8"))
        assert facts(whole) == known


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.name)
def test_a_broken_config_is_refused_in_one_line_that_names_the_field(broken: Broken) -> None:
    with pytest.raises(ConfigError) as refusal:
        read_config(broken.config())
    message = str(refusal.value)
    assert broken.names in message
    assert "\n" not in message
    assert len(message) < 200


@pytest.mark.parametrize("base", [DENSE, MOE, HYBRID, LATENT, COMPRESSED, LETTERS], ids=lambda base: base["model_type"])
def test_what_the_broken_configs_are_made_of_reads(base: dict[str, object]) -> None:
    assert read_config(base) == read_config(json.dumps(base))
    assert total_parameters(read_config(base)) > 0


@pytest.mark.parametrize("seed", range(3))
def test_damaged_configs_read_or_are_refused_by_name(seed: int) -> None:
    # `tests/bench/config_reading.py` does the same with ten thousand, against the clock.
    for config in damaged_configs(100, seed):
        refusal = _refusal(config)
        assert "\n" not in refusal
        assert not refusal or ": " in refusal


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


def _refusal(config: dict[str, object]) -> str:
    """Return why a config is refused; empty where it reads."""
    try:
        read_config(config)
    except ConfigError as refusal:
        return str(refusal)
    return ""


@given(st.sampled_from([DENSE, MOE, HYBRID, LATENT, COMPRESSED, LETTERS]), st.data())
def test_any_value_in_any_field_reads_or_is_refused(base: dict[str, object], data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(base)))
    assert "\n" not in _refusal({**base, name: data.draw(JSON_VALUES)})


@given(JSON_VALUES)
def test_any_quantisation_reads_or_is_refused(value: object) -> None:
    for quantisation in (
        value,
        {"quant_method": "modelopt", "quant_algo": value},
        {"quant_method": "fp8", "ignore": value},
    ):
        assert "\n" not in _refusal({**MOE, "quantization_config": quantisation})


def _layers(config: dict[str, object]) -> tuple[LayerGroup, ...]:
    return read_config(config).dimensions.layers


def test_every_fourth_layer_of_a_delta_net_hybrid_is_full_attention_with_a_gate() -> None:
    linear, full = _layers(HYBRID)
    assert isinstance(linear.mixer, DeltaNet)
    assert isinstance(full.mixer, Attention)
    assert full.mixer.gated
    assert (linear.count, full.count) == (27, 9)


def test_listed_layer_types_go_before_the_interval() -> None:
    kinds = ["linear_attention"] * 35 + ["full_attention"]
    assert [group.count for group in _layers({**HYBRID, "layer_types": kinds})] == [35, 1]


def test_sparse_latent_attention_shares_selections_where_the_config_says_so() -> None:
    kinds = ["full"] * 21 + ["shared"] * 40
    indexers = [
        (group.mixer.indexer, group.count)
        for group in _layers({**LATENT, "indexer_types": kinds})
        if isinstance(group.mixer, LatentAttention)
    ]
    own = sum(count for indexer, count in indexers if indexer and not indexer.shared)
    assert own == 21


def test_a_null_query_rank_means_a_full_query_projection() -> None:
    plain = {name: value for name, value in LATENT.items() if not name.startswith("index")}
    spec = read_config({**plain, "model_type": "deepseek_v2", "q_lora_rank": None})
    mixer = spec.dimensions.layers[0].mixer
    assert isinstance(mixer, LatentAttention)
    assert mixer.query_rank == 0


def test_the_extra_ratio_of_deepseek_v4_is_its_next_token_layer() -> None:
    spec = read_config({**COMPRESSED, "num_nextn_predict_layers": 1})
    assert sum(group.count for group in spec.dimensions.layers) == 4
    next_token = spec.dimensions.next_token
    assert next_token is not None
    assert isinstance(next_token.layer.mixer, CompressedAttention)
    assert next_token.layer.mixer.ratio == 0


def test_the_next_token_layer_of_a_hybrid_has_full_attention() -> None:
    spec = read_config({**HYBRID, "num_hidden_layers": 35, "mtp_num_hidden_layers": 1})
    assert spec.dimensions.next_token is not None
    assert isinstance(spec.dimensions.next_token.layer.mixer, Attention)


def test_letters_spell_layers_of_one_block_each() -> None:
    mamba, experts, attention, dense = _layers(LETTERS)
    assert isinstance(mamba.mixer, Mamba2)
    assert mamba.feed_forward is None
    assert isinstance(experts.feed_forward, Moe)
    assert not experts.feed_forward.gated
    assert isinstance(attention.mixer, Attention)
    assert isinstance(dense.feed_forward, Dense)
    assert dense.mixer is None


def test_minimax_text_01_has_seven_lightning_layers_to_one_of_full_attention() -> None:
    spec = read_config(LIGHTNING)
    assert [type(group.mixer) for group in spec.dimensions.layers] == [Lightning, Attention]
    # The card says 456 billion.
    assert total_parameters(spec) == pytest.approx(456e9, rel=0.005)


def test_a_mistral_window_covers_every_layer_and_a_null_one_none() -> None:
    (windowed,) = _layers({**DENSE, "model_type": "mistral", "sliding_window": 4096})
    (full,) = _layers({**DENSE, "model_type": "mistral", "sliding_window": None})
    assert isinstance(windowed.mixer, Attention)
    assert (windowed.mixer.reach, windowed.mixer.limit) == (Reach.WINDOW, 4096)
    assert isinstance(full.mixer, Attention)
    assert full.mixer.reach is Reach.ALL


def test_qwen_windows_start_at_max_window_layers_when_switched_on() -> None:
    windows = {"sliding_window": 4096, "max_window_layers": 28}
    on = _layers({**DENSE, **windows, "use_sliding_window": True})
    off = _layers({**DENSE, **windows, "use_sliding_window": False})
    assert [group.count for group in on] == [28, 8]
    assert [group.count for group in off] == [36]


def test_llama_4_interleaves_dense_layers_and_chunks_three_layers_in_four() -> None:
    assert total_parameters(read_config(CHUNKED)) == pytest.approx(400.712e9, rel=1e-6)
    by_chunks = sum(
        g.count for g in _layers(CHUNKED) if isinstance(g.mixer, Attention) and g.mixer.reach is Reach.CHUNK
    )
    assert by_chunks == 36
    without = {**CHUNKED, "attention_chunk_size": None, "no_rope_layers": [1] * 48}
    assert {g.mixer.reach for g in _layers(without) if isinstance(g.mixer, Attention)} == {Reach.ALL}


def test_gemma_4_runs_a_dense_block_beside_its_experts() -> None:
    config = {
        **DENSE,
        "model_type": "gemma4_text",
        "hidden_size": 2816,
        "num_hidden_layers": 30,
        "num_attention_heads": 16,
        "head_dim": 256,
        "global_head_dim": 512,
        "num_global_key_value_heads": 2,
        "attention_k_eq_v": True,
        "sliding_window": 1024,
        "sliding_window_pattern": 6,
        "intermediate_size": 2112,
        "enable_moe_block": True,
        "num_experts": 128,
        "top_k_experts": 8,
        "moe_intermediate_size": 704,
        "vocab_size": 262144,
        "tie_word_embeddings": True,
    }
    spec = read_config(config)
    assert total_parameters(spec) == pytest.approx(25.233e9, rel=1e-4)
    quantised = read_config({**config, "quantization_config": {"quant_method": "fp8"}}).precision
    assert (quantised.mlp, quantised.experts) == ("fp8", "fp8")


def test_qwen3_next_has_the_size_of_its_safetensors() -> None:
    config = {
        **HYBRID,
        "model_type": "qwen3_next",
        "hidden_size": 2048,
        "num_hidden_layers": 48,
        "num_attention_heads": 16,
        "num_key_value_heads": 2,
        "head_dim": 256,
        "num_experts": 512,
        "num_experts_per_tok": 10,
        "moe_intermediate_size": 512,
        "shared_expert_intermediate_size": 512,
        "decoder_sparse_step": 1,
    }
    assert total_parameters(read_config(config)) == 79_674_391_296


def test_nemotron_super_experts_work_in_a_latent_width() -> None:
    config = {
        **LETTERS,
        "hidden_size": 4096,
        "num_hidden_layers": 88,
        "hybrid_override_pattern": "M" * 40 + "*" * 8 + "E" * 40,
        "num_key_value_heads": 2,
        "mamba_num_heads": 128,
        "n_routed_experts": 512,
        "num_experts_per_tok": 22,
        "moe_intermediate_size": 2688,
        "moe_latent_size": 1024,
        "moe_shared_expert_intermediate_size": 5376,
        "vocab_size": 131072,
    }
    assert total_parameters(read_config(config)) == pytest.approx(120.669e9, rel=1e-4)


def test_glm_4_7_flash_has_latent_attention_without_an_indexer() -> None:
    config = {
        **{name: value for name, value in LATENT.items() if not name.startswith("index")},
        "model_type": "glm4_moe_lite",
        "num_hidden_layers": 47,
        "hidden_size": 2048,
        "num_attention_heads": 20,
        "num_key_value_heads": 20,
        "head_dim": 64,
        "intermediate_size": 10240,
        "vocab_size": 154880,
        "n_routed_experts": 64,
        "num_experts_per_tok": 4,
        "moe_intermediate_size": 1536,
        "first_k_dense_replace": 1,
        "q_lora_rank": 768,
        "qk_nope_head_dim": 192,
        "v_head_dim": 256,
    }
    assert total_parameters(read_config(config)) == pytest.approx(29.943e9, rel=1e-4)


def test_an_unknown_model_type_reads_when_it_holds_a_plain_transformer_only() -> None:
    config = {**DENSE, "model_type": "novel", "hidden_act": "silu", "rope_theta": 1e6, "torch_dtype": "float16"}
    known = {**DENSE, "model_type": "mistral"}
    assert read_config(config).dimensions == read_config(known).dimensions
    experts = {**MOE, "model_type": "novel_moe", "hidden_act": "silu"}
    assert isinstance(read_config(experts).dimensions.layers[0].feed_forward, Moe)


def test_a_model_inside_text_config_takes_tying_and_quantisation_from_outside() -> None:
    inner = {name: value for name, value in DENSE.items() if name != "tie_word_embeddings"}
    outer = {
        "model_type": "some_vision_model",
        "text_config": inner,
        "tie_word_embeddings": True,
        "quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]},
    }
    spec = read_config(outer)
    assert spec.dimensions.tied
    assert spec.precision.attention == spec.precision.mlp == "fp8-block"


def test_a_custom_model_is_named_by_its_type_and_depth() -> None:
    spec = read_config(DENSE)
    assert (spec.id, spec.name) == ("custom", "qwen3, 36 layers")
    assert "routed_experts" not in parameters_by_category(spec)
