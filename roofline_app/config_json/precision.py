"""Number formats of a checkpoint: quantization_config and its relatives, by part of the model.

A part takes the format of most of its matrices: checkpoints that leave a few layers of a part in bf16 are not told
apart from those that leave none. Embedding and head are never quantised by these schemes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from roofline_app.config_json.fields import Fields, shown
from roofline_app.dimensions import (
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
from roofline_app.specs import Precision

UNQUANTISED = {"bfloat16": "bf16", "float16": "bf16", "float32": "fp32"}
_PREFIXES = ("model.layers", "model.language_model.layers", "language_model.model.layers", "backbone.layers")
_MOST_PATTERNS = 20_000
# Regular expressions are limited to what checkpoints use, so that none can take for ever.
_SIMPLE_REGEX = re.compile(r"\^?(?:\\\.|\.\*|\.|[\w-]+|\((?:\?:)?[\w|]+\)|\[0-9\]\+|\\d\+)*\$?")
_MOST_STARS = 5
Format = Callable[[str], str]


def _regex(pattern: str, fields: Fields, name: str) -> str:
    """Return a pattern of modules as a regular expression over a dotted name."""
    if pattern.startswith("re:"):
        body = pattern[3:]
        wild = body.count("*") + body.count("+")
        if wild > _MOST_STARS or not _SIMPLE_REGEX.fullmatch(body):
            fields.refuse(name, f"pattern {shown(pattern)} is not understood")
        return body
    if pattern.count("*") > _MOST_STARS:
        fields.refuse(name, f"pattern {shown(pattern)} is not understood")
    # A plain name stands for itself and all below it, wherever it starts; a star for any characters.
    body = ".*".join(re.escape(piece) for piece in pattern.removesuffix("*").split("*"))
    return rf"(?:.*\.)?{body}" + (r".*" if pattern.endswith("*") else r"(?:\..*)?$")


def _matcher(patterns: Iterable[str], fields: Fields, name: str) -> re.Pattern[str]:
    found = [_regex(pattern, fields, name) for pattern in dict.fromkeys(patterns)]
    if len(found) > _MOST_PATTERNS:
        fields.refuse(name, f"{len(found)} patterns are more than {_MOST_PATTERNS}")
    return re.compile("|".join(f"(?:{body})" for body in found) or r"(?!)")


def _modules(index: int, layer: LayerGroup) -> list[tuple[str, str]]:
    """Return the part and the name of matrices that stand for all of one layer."""
    found: list[tuple[str, str]] = []
    match layer.mixer:
        case Attention() | LatentAttention() | CompressedAttention():
            found += [("attention", f"{index}.self_attn.{matrix}_proj") for matrix in ("q", "k", "v", "o")]
        case DeltaNet():
            found += [("recurrent", f"{index}.linear_attn.{matrix}") for matrix in ("in_proj_qkv", "out_proj")]
        case Mamba2():
            found += [("recurrent", f"{index}.mixer.{matrix}_proj") for matrix in ("in", "out")]
        case Lightning():
            found += [("recurrent", f"{index}.self_attn.{matrix}") for matrix in ("qkv_proj", "out_proj")]
        case None:
            pass
    block = layer.feed_forward
    if isinstance(block, Moe):
        found += [("experts", f"{index}.mlp.experts.0.{matrix}_proj") for matrix in ("up", "down")]
        if block.shared_size:
            found += [("shared", f"{index}.mlp.shared_experts.{matrix}_proj") for matrix in ("up", "down")]
    if isinstance(block, Dense) or (isinstance(block, Moe) and block.dense):
        found += [("mlp", f"{index}.mlp.{matrix}_proj") for matrix in ("gate", "up", "down")]
    return found


def _spellings(name: str) -> list[str]:
    """Return the full names that checkpoints give one matrix."""
    names = [f"{prefix}.{name}" for prefix in _PREFIXES]
    swaps = (("shared_experts", "shared_expert"), (".mlp.", ".block_sparse_moe."), (".mlp.", ".mixer."))
    swaps += ((".self_attn.", ".attention."), (".self_attn.", ".attn."), (".self_attn.", ".mixer."))
    for old, new in swaps:
        names += [spelled.replace(old, new) for spelled in names if old in spelled]
    return names


def _by_part(layers: Sequence[LayerGroup], format_of: Format, plain: Precision) -> Precision:
    votes: dict[str, dict[str, int]] = {}
    for index, layer in enumerate(layers):
        for part, name in _modules(index, layer):
            count = votes.setdefault(part, {})
            stored = format_of(name)
            count[stored] = count.get(stored, 0) + 1
    winners = {part: max(count, key=lambda stored: count[stored]) for part, count in votes.items()}
    return replace(plain, **winners)


def _excluding(stored: str, plain: str, ignored: re.Pattern[str]) -> Format:
    return lambda name: plain if any(ignored.match(spelled) for spelled in _spellings(name)) else stored


def _number_format(weights: Fields) -> str:
    """Return the format of a compressed-tensors description of weights."""
    bits, kind = weights.count("num_bits"), weights.text("type")
    match kind, bits:
        case "int", 4:
            return "int4"
        case "int", 8:
            return "int8"
        case "float", 8:
            return "fp8-block" if weights.raw("strategy") == "block" else "fp8"
        case "float", 4:
            return "mxfp4" if weights.count("group_size", default=16) == 32 else "nvfp4"
        case _:
            return weights.refuse("num_bits", f"{bits}-bit {shown(kind)} weights are not modelled")


def _groups(fields: Fields, layers: Sequence[LayerGroup], plain: Precision, ignored: re.Pattern[str]) -> Precision:
    groups = fields.table("config_groups")
    rules: list[tuple[re.Pattern[str] | None, str]] = []
    for name in groups.names():
        group = groups.table(name)
        stored = _number_format(group.table("weights"))
        targets = group.texts("targets")
        everything = not targets or "Linear" in targets
        rules.append((None if everything else _matcher(targets, group, "targets"), stored))
    if not rules:
        fields.refuse("config_groups", "missing")

    def format_of(name: str) -> str:
        spelled = _spellings(name)
        if any(ignored.match(one) for one in spelled):
            return plain.attention
        for target, stored in rules:
            if target is None or any(target.match(one) for one in spelled):
                return stored
        return plain.attention

    return _by_part(layers, format_of, plain)


_MODELOPT = {"NVFP4": "nvfp4", "FP8": "fp8", "FP8_PB_WO": "fp8-block", "MXFP4": "mxfp4", "W4A16_AWQ": "int4"}
_MODELOPT |= {"W4A16": "int4", "W4A8_AWQ": "int4", "W8A16": "int8", "W8A8_SQ_PER_CHANNEL": "int8", "NVFP4_AWQ": "nvfp4"}


def _modelopt(fields: Fields, layers: Sequence[LayerGroup], plain: Precision, ignored: re.Pattern[str]) -> Precision:
    algorithm = fields.text("quant_algo").upper()
    if algorithm == "MIXED_PRECISION":
        return _mixed(fields, layers, plain)
    if algorithm not in _MODELOPT:
        fields.refuse("quant_algo", f"{shown(algorithm)} is not modelled")
    return _by_part(layers, _excluding(_MODELOPT[algorithm], plain.attention, ignored), plain)


def _mixed(fields: Fields, layers: Sequence[LayerGroup], plain: Precision) -> Precision:
    table = fields.table("quantized_layers")
    formats: dict[str, str] = {}
    for name in table.names():
        algorithm = table.table(name).text("quant_algo").upper()
        if algorithm not in _MODELOPT:
            table.table(name).refuse("quant_algo", f"{shown(algorithm)} is not modelled")
        formats[name] = _MODELOPT[algorithm]
    if not formats:
        fields.refuse("quantized_layers", "missing")

    def format_of(name: str) -> str:
        return next((formats[one] for one in _spellings(name) if one in formats), plain.attention)

    return _by_part(layers, format_of, plain)


def _fp8(fields: Fields, layers: Sequence[LayerGroup], plain: Precision, ignored: re.Pattern[str]) -> Precision:
    block = fields.counts("weight_block_size")
    if block and block != [128, 128]:
        fields.refuse("weight_block_size", f"{block[0]} × {block[-1]} is not modelled, only 128 × 128")
    return _by_part(layers, _excluding("fp8-block" if block else "fp8", plain.attention, ignored), plain)


def _cache(fields: Fields, plain: str) -> str:
    scheme = fields.raw("kv_cache_scheme")
    algorithm = fields.raw("kv_cache_quant_algo")
    if isinstance(algorithm, str) and algorithm:
        known = {"FP8": "fp8", "NVFP4": "nvfp4", "INT8": "int8", "NONE": plain}
        if algorithm.upper() not in known:
            fields.refuse("kv_cache_quant_algo", f"{shown(algorithm)} is not modelled")
        return known[algorithm.upper()]
    if scheme is None:
        return plain
    cache = fields.table("kv_cache_scheme")
    stored = _number_format(cache)
    return "fp8" if stored == "fp8-block" else stored


def _quantised(fields: Fields, layers: Sequence[LayerGroup], plain: Precision) -> Precision:
    ignore_name = fields.one_of("ignore", "modules_to_not_convert", "exclude_modules", "ignored_layers")
    ignored = _matcher(fields.texts(ignore_name), fields, ignore_name)
    method = fields.text("quant_method", default="modelopt" if fields.has("quant_algo") else None).lower()
    match method:
        case "fp8" | "fbgemm_fp8":
            return _fp8(fields, layers, plain, ignored)
        case "mxfp4":
            return replace(plain, experts="mxfp4")
        case "compressed-tensors":
            return _groups(fields, layers, plain, ignored)
        case "modelopt" | "modelopt_fp4":
            return _modelopt(fields, layers, plain, ignored)
        case "awq" | "gptq" | "auto-round":
            bits = fields.count("bits")
            if bits not in {4, 8}:
                fields.refuse("bits", f"{bits} is not modelled")
            return _by_part(layers, _excluding(f"int{bits}", plain.attention, ignored), plain)
        case _:
            return fields.refuse("quant_method", f"{shown(method)} is not modelled")


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
    name = fields.one_of("dtype", "torch_dtype")
    stated = fields.text(name, default="bfloat16")
    if stated not in UNQUANTISED:
        fields.refuse(name, f"{shown(stated)} is not modelled")
    form = UNQUANTISED[stated]
    native = any(isinstance(layer.mixer, CompressedAttention) for layer in layers)
    kv = "fp8" if native else "bf16"
    plain = Precision(
        experts=form, attention=form, recurrent=form, mlp=form, shared=form, head=form, kv=kv, state="fp32"
    )
    if quantisation:
        inner = quantisation.table("quantization") if quantisation.has("quantization") else quantisation
        plain = replace(_quantised(inner, layers, plain), kv=_cache(inner, kv))
    expert_format = fields.text("expert_dtype", default="")
    if expert_format:
        if expert_format != "fp4":
            fields.refuse("expert_dtype", f"{shown(expert_format)} is not modelled")
        plain = replace(plain, experts="mxfp4")
    return plain
