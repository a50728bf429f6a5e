"""Number formats of a checkpoint: quantization_config and its relatives, by part of the model.

A part takes the format of most of its matrices: checkpoints that leave a few layers of a part in bf16 are not told
apart from those that leave none. Embedding and head are never quantised by these schemes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from roofline_app.model.config_json.fields import Fields, shown
from roofline_app.model.config_json.module_patterns import Patterns, matrices, spellings
from roofline_app.model.dimensions import CompressedAttention, LayerGroup
from roofline_app.specs import Precision

UNQUANTISED = {"bfloat16": "bf16", "float16": "bf16", "float32": "fp32"}
_MODELOPT = {
    "NVFP4": "nvfp4",
    "NVFP4_AWQ": "nvfp4",
    "MXFP4": "mxfp4",
    "FP8": "fp8",
    "FP8_PB_WO": "fp8-block",
    "W4A16": "int4",
    "W4A16_AWQ": "int4",
    "W4A8_AWQ": "int4",
    "W8A16": "int8",
    "W8A8_SQ_PER_CHANNEL": "int8",
}
_BLOCK = [128, 128]
FormatOf = Callable[[int, str], str]


def _by_part(layers: Sequence[LayerGroup], format_of: FormatOf, plain: Precision) -> Precision:
    votes: dict[str, Counter[str]] = {}
    for index, layer in enumerate(layers):
        for part, name in matrices(layer):
            votes.setdefault(part, Counter())[format_of(index, name)] += 1
    return replace(plain, **{part: count.most_common(1)[0][0] for part, count in votes.items()})


def _four_bit_float(weights: Fields) -> str:
    sizes = {16: "nvfp4", 32: "mxfp4"}
    size = weights.count("group_size")
    if size not in sizes:
        weights.refuse("group_size", f"4-bit floats in groups of {size} are not modelled")
    return sizes[size]


def _number_format(weights: Fields) -> str:
    """Return the format that compressed-tensors' description of numbers means."""
    bits, kind = weights.count("num_bits"), weights.text("type")
    match kind, bits:
        case "int", 4 | 8:
            return f"int{bits}"
        case "float", 8:
            return "fp8-block" if weights.raw("strategy") == "block" else "fp8"
        case "float", 4:
            return _four_bit_float(weights)
        case _:
            return weights.refuse("num_bits", f"{bits}-bit {shown(kind)} numbers are not modelled")


def _groups(fields: Fields, ignored: Patterns, plain: str) -> FormatOf:
    """compressed-tensors: groups of modules, each with its numbers."""
    groups = fields.table("config_groups")
    rules: list[tuple[Patterns | None, str]] = []
    for name in groups.names():
        group = groups.table(name)
        targets = group.texts("targets")
        everything = not targets or "Linear" in targets
        stored = _number_format(group.table("weights"))
        rules.append((None if everything else Patterns(targets, group, "targets"), stored))
    if not rules:
        fields.refuse("config_groups", "missing")

    def format_of(layer: int, name: str) -> str:
        if ignored.match(layer, name):
            return plain
        meant = (stored for targets, stored in rules if targets is None or targets.match(layer, name))
        return next(meant, plain)

    return format_of


def _modelopt_format(fields: Fields) -> str:
    algorithm = fields.text("quant_algo").upper()
    if algorithm not in _MODELOPT:
        fields.refuse("quant_algo", f"{shown(algorithm)} is not modelled")
    return _MODELOPT[algorithm]


def _by_name(fields: Fields, plain: str) -> FormatOf:
    """ModelOpt's mixed precision: a format for each module that is quantised."""
    table = fields.table("quantized_layers")
    formats = {name: _modelopt_format(table.table(name)) for name in table.names()}
    if not formats:
        fields.refuse("quantized_layers", "missing")
    return lambda layer, name: next((formats[one] for one in spellings(f"{layer}.{name}") if one in formats), plain)


def _fp8(fields: Fields) -> str:
    block = fields.counts("weight_block_size")
    if block and block != _BLOCK:
        fields.refuse("weight_block_size", f"{block[0]} × {block[-1]} is not modelled, only 128 × 128")
    return "fp8-block" if block else "fp8"


