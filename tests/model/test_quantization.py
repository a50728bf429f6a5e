"""The number formats that a config.json states, by part of the model."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hostile_configs import COMPRESSED, DENSE, HYBRID, LATENT, LETTERS, LIGHTNING, MOE

from roofline_app.model.config_json import ConfigError, read_config
from roofline_app.specs import Precision


def _quantised(base: dict[str, object], **fields: object) -> Precision:
    return read_config({**base, "quantization_config": fields}).precision


def _group(**weights: object) -> dict[str, object]:
    return {"group_0": {"targets": ["Linear"], "weights": weights}}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        pytest.param({"quant_method": "fp8"}, "fp8", id="one scale per tensor"),
        pytest.param({"quant_method": "fp8", "weight_block_size": [128, 128]}, "fp8-block", id="blocks"),
        pytest.param({"quant_method": "awq", "bits": 4}, "int4", id="AWQ"),
        pytest.param({"quant_method": "gptq", "bits": 8}, "int8", id="GPTQ in 8 bits"),
        pytest.param({"quant_method": "modelopt", "quant_algo": "NVFP4"}, "nvfp4", id="NVFP4"),
        pytest.param({"quant_method": "modelopt", "quant_algo": "FP8"}, "fp8", id="ModelOpt FP8"),
        pytest.param({"producer": {}, "quantization": {"quant_algo": "NVFP4"}}, "nvfp4", id="hf_quant_config"),
        pytest.param(
            {"quant_method": "compressed-tensors", "config_groups": _group(num_bits=4, type="int", group_size=32)},
            "int4",
            id="int4 groups",
        ),
        pytest.param(
            {"quant_method": "compressed-tensors", "config_groups": _group(num_bits=8, type="int")}, "int8", id="int8"
        ),
        pytest.param(
            {"quant_method": "compressed-tensors", "config_groups": _group(num_bits=8, type="float", strategy="block")},
            "fp8-block",
            id="fp8 blocks in groups",
        ),
        pytest.param(
            {"quant_method": "compressed-tensors", "config_groups": _group(num_bits=4, type="float", group_size=32)},
            "mxfp4",
            id="mxfp4 groups",
        ),
    ],
)
def test_a_scheme_means_one_format_for_all_linear_layers(fields: dict[str, object], expected: str) -> None:
    precision = _quantised(LATENT, **fields)
    assert {precision.experts, precision.attention, precision.mlp, precision.shared} == {expected}
    assert (precision.head, precision.kv) == ("bf16", "bf16")


@pytest.mark.parametrize(
    ("ignored", "kept"),
    [
        pytest.param(["lm_head"], set(), id="the head, which is never quantised"),
        pytest.param(["model.layers.*.self_attn*"], {"attention"}, id="stars"),
        pytest.param([f"model.layers.{layer}.self_attn" for layer in range(36)], {"attention"}, id="each layer"),
        pytest.param([f"model.layers.{layer}.self_attn*" for layer in range(36)], {"attention"}, id="each, with stars"),
        pytest.param([f"model.layers.{layer}.self_attn" for layer in range(9)], set(), id="a quarter of the layers"),
        pytest.param(["re:.*self_attn.*"], {"attention"}, id="a regular expression"),
        pytest.param(["gate"], set(), id="the router, not the gate projection"),
        pytest.param(["re:.*mlp.*"], {"experts"}, id="feed-forward"),
    ],
)
def test_ignored_modules_stay_in_bf16(ignored: list[str], kept: set[str]) -> None:
    precision = _quantised(MOE, quant_method="fp8", modules_to_not_convert=ignored)
    experts, attention = ("bf16" if part in kept else "fp8" for part in ("experts", "attention"))
    assert replace(precision, layers=()) == Precision(experts=experts, attention=attention)


def test_groups_may_target_parts_of_a_model() -> None:
    groups = {
        "attention": {"targets": ["re:.*self_attn.*"], "weights": {"num_bits": 8, "type": "float"}},
        "experts": {"targets": ["re:.*experts.*"], "weights": {"num_bits": 4, "type": "float", "group_size": 16}},
    }
    precision = _quantised(MOE, quant_method="compressed-tensors", config_groups=groups)
    assert (precision.attention, precision.experts) == ("fp8", "nvfp4")


def test_mixed_precision_lists_a_format_for_each_module() -> None:
    layers = {
        f"model.layers.{layer}.self_attn.{matrix}_proj": {"quant_algo": "FP8"}
        for layer in range(36)
        for matrix in "qkvo"
    }
    precision = _quantised(DENSE, quant_method="modelopt", quant_algo="MIXED_PRECISION", quantized_layers=layers)
    assert (precision.attention, precision.mlp) == ("fp8", "bf16")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        pytest.param({"kv_cache_scheme": {"num_bits": 8, "type": "float"}}, "fp8", id="a scheme"),
        pytest.param({"kv_cache_quant_algo": "FP8"}, "fp8", id="an algorithm"),
        pytest.param({"kv_cache_quant_algo": None}, "bf16", id="none"),
    ],
)
def test_the_cache_has_the_format_that_the_config_states(fields: dict[str, object], expected: str) -> None:
    assert _quantised(DENSE, quant_method="modelopt", quant_algo="NVFP4", **fields).kv == expected


def test_a_thousand_patterns_over_a_hundred_layers_read_quickly_enough_to_be_typed() -> None:
    ignored = [f"model.layers.{layer}.{part}*" for layer in range(94) for part in ("self_attn", "mlp.gate", "a", "b")]
    config = {**MOE, "num_hidden_layers": 94, "quantization_config": {"quant_method": "fp8", "ignore": ignored}}
    assert read_config(config).precision.attention == "bf16"


@pytest.mark.parametrize(
    ("base", "ignored"),
    [
        pytest.param(HYBRID, "model.language_model.layers.*.linear_attn*", id="gated DeltaNet"),
        pytest.param(LETTERS, "backbone.layers.0.mixer", id="Mamba-2"),
        pytest.param(LIGHTNING, "model.layers.{linear}.self_attn", id="lightning attention"),
    ],
)
def test_recurrent_layers_are_a_part_of_their_own(base: dict[str, object], ignored: str) -> None:
    assert _quantised(base, quant_method="fp8").recurrent == "fp8"
    linear = [layer for layer in range(80) if layer % 8 != 7]
    kept = _quantised(base, quant_method="fp8", ignore=[ignored.format(linear=layer) for layer in linear])
    assert (kept.recurrent, kept.attention) == ("bf16", "fp8")


@pytest.mark.parametrize(
    "ignored",
    [
        pytest.param([f"a{number}*" for number in range(300)], id="for every layer"),
        pytest.param(
            [f"model.layers.{layer}.a{number}*" for layer in range(36) for number in range(99)], id="for each"
        ),
        pytest.param([f"re:.*layers.(1|2).a{number}" for number in range(9)], id="for some"),
    ],
)
def test_more_wildcards_than_any_checkpoint_has_are_refused(ignored: list[str]) -> None:
    with pytest.raises(ConfigError, match=r"ignore: .* more than"):
        _quantised(DENSE, quant_method="fp8", ignore=ignored)


@pytest.mark.parametrize(
    ("pattern", "kept"),
    [
        (r"re:.*mlp\.(gate|up|gate_up|down)_proj", True),
        (r"re:^model\.layers\.[0-9]+\.mlp.*", True),
        (r"re:.*mlp\.(?:up|gate|down)_proj$", True),
        (r"re:.*layers\.(1|2)\..*", False),
        (r"re:.*self_attn\.\d+", False),
        (r"re:.*mlp", True),
        (r"re:mlp", False),
        (r"re:model.layers.0.mlp", False),
    ],
)
def test_regular_expressions_match_from_the_start_of_a_name(pattern: str, kept: bool) -> None:
    assert (_quantised(DENSE, quant_method="fp8", ignore=[pattern]).mlp == "bf16") is kept


def test_a_pattern_made_to_take_for_ever_does_not() -> None:
    doubled = "".join(rf"({letter}|{letter})" if letter.isalpha() else r"\." for letter in "model.layers")
    for pattern in (f"re:{doubled}x", "re:" + ".*a" * 500 + "x", "a*" * 5000):
        assert _quantised(DENSE, quant_method="fp8", ignore=[pattern]).mlp == "fp8"


def test_mixed_precision_without_modules_is_refused() -> None:
    with pytest.raises(ConfigError, match="quantized_layers: missing"):
        _quantised(DENSE, quant_method="modelopt", quant_algo="MIXED_PRECISION")


@pytest.mark.parametrize("weights", [{"num_bits": 3, "type": "int"}, {"num_bits": 16, "type": "float"}])
def test_numbers_of_odd_size_are_refused(weights: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="num_bits"):
        _quantised(DENSE, quant_method="compressed-tensors", config_groups={"group_0": {"weights": weights}})


def test_a_converted_deepseek_v4_says_itself_what_its_experts_are_in() -> None:
    # The groups of a public NVFP4 and FP8 conversion, which keeps the original's expert_dtype.
    groups = {
        "group_0": {
            "targets": [r"re:.*attn.*(fused_wqa_wkv|wq_b|wo_a|wo_b)$"],
            "weights": {"num_bits": 8, "type": "float", "strategy": "block"},
        },
        "group_1": {
            "targets": [r"re:.*ffn.*(gate|up|down)_proj$"],
            "weights": {"num_bits": 4, "type": "float", "group_size": 16},
        },
    }
    precision = _quantised(COMPRESSED, quant_method="compressed-tensors", config_groups=groups)
    assert (precision.attention, precision.experts, precision.shared) == ("fp8-block", "nvfp4", "nvfp4")
    assert (precision.kv, precision.head) == ("fp8", "bf16")
