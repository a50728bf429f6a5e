"""Number formats as the dialects of quantisation statements describe them."""

from __future__ import annotations

from roofline_app.model.config_json.fields import Fields
from roofline_app.model.config_json.refusals import shown
from roofline_app.specs import grouped_integers

UNQUANTISED = {"bfloat16": "bf16", "float16": "bf16", "float32": "fp32"}
MODELOPT = {
    "NVFP4": "nvfp4",
    "NVFP4_AWQ": "nvfp4",
    "W4A16_NVFP4": "nvfp4-w4a16",
    "MXFP4": "mxfp4",
    "MXFP8": "mxfp8",
    "FP8": "fp8",
    "FP8_PER_CHANNEL_PER_TOKEN": "fp8",
    "FP8_PB_WO": "fp8-block",
    "FP8_PB_REAL": "fp8-block",
    "W4A16": "int4",
    "W4A16_AWQ": "int4",
    "W4A8_AWQ": "int4",
    "W8A16": "int8",
    "W8A8_SQ_PER_CHANNEL": "int8",
}
_BLOCK = [128, 128]
_MICROSCALED_BLOCK = [1, 32]
_BITS = frozenset({4, 8})
_FLOAT_GROUPS = {16: "nvfp4", 32: "mxfp4"}


def integers(bits: int, fields: Fields, *, whole: int, zero_points: bool) -> str:
    """Return the format of integers in the groups that `group_size` states; -1 makes a row of `whole` values a group.

    Args:
        bits: 4 or 8.
        fields: Where the group size stands.
        whole: Values of a row, roughly.
        zero_points: Whether each group stores one.

    Raises:
        ConfigError: When the group size is no whole number.
    """
    if not fields.has("group_size"):
        return f"int{bits}"
    size = fields.count("group_size", least=-1)
    if size == 0:
        fields.refuse("group_size", "0 is neither a size nor -1 for a whole row")
    return grouped_integers(bits, whole if size < 0 else size, zero_points=zero_points)


def packed_integers(fields: Fields, *, whole: int, zero_points: bool) -> str:
    """Return the format that GPTQ, AWQ and AutoRound state by `bits` and `group_size`."""
    bits = fields.count("bits")
    if bits not in _BITS:
        fields.refuse("bits", f"{bits}-bit weights are not modelled, only 4 and 8")
    return integers(bits, fields, whole=whole, zero_points=zero_points)


def fp8(fields: Fields) -> str:
    """Return the format of an fp8 checkpoint, by its blocks."""
    block = fields.counts("weight_block_size")
    if block == _MICROSCALED_BLOCK:
        return "mxfp8"
    if block and block != _BLOCK:
        fields.refuse("weight_block_size", f"{block[0]} × {block[-1]} is not modelled, only 128 × 128 and 1 × 32")
    return "fp8-block" if block else "fp8"


def modelopt(fields: Fields) -> str:
    """Return the format that a ModelOpt algorithm stores weights in."""
    algorithm = fields.text("quant_algo").upper()
    if algorithm not in MODELOPT:
        fields.refuse("quant_algo", f"{shown(algorithm)} is not modelled")
    return MODELOPT[algorithm]


def _eight_bit_float(weights: Fields) -> str:
    if weights.raw("strategy") != "block":
        return "fp8"
    # Older files write the block as a text.
    if weights.raw("block_structure") not in (None, _BLOCK, tuple(_BLOCK), "128x128"):
        weights.refuse("block_structure", f"{shown(weights.raw('block_structure'))} is not modelled, only 128 × 128")
    return "fp8-block"


def compressed(weights: Fields, *, whole: int, weights_only: bool = False) -> str:
    """Return the format that compressed-tensors describes by `num_bits`, `type` and groups."""
    bits, kind = weights.count("num_bits"), weights.text("type")
    match kind, bits:
        case "int", 4 | 8:
            if bits == min(_BITS) and weights.raw("strategy") == "channel":
                return grouped_integers(bits, whole, zero_points=False)
            symmetric = weights.flag("symmetric", default=True)
            return integers(bits, weights, whole=whole, zero_points=not symmetric)
        case "float", 8:
            if weights.count("group_size", default=0, least=-1) == _MICROSCALED_BLOCK[1]:
                return "mxfp8"
            return _eight_bit_float(weights)
        case "float", 4:
            size = weights.count("group_size")
            if size not in _FLOAT_GROUPS:
                weights.refuse("group_size", f"4-bit floats in groups of {size} are not modelled")
            return "nvfp4-w4a16" if weights_only and size == min(_FLOAT_GROUPS) else _FLOAT_GROUPS[size]
        case _:
            return weights.refuse("num_bits", f"{bits}-bit {shown(kind)} numbers are not modelled")


def quark(layer: Fields, *, whole: int) -> str:
    """Return the format that an AMD Quark configuration of a layer stores weights in."""
    stated = layer.raw("weight")
    if isinstance(stated, list | tuple):
        # Two steps: 4-bit floats in groups of 16, whose scales are themselves fp8.
        kinds = [one.get("dtype") for one in stated if isinstance(one, dict)]
        if kinds[:1] != ["fp4"] or len(kinds) != 1 + kinds.count("fp8_e4m3"):
            layer.refuse("weight", "these steps of quantisation are not modelled")
        return "nvfp4"
    weight = layer.table("weight")
    kind = weight.text("dtype")
    match kind:
        case "fp4":
            size = weight.count("group_size")
            if size not in _FLOAT_GROUPS:
                weight.refuse("group_size", f"4-bit floats in groups of {size} are not modelled")
            inputs = layer.table("input_tensors").text("dtype", default="")
            return "mxfp4-w4a4" if (size, inputs) == (max(_FLOAT_GROUPS), kind) else _FLOAT_GROUPS[size]
        case "fp8_e4m3":
            if weight.counts("block_size") == _BLOCK:
                return "fp8-block"
            return "mxfp8" if weight.count("group_size", default=0, least=-1) == _MICROSCALED_BLOCK[1] else "fp8"
        case "int4" | "uint4" | "int8" | "uint8":
            bits = int(kind[-1])
            return integers(bits, weight, whole=whole, zero_points=not weight.flag("symmetric", default=True))
        case _:
            return weight.refuse("dtype", f"{shown(kind)} is not modelled")
