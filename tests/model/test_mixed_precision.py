"""Checkpoints that keep formats apart by layer and matrix: what each dialect of quantisation statements means."""

from __future__ import annotations

import pytest
from hostile_configs import DENSE, HYBRID, LATENT, MOE

from roofline_app import registry
from roofline_app.model.config_json import ConfigError, read_config
from roofline_app.model.dimensions import ModelSpec
from roofline_app.model.to_terms import parameters_by_format, transformer, weight_bytes, with_weights
from roofline_app.scenario import Weights
from roofline_app.specs import stored_as

LLAMA_70B: dict[str, object] = {
    "model_type": "llama",
    "hidden_size": 8192,
    "num_hidden_layers": 80,
    "num_attention_heads": 64,
    "num_key_value_heads": 8,
    "intermediate_size": 28672,
    "vocab_size": 128256,
    "max_position_embeddings": 131072,
}
QWEN_27B: dict[str, object] = {
    **HYBRID,
    "hidden_size": 5120,
    "num_hidden_layers": 64,
    "num_attention_heads": 24,
    "num_key_value_heads": 4,
    "head_dim": 256,
    "intermediate_size": 17408,
    "linear_num_value_heads": 48,
    "vocab_size": 248320,
}
FLOAT4 = {"num_bits": 4, "type": "float", "group_size": 16}
FLOAT8 = {"num_bits": 8, "type": "float", "strategy": "channel"}


def _spec(base: dict[str, object], **fields: object) -> ModelSpec:
    return read_config({**base, "quantization_config": fields})


def _gigabytes(spec: ModelSpec, weights: Weights | None = None) -> float:
    precision = with_weights(spec.precision, weights) if weights else spec.precision
    return weight_bytes(transformer(spec, precision, registry.formats())) / 1e9


def _share(spec: ModelSpec, category: str, form: str) -> float:
    """Return the share of a category's parameters that is in a format."""
    counts = parameters_by_format(spec)[category]
    return counts.get(form, 0) / sum(counts.values())


def _mlps(layers: int) -> dict[str, object]:
    return {
        f"model.layers.{layer}.mlp.{matrix}_proj": {"quant_algo": "NVFP4", "group_size": 16}
        for layer in range(layers)
        for matrix in ("gate", "up", "down")
    }


@pytest.mark.parametrize(("layers", "gigabytes"), [(36, 104.6), (44, 96.5)])
def test_layers_of_one_kind_may_be_in_two_formats(layers: int, gigabytes: float) -> None:
    spec = _spec(LLAMA_70B, quant_method="modelopt", quant_algo="MIXED_PRECISION", quantized_layers=_mlps(layers))
    assert round(_gigabytes(spec), 1) == gigabytes
    assert _share(spec, "mlp", "nvfp4") == layers / 80


def test_matrices_of_one_layer_may_be_in_two_formats() -> None:
    groups = {
        "down": {"targets": ["re:.*down_proj"], "weights": FLOAT8},
        "others": {"targets": ["re:.*(gate|up)_proj", "re:.*self_attn.*"], "weights": FLOAT4},
    }
    spec = _spec(LLAMA_70B, quant_method="compressed-tensors", config_groups=groups, ignore=["lm_head"])
    assert round(_gigabytes(spec), 1) == 50.9


def test_a_chosen_format_replaces_what_the_checkpoint_says_of_single_matrices() -> None:
    spec = _spec(LLAMA_70B, quant_method="modelopt", quant_algo="MIXED_PRECISION", quantized_layers=_mlps(36))
    plain = read_config(LLAMA_70B)
    assert _gigabytes(spec, Weights(linear="fp8")) == _gigabytes(plain, Weights(linear="fp8"))
    assert _gigabytes(spec, Weights(head="fp8")) < _gigabytes(spec)


@pytest.mark.parametrize(
    ("fields", "gigabytes"),
    [
        pytest.param({}, 18.8, id="throughout"),
        pytest.param({"dynamic": {"-:.*attn.*": {}}}, 29.2, id="attention left out"),
        pytest.param({"dynamic": {"-:.*attn.*": {}}, "group_size": 128}, 28.5, id="in groups of 128"),
    ],
)
def test_gptq_leaves_out_what_a_pattern_with_a_minus_means(fields: dict[str, object], gigabytes: float) -> None:
    assert round(_gigabytes(_spec(QWEN_27B, quant_method="gptq", bits=4, **fields)), 1) == gigabytes


