"""Number formats of a checkpoint: quantization_config and its relatives, by part of the model and exact by matrix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from roofline_app.model.config_json import number_formats
from roofline_app.model.config_json.fields import Fields
from roofline_app.model.config_json.module_names import Module
from roofline_app.model.config_json.quantization_dialects import EXCLUSIONS, Checkpoint, Place, read_statement
from roofline_app.model.config_json.refusals import ConfigError, shown
from roofline_app.model.dimensions import CompressedAttention, Dimensions, LayerGroup, Moe
from roofline_app.model.to_terms.weights import Part, layer_parts
from roofline_app.specs import LayerFormats, Precision

ADVICE = "without quantization_config, weights= chooses a format"
PLAIN = "bf16"
_CACHES = {"": "", "NONE": "", "FP8": "fp8", "FP8_E4M3": "fp8", "NVFP4": "nvfp4", "INT8": "int8"}
# DeepSeek-V4's own code keeps these as they are, whatever the scheme around them; so does Kimi-K3's with the way into
# and out of its narrower experts, whose statement does not name them (the size of its files does).
_NEVER_QUANTISED_IN_V4 = {
    "self_attn.compressor": "bf16",
    "self_attn.indexer.compressor": "bf16",
    "self_attn.indexer.weights_proj": "bf16",
    "attn_hc": "fp32",
}
_NEVER_QUANTISED_IN_K3 = ("mlp.fc1_latent_proj", "mlp.fc2_latent_proj")
_STATES = {"float32": "fp32", "float16": "bf16", "bfloat16": "bf16"}
FormatOf = Callable[[Place], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """What a config says of how its checkpoint is stored.

    Attributes:
        precision: Number formats.
        assumptions: What it leaves out, some of `ASSUMPTIONS`.
    """

    precision: Precision
    assumptions: tuple[str, ...] = ()


def _format_in(layer: LayerGroup, place: Place, format_of: FormatOf) -> str:
    name, block = place.module.name, layer.feed_forward
    if isinstance(layer.mixer, CompressedAttention) and name in _NEVER_QUANTISED_IN_V4:
        return _NEVER_QUANTISED_IN_V4[name]
    if isinstance(block, Moe) and block.latent_norm and name in _NEVER_QUANTISED_IN_K3:
        return PLAIN
    return format_of(place)


def _matrices(layer: LayerGroup, dimensions: Dimensions) -> list[Part]:
    return [part for part in layer_parts(replace(layer, count=1), dimensions) if part.part and part.matrices]


def _module(part: Part, layer: LayerGroup) -> Module:
    routed = part.part == "experts" and isinstance(layer.feed_forward, Moe)
    return Module(part.name, layer.feed_forward.experts if routed and isinstance(layer.feed_forward, Moe) else 1)


def _formats(layer: LayerGroup, number: int, parts: list[Part], format_of: FormatOf, *, next_token: bool) -> list[str]:
    places = (Place(number, _module(part, layer), next_token) for part in parts)
    return [_format_in(layer, place, format_of) for place in places]


def _majorities(sizes: Mapping[str, Counter[str]]) -> dict[str, str]:
    return {part: count.most_common(1)[0][0] for part, count in sizes.items()}


def by_matrix(layers: Sequence[LayerGroup], dimensions: Dimensions, format_of: FormatOf, plain: Precision) -> Precision:
    """Return formats by part, with those of single matrices where they differ.

    Args:
        layers: The model's layers, in order.
        dimensions: Its architecture, which groups them.
        format_of: Format of a matrix.
        plain: What the rest has.

    Returns:
        A part has the format of most of its weights; `layers` makes the others exact.
    """
    matrices = {group: _matrices(group, dimensions) for group in dict.fromkeys(layers)}
    sizes: dict[str, Counter[str]] = {}
    found: Counter[tuple[LayerGroup, tuple[str, ...]]] = Counter()
    for number, layer in enumerate(layers):
        stored = tuple(_formats(layer, number, matrices[layer], format_of, next_token=False))
        found[layer, stored] += 1
        for part, form in zip(matrices[layer], stored, strict=True):
            sizes.setdefault(part.part, Counter())[form] += part.matrices
    usual = _majorities(sizes)
    groups = {replace(group, count=1): number for number, group in enumerate(dimensions.layers)}
    mixed = []
    for (layer, stored), count in found.items():
        pairs = zip(matrices[layer], stored, strict=True)
        different = tuple((part.part, part.name, form) for part, form in pairs if form != usual[part.part])
        if different:
            mixed.append(LayerFormats(group=groups[replace(layer, count=1)], count=count, formats=different))
    by_part = _with_parts(plain, usual)
    next_token = _of_next_token(len(layers), dimensions, format_of, by_part)
    return replace(by_part, layers=tuple(mixed), next_token=None if next_token == by_part else next_token)


def _with_parts(plain: Precision, parts: Mapping[str, str]) -> Precision:
    return replace(plain, **parts)  # type: ignore[arg-type]


def _of_next_token(layers: int, dimensions: Dimensions, format_of: FormatOf, others: Precision) -> Precision:
    """Return the formats of the next-token layer by part, the projection onto its input in attention's."""
    if not dimensions.next_token:
        return others
    layer = dimensions.next_token.layer
    parts = _matrices(layer, dimensions)
    sizes: dict[str, Counter[str]] = {}
    for part, form in zip(parts, _formats(layer, layers, parts, format_of, next_token=True), strict=True):
        sizes.setdefault(part.part, Counter())[form] += part.matrices
    return _with_parts(others, _majorities(sizes))