def _integers(fields: Fields) -> str:
    bits = fields.count("bits")
    if bits not in {4, 8}:
        fields.refuse("bits", f"{bits}-bit weights are not modelled")
    return f"int{bits}"


def _quantised(fields: Fields, layers: Sequence[LayerGroup], plain: Precision) -> Precision:
    ignore_name = fields.one_of("ignore", "modules_to_not_convert", "exclude_modules", "ignored_layers")
    ignored = Patterns(fields.texts(ignore_name), fields, ignore_name)
    method = fields.text("quant_method", default="modelopt" if fields.has("quant_algo") else None).lower()
    match method:
        case "mxfp4":
            # gpt-oss: the method converts experts only.
            return replace(plain, experts="mxfp4")
        case "compressed-tensors":
            return _by_part(layers, _groups(fields, ignored, plain.attention), plain)
        case "fp8" | "fbgemm_fp8":
            stored = _fp8(fields)
        case "awq" | "gptq" | "auto-round":
            stored = _integers(fields)
        case "modelopt" | "modelopt_fp4":
            if fields.text("quant_algo").upper() == "MIXED_PRECISION":
                return _by_part(layers, _by_name(fields, plain.attention), plain)
            stored = _modelopt_format(fields)
        case _:
            fields.refuse("quant_method", f"{shown(method)} is not modelled")
    kept = plain.attention
    return _by_part(layers, lambda layer, name: kept if ignored.match(layer, name) else stored, plain)


def _cache(fields: Fields, plain: str) -> str:
    """Return the cache's format, which a scheme or an algorithm's name may state."""
    algorithm = fields.text("kv_cache_quant_algo", default="").upper()
    known = {"": plain, "NONE": plain, "FP8": "fp8", "NVFP4": "nvfp4", "INT8": "int8"}
    if algorithm not in known:
        fields.refuse("kv_cache_quant_algo", f"{shown(algorithm)} is not modelled")
    if not fields.has("kv_cache_scheme"):
        return known[algorithm]
    stored = _number_format(fields.table("kv_cache_scheme"))
    # A cache has no blocks of weights.
    return "fp8" if stored == "fp8-block" else stored


def _unquantised(fields: Fields, layers: Sequence[LayerGroup]) -> Precision:
    name = fields.one_of("dtype", "torch_dtype")
    stated = fields.text(name, default="bfloat16")
    if stated not in UNQUANTISED:
        fields.refuse(name, f"{shown(stated)} is not modelled")
    form = UNQUANTISED[stated]
    native = any(isinstance(layer.mixer, CompressedAttention) for layer in layers)
    kv = "fp8" if native else "bf16"
    return Precision(experts=form, attention=form, recurrent=form, mlp=form, shared=form, head=form, kv=kv)


def read_precision(fields: Fields, quantisation: Fields | None, layers: Sequence[LayerGroup]) -> Precision:
    """Return the number formats that a config states.

    Args:
        fields: The text model's fields.
        quantisation: Fields of its quantization_config or hf_quant_config; None where there is none.
        layers: The model's layers, in order.

    Returns:
        Formats by part; bf16 for what nothing states. DeepSeek-V4's cache is fp8 by design.

    Raises:
        ConfigError: When a scheme is not modelled.
    """
    precision = _unquantised(fields, layers)
    if quantisation:
        inner = quantisation.table("quantization") if quantisation.has("quantization") else quantisation
        precision = replace(_quantised(inner, layers, precision), kv=_cache(inner, precision.kv))
        if inner.has("config_groups", "quant_algo"):
            # A later conversion says itself what the experts are in; `expert_dtype` is the original's.
            fields.raw("expert_dtype")
            return precision
    expert_format = fields.text("expert_dtype", default="")
    if expert_format not in {"", "fp4"}:
        fields.refuse("expert_dtype", f"{shown(expert_format)} is not modelled")
    return replace(precision, experts="mxfp4") if expert_format else precision