def test_gptq_changes_bits_for_what_a_pattern_with_a_plus_means() -> None:
    rules = {r"+:.*\.down_proj": {"bits": 8}, "-:.*self_attn.*": {}}
    spec = _spec(DENSE, quant_method="gptq", bits=4, group_size=128, dynamic=rules)
    assert parameters_by_format(spec)["attn/mixer"] == {"bf16": 36 * 4096 * (2 * 4096 + 2 * 1024)}
    assert _share(spec, "mlp", "int8-g128z") == pytest.approx(1 / 3)


def test_the_first_pattern_that_fits_decides() -> None:
    rules = {"+:.*mlp.*": {"bits": 8}, "-:.*mlp.*": {}}
    assert _share(_spec(DENSE, quant_method="gptq", bits=4, dynamic=rules), "mlp", "int8") == 1


@pytest.mark.parametrize("nested", [False, True])
def test_gptq_may_list_what_it_quantises(nested: bool) -> None:
    listed = ["self_attn.q_proj", "mlp.down_proj"]
    modules = [[name] for name in listed] if nested else listed
    spec = _spec(DENSE, quant_method="gptq", bits=4, modules_in_block_to_quantize=modules)
    assert _share(spec, "mlp", "int4") == pytest.approx(1 / 3)
    assert _share(spec, "attn/mixer", "int4") == pytest.approx(0.4)


def test_gptq_may_quantise_the_head() -> None:
    spec = _spec(DENSE, quant_method="gptq", bits=4, lm_head=True)
    assert (spec.precision.head, spec.precision.embedding) == ("int4", "bf16")


@pytest.mark.parametrize(
    ("left_out", "layers"), [("model.layers.0.", 1), ("layers.1.", 1), ("model.layers.1", 11), ("mlp", 36)]
)
def test_awq_leaves_out_what_has_a_text_in_its_name(left_out: str, layers: int) -> None:
    spec = _spec(DENSE, quant_method="awq", bits=4, group_size=128, modules_to_not_convert=[left_out])
    assert _share(spec, "mlp", "bf16") == pytest.approx(layers / 36)


@pytest.mark.parametrize(
    ("key", "changed"),
    [
        pytest.param("model.layers.0.mlp.down_proj", 1 / 36 / 3, id="a module's own name"),
        pytest.param(r".*mlp\.down_proj", 1 / 3, id="a regular expression over the whole name"),
        pytest.param(r".*mlp", 0, id="one that ends before the name does"),
    ],
)
def test_auto_round_says_of_modules_what_is_special(key: str, changed: float) -> None:
    spec = _spec(DENSE, quant_method="auto-round", bits=4, group_size=128, extra_config={key: {"bits": 16}})
    assert _share(spec, "mlp", "bf16") == pytest.approx(changed)


def test_auto_round_quantises_named_blocks_only() -> None:
    spec = _spec(DENSE, quant_method="auto-round", bits=4, block_name_to_quantize="model.layers.0,model.layers.1")
    # A name stands for all that start with it: layers 0, 1 and 10 to 19.
    assert _share(spec, "mlp", "int4") == pytest.approx(12 / 36)


@pytest.mark.parametrize(
    ("fields", "bytes_per_weight"),
    [
        pytest.param({"quant_method": "gptq", "bits": 4, "group_size": 128}, 0.5 + 2.5 / 128, id="GPTQ"),
        pytest.param({"quant_method": "gptq", "bits": 8, "group_size": 128}, 1 + 3 / 128, id="GPTQ, 8 bits"),
        pytest.param({"quant_method": "awq", "bits": 4, "group_size": 64}, 0.5 + 2.5 / 64, id="AWQ"),
        pytest.param(
            {"quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": False}, 0.5 + 2 / 128, id="symmetric"
        ),
        pytest.param(
            {"quant_method": "compressed-tensors", "config_groups": {"a": {"weights": {"num_bits": 4, "type": "int"}}}},
            0.5625,
            id="no size stated",
        ),
        pytest.param({"quant_method": "modelopt", "quant_algo": "W4A16_NVFP4"}, 0.5625, id="NVFP4, weights only"),
        pytest.param({"quant_method": "modelopt", "quant_algo": "MXFP8"}, 1.03125, id="MXFP8"),
        pytest.param({"quant_method": "mxfp8"}, 1.03125, id="MXFP8 as a method"),
        pytest.param({"quant_method": "bitsandbytes", "load_in_4bit": True}, 0.5625, id="NF4"),
        pytest.param(
            {"quant_method": "quark", "global_quant_config": {"weight": {"dtype": "fp4", "group_size": 32}}},
            0.53125,
            id="Quark",
        ),
    ],
)
def test_a_weight_takes_the_bytes_of_its_groups(fields: dict[str, object], bytes_per_weight: float) -> None:
    stored = _spec(DENSE, **fields).precision.mlp
    assert stored_as(stored, registry.formats())[1] == pytest.approx(bytes_per_weight)