def _cache(fields: Fields, plain: str) -> str:
    """Return the cache's format, which a scheme or an algorithm's name may state."""
    algorithm = fields.text("kv_cache_quant_algo", default="").upper()
    if algorithm not in _CACHES:
        fields.refuse("kv_cache_quant_algo", f"{shown(algorithm)} is not modelled; choose kv= instead")
    scheme = fields.raw("kv_cache_scheme")
    if scheme is None:
        return _CACHES[algorithm] or plain
    if isinstance(scheme, str):
        if scheme.upper() not in _CACHES:
            fields.refuse("kv_cache_scheme", f"{shown(scheme)} is not modelled; choose kv= instead")
        return _CACHES[scheme.upper()] or plain
    stored = number_formats.compressed(fields.table("kv_cache_scheme"), whole=1)
    # A cache has no blocks of weights.
    return "fp8" if stored == "fp8-block" else stored


def _unquantised(fields: Fields, layers: Sequence[LayerGroup]) -> Precision:
    name = fields.one_of("dtype", "torch_dtype")
    stated = fields.text(name, default="bfloat16").removeprefix("torch.")
    if stated not in number_formats.UNQUANTISED:
        fields.refuse(name, f"{shown(stated)} is not modelled")
    form = number_formats.UNQUANTISED[stated]
    native = any(isinstance(layer.mixer, CompressedAttention) for layer in layers)
    state_name = fields.one_of("mamba_ssm_cache_dtype", "mamba_ssm_dtype")
    state = fields.text(state_name, default="float32")
    if state not in _STATES:
        fields.refuse(state_name, f"{shown(state)} is not modelled")
    return Precision(
        experts=form,
        attention=form,
        recurrent=form,
        mlp=form,
        shared=form,
        head=form,
        kv="fp8" if native else "bf16",
        state=_STATES[state],
    )


def together(own: Fields | None, beside: Fields | None) -> Fields | None:
    """Return the statements of a config.json and of the hf_quant_config.json beside it as one.

    Args:
        own: The config.json's; None where there is none.
        beside: The companion's.

    Returns:
        The config's own facts, completed by the companion's; None where there are none.
    """
    tables = [table.table("quantization") if table.has("quantization") else table for table in (beside, own) if table]
    if len(tables) < 2:  # noqa: PLR2004 - a statement and its companion
        return tables[0] if tables else None
    companion, stated = (table.values(*table.names()) for table in tables)
    if any(name in stated for name in EXCLUSIONS):
        companion = {name: value for name, value in companion.items() if name not in EXCLUSIONS}
    return Fields({**companion, **stated}, "quantization_config.")


def read_stored(
    fields: Fields, quantisation: Fields | None, dimensions: Dimensions, layers: Sequence[LayerGroup]
) -> Stored:
    """Return the number formats that a config states.

    Args:
        fields: The text model's fields.
        quantisation: Fields of its quantization_config, those of an hf_quant_config.json included; None where there
            is none.
        dimensions: The architecture.
        layers: Its layers, in order.

    Returns:
        Formats by part and matrix; bf16 for what nothing states. DeepSeek-V4's cache is fp8 by design.

    Raises:
        ConfigError: When a scheme is not modelled.
    """
    plain = _unquantised(fields, layers)
    experts = fields.text("expert_dtype", default="")
    if experts not in {"", "fp4"}:
        fields.refuse("expert_dtype", f"{shown(experts)} is not modelled")
    native = "mxfp4" if experts else ""
    if not quantisation:
        precision = replace(plain, experts=native) if native else plain
        return Stored(precision=precision, assumptions=() if native else ("unquantised",))
    caches = ("kv_cache_quant_algo", "kv_cache_scheme")
    if quantisation.has(*caches) and not quantisation.has("quant_method", "quant_algo"):
        return Stored(precision=replace(plain, kv=_cache(quantisation, plain.kv)))
    checkpoint = Checkpoint(plain=plain.attention, layers=len(layers), width=dimensions.hidden_size, experts=native)
    try:
        statement = read_statement(quantisation, checkpoint)
        precision = by_matrix(layers, dimensions, statement.format_of, plain)
    except ConfigError as refusal:
        message = f"{refusal}; {ADVICE}"
        raise ConfigError(message) from None
    kv = _cache(quantisation, plain.kv)
    precision = replace(precision, kv=kv)
    if precision.next_token:
        precision = replace(precision, next_token=replace(precision.next_token, kv=kv))
    if statement.head:
        embedding = "" if dimensions.tied else plain.head
        precision = replace(precision, head=statement.head, embedding=embedding)
    return Stored(precision=precision, assumptions=statement.assumptions)