def test_weights_only_multiply_in_bf16() -> None:
    formats = registry.formats()
    assert formats["nvfp4-w4a16"].peaks == formats["int4"].peaks == ("bf16",)


def test_quark_leaves_out_and_changes_by_pattern() -> None:
    spec = _spec(
        DENSE,
        quant_method="quark",
        global_quant_config={"weight": {"dtype": "fp4", "group_size": 32}},
        layer_quant_config={"*down_proj": {"weight": {"dtype": "fp8_e4m3"}}},
        exclude=["re:.*self_attn.*", "lm_head"],
    )
    assert (spec.precision.attention, spec.precision.mlp) == ("bf16", "mxfp4")
    assert _share(spec, "mlp", "fp8") == pytest.approx(1 / 3)


@pytest.mark.parametrize(("inputs", "stored"), [("fp4", "mxfp4-w4a4"), ("fp8_e4m3", "mxfp4"), (None, "mxfp4")])
def test_quark_says_whether_inputs_are_four_bits_too(inputs: str | None, stored: str) -> None:
    config = {"weight": {"dtype": "fp4", "group_size": 32}}
    if inputs:
        config["input_tensors"] = {"dtype": inputs, "group_size": 32}
    assert _spec(DENSE, quant_method="quark", global_quant_config=config).precision.mlp == stored


@pytest.mark.parametrize("scheme", ["FP8", "fp8", {"num_bits": 8, "type": "float"}])
def test_a_cache_scheme_may_be_a_text(scheme: object) -> None:
    assert _spec(DENSE, quant_method="modelopt", quant_algo="NVFP4", kv_cache_scheme=scheme).precision.kv == "fp8"


def test_a_statement_may_be_of_the_cache_alone() -> None:
    precision = _spec(DENSE, quant_algo=None, kv_cache_quant_algo="FP8").precision
    assert (precision.mlp, precision.kv) == ("bf16", "fp8")


def test_a_companion_completes_what_the_config_says() -> None:
    beside = {"quantization": {"quant_algo": "FP8", "kv_cache_quant_algo": "FP8", "exclude_modules": ["lm_head"]}}
    spec = read_config({**LLAMA_70B, "hf_quant_config": beside})
    assert (spec.precision.mlp, spec.precision.kv, spec.assumptions) == ("fp8", "fp8", ())
    own = {"quant_method": "modelopt", "quant_algo": "NVFP4", "ignore": ["*self_attn*"]}
    both = read_config({**LLAMA_70B, "quantization_config": own, "hf_quant_config": beside}).precision
    assert (both.mlp, both.attention, both.kv) == ("nvfp4", "bf16", "fp8")


def test_a_config_without_any_quantisation_says_that_none_is_stated() -> None:
    assert read_config(LLAMA_70B).assumptions == ("unquantised",)


@pytest.mark.parametrize("experts", [1, 127])
def test_some_of_a_layers_experts_are_refused_by_name(experts: int) -> None:
    names = {f"model.layers.3.mlp.experts.{one}.up_proj": {"quant_algo": "FP8"} for one in range(experts)}
    with pytest.raises(ConfigError, match=rf"quantized_layers: names {experts} of 128 experts of layer 3"):
        _spec(MOE, quant_method="modelopt", quant_algo="MIXED_PRECISION", quantized_layers=names)


def test_experts_listed_one_by_one_are_all_of_a_layers_experts() -> None:
    names = {
        f"model.layers.{layer}.mlp.experts.{one}.{matrix}_proj": {"quant_algo": "FP8"}
        for layer in range(18)
        for one in range(128)
        for matrix in ("gate", "up", "down")
    }
    spec = _spec(MOE, quant_method="modelopt", quant_algo="MIXED_PRECISION", quantized_layers=names)
    assert _share(spec, "routed_experts", "fp8") == 0.5


def test_a_parent_stands_for_all_below_it_where_a_dialect_says_so() -> None:
    left_out = ["model.layers.0.mlp.experts.0", "model.layers.1.self_attn"]
    fp8 = _spec(MOE, quant_method="fp8", ignored_layers=left_out[1:])
    assert _share(fp8, "attn/mixer", "bf16") == pytest.approx(1 / 36)
    # llm-compressor lists parents whose own linear layers are quantised.
    groups = {"all": {"targets": ["Linear"], "weights": FLOAT8}}
    compressed = _spec(MOE, quant_method="compressed-tensors", config_groups=groups, ignore=left_out)
    assert _share(compressed, "routed_experts", "fp8") == _share(compressed, "attn/mixer", "fp8") == 1


@pytest.mark.parametrize(
    ("pattern", "layers"), [("model.layers.1*", 11), ("model.layers.1.*", 1), ("model.layers.0*", 1)]
)
def test_a_star_after_a_number_takes_what_starts_so(pattern: str, layers: int) -> None:
    spec = _spec(DENSE, quant_method="modelopt", quant_algo="NVFP4", exclude_modules=[pattern])
    assert _share(spec, "mlp", "bf16") == pytest.approx(layers / 36)


def test_a_next_token_layer_may_be_left_out() -> None:
    base = {**LATENT, "num_nextn_predict_layers": 1}
    for pattern in ("model.layers.61*", "mtp*"):
        spec = _spec(base, quant_method="modelopt", quant_algo="NVFP4", exclude_modules=[pattern])
        assert spec.precision.next_token is not None
        assert (spec.precision.experts, spec.precision.next_token.experts) == ("nvfp4", "bf16")


@pytest.mark.parametrize(
    ("pattern", "kept"),
    [
        (r"re:^(?!.*mlp\.).*", "attention"),
        (r"re:.*layers\.\d+\.mlp\.(gate_proj|up_proj|down_proj)$", "mlp"),
        (r"re:.*\.[qkvo]_proj", "attention"),
    ],
)
def test_regular_expressions_of_checkpoints_are_understood(pattern: str, kept: str) -> None:
    precision = _spec(DENSE, quant_method="fp8", ignore=[pattern]).precision
    assert {name: getattr(precision, name) for name in ("attention", "mlp")} == {
        "attention": "bf16" if kept == "attention" else "fp8",
        "mlp": "bf16" if kept == "mlp" else "fp8",
    }


@pytest.mark.parametrize("pattern", ["model.layers.[0-3].*", "re:(?<=a)b", "model.layers.?.mlp*"])
def test_a_pattern_that_is_not_understood_is_refused_by_name(pattern: str) -> None:
    with pytest.raises(ConfigError, match=r"ignore: pattern .* is not understood"):
        _spec(DENSE, quant_method="fp8", ignore=[pattern])


def test_gemma_4s_experts_do_not_lie_in_its_dense_block() -> None:
    gemma: dict[str, object] = {
        **DENSE,
        "model_type": "gemma4_text",
        "layer_types": ["full_attention"] * 36,
        "global_head_dim": 128,
        "enable_moe_block": True,
        "num_experts": 128,
        "top_k_experts": 8,
        "moe_intermediate_size": 704,
    }
    spec = _spec(
        gemma, quant_method="modelopt", quant_algo="NVFP4", exclude_modules=["model.language_model.layers.*.mlp*"]
    )
    assert (spec.precision.experts, spec.precision.mlp) == ("nvfp4", "bf16")


@pytest.mark.parametrize("block", [None, [128, 128], "128x128"])
def test_blocks_of_128_may_be_written_in_three_ways(block: object) -> None:
    weights = {"num_bits": 8, "type": "float", "strategy": "block", "block_structure": block}
    spec = _spec(DENSE, quant_method="compressed-tensors", config_groups={"a": {"weights": weights}})
    assert spec.precision.mlp == "fp8-block"


def test_other_blocks_are_refused_by_name() -> None:
    weights = {"num_bits": 8, "type": "float", "strategy": "block", "block_structure": [64, 64]}
    with pytest.raises(ConfigError, match="block_structure: a list is not modelled"):
        _spec(DENSE, quant_method="compressed-tensors", config_groups={"a": {"weights": weights}})
