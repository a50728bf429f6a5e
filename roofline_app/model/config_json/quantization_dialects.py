"""What the dialects of quantisation statements say of one matrix: a format, or that it keeps the checkpoint's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from roofline_app.model.config_json import number_formats
from roofline_app.model.config_json.fields import Fields
from roofline_app.model.config_json.module_names import HEADS, Module
from roofline_app.model.config_json.module_patterns import Matching, Patterns
from roofline_app.model.config_json.refusals import shown

EXCLUSIONS = ("ignore", "modules_to_not_convert", "exclude_modules", "ignored_layers", "exclude")
MIXED = "MIXED_PRECISION"
_ALL_LINEAR = "Linear"
_NOT_QUANTISED_BITS = 16
_NF4 = {False: "nf4", True: "nf4-double"}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a matrix stands.

    Attributes:
        layer: Number of its layer.
        module: The matrix.
        next_token: Whether the layer is a next-token layer.
    """

    layer: int
    module: Module
    next_token: bool = False

    def meant_by(self, patterns: Patterns) -> bool:
        """Return whether patterns mean the matrix."""
        return patterns.match(self.layer, self.module, next_token=self.next_token)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """What a statement is read for.

    Attributes:
        plain: Format of what no scheme quantises.
        layers: Number of layers.
        width: Of the model, for scales of whole rows.
        experts: Format that routed experts have whatever the scheme; empty where it decides.
    """

    plain: str
    layers: int
    width: int
    experts: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A quantisation statement, read.

    Attributes:
        format_of: Format of a matrix.
        head: Format of the output head; empty where the statement leaves it as it is.
        assumptions: What the statement leaves out, some of `ASSUMPTIONS`.
    """

    format_of: Callable[[Place], str]
    head: str = ""
    assumptions: tuple[str, ...] = ()


def _patterns(
    fields: Fields, name: str, listed: list[str], checkpoint: Checkpoint, how: Matching = Matching.BELOW
) -> Patterns:
    return Patterns(listed, fields, name, layers=checkpoint.layers, how=how)


def _ignored(fields: Fields, checkpoint: Checkpoint, how: Matching = Matching.BELOW) -> Patterns:
    name = fields.one_of(*EXCLUSIONS)
    return _patterns(fields, name, fields.texts(name), checkpoint, how)


def _everything_but(ignored: Patterns, stored: str, checkpoint: Checkpoint) -> Statement:
    """One format for all linear layers that no pattern leaves out."""

    def format_of(place: Place) -> str:
        if place.meant_by(ignored):
            return checkpoint.plain
        return checkpoint.experts if checkpoint.experts and place.module.experts > 1 else stored

    return Statement(format_of=format_of)


def _groups(fields: Fields, ignored: Patterns, checkpoint: Checkpoint) -> Statement:
    """compressed-tensors: groups of modules, each with its numbers."""
    groups = fields.table("config_groups")
    rules: list[tuple[Patterns | None, str]] = []
    head = ""
    for name in groups.names():
        group = groups.table(name)
        targets = [target for target in group.texts("targets") if not target.endswith(("Attention", "Embedding"))]
        weights_only = group.states_null("input_activations")
        stored = number_formats.compressed(group.table("weights"), whole=checkpoint.width, weights_only=weights_only)
        everything = _ALL_LINEAR in targets or not group.texts("targets")
        patterns = None if everything else _patterns(group, "targets", targets, checkpoint, Matching.BELOW)
        if patterns and not head and patterns.means(HEADS) and not ignored.means(HEADS):
            head = stored
        rules.append((patterns, stored))
    if not rules:
        fields.refuse("config_groups", "missing")

    def format_of(place: Place) -> str:
        if place.meant_by(ignored):
            return checkpoint.plain
        meant = (stored for targets, stored in rules if targets is None or place.meant_by(targets))
        return next(meant, checkpoint.plain)

    # A group that names modules goes before one that means all of them.
    rules.sort(key=lambda rule: rule[0] is None)
    return Statement(format_of=format_of, head=head)


def _listed(fields: Fields, otherwise: Callable[[Place], str], checkpoint: Checkpoint) -> Statement:
    """ModelOpt's mixed precision: a format for each module that is named."""
    table = fields.table("quantized_layers")
    by_format: dict[str, list[str]] = {}
    for name in table.names():
        by_format.setdefault(number_formats.modelopt(table.table(name)), []).append(name)
    if not by_format:
        fields.refuse("quantized_layers", "missing")
    rules = [(_patterns(fields, "quantized_layers", names, checkpoint), stored) for stored, names in by_format.items()]

    def format_of(place: Place) -> str:
        return next((stored for patterns, stored in rules if place.meant_by(patterns)), None) or otherwise(place)

    head = next((stored for patterns, stored in rules if patterns.means(HEADS)), "")
    return Statement(format_of=format_of, head=head)


def _modelopt(fields: Fields, checkpoint: Checkpoint) -> Statement:
    ignored = _ignored(fields, checkpoint)
    if fields.text("quant_algo").upper() != MIXED:
        # ModelOpt leaves modules out of every checkpoint and lists them, were it only the head.
        assumptions = () if fields.has(*EXCLUSIONS) else ("nothing_excluded",)
        statement = _everything_but(ignored, number_formats.modelopt(fields), checkpoint)
        return replace(statement, assumptions=assumptions)
    if not fields.has("quantized_layers") and fields.has("config_groups"):
        return _groups(fields, ignored, checkpoint)
    listed = _listed(fields, lambda _: checkpoint.plain, checkpoint)

    def format_of(place: Place) -> str:
        return checkpoint.plain if place.meant_by(ignored) else listed.format_of(place)

    return Statement(format_of=format_of, head="" if ignored.means(HEADS) else listed.head)


def _fp8(fields: Fields, checkpoint: Checkpoint) -> Statement:
    stored = number_formats.fp8(fields)
    if fields.has("quantized_layers"):
        # NVIDIA's DeepSeek-V4: `ignore` means what is not in the listed format and stays in the original's own.
        _ignored(fields, checkpoint)
        fields.raw("moe_quant_algo")

        def original(place: Place) -> str:
            return checkpoint.experts if checkpoint.experts and place.module.experts > 1 else stored

        return _listed(fields, original, checkpoint)
    return _everything_but(_ignored(fields, checkpoint), stored, checkpoint)


def _gptq(fields: Fields, checkpoint: Checkpoint) -> Statement:
    """GPTQ stores a zero point for each group, symmetric or not."""
    stored = number_formats.packed_integers(fields, whole=checkpoint.width, zero_points=True)
    ignored = _ignored(fields, checkpoint)
    dynamic = fields.table("dynamic")
    rules: list[tuple[Patterns, str]] = []
    for pattern in dynamic.names():
        body = pattern.removeprefix("-:").removeprefix("+:")
        patterns = _patterns(fields, "dynamic", [body], checkpoint, Matching.REGEX)
        own = dynamic.table(pattern)
        changed = Fields(
            {**fields.values("bits", "group_size"), **own.values("bits", "group_size")}, f"dynamic.{body}."
        )
        different = number_formats.packed_integers(changed, whole=checkpoint.width, zero_points=True)
        rules.append((patterns, checkpoint.plain if pattern.startswith("-:") else different))
    modules = [name for inner in fields.nested_texts("modules_in_block_to_quantize") for name in inner]
    inside = _patterns(fields, "modules_in_block_to_quantize", modules, checkpoint, Matching.END) if modules else None

    def format_of(place: Place) -> str:
        if place.meant_by(ignored) or (inside and not place.meant_by(inside)):
            return checkpoint.plain
        return next((form for patterns, form in rules if place.meant_by(patterns)), stored)

    return Statement(format_of=format_of, head=stored if fields.flag("lm_head", default=False) else "")


def _awq(fields: Fields, checkpoint: Checkpoint) -> Statement:
    zero_points = fields.flag("zero_point", default=True) and fields.has("group_size")
    stored = number_formats.packed_integers(fields, whole=checkpoint.width, zero_points=zero_points)
    return _everything_but(_ignored(fields, checkpoint, Matching.INSIDE), stored, checkpoint)


def _auto_round_format(fields: Fields, checkpoint: Checkpoint) -> str:
    bits = fields.count("bits")
    if bits == _NOT_QUANTISED_BITS:
        return checkpoint.plain
    kind = fields.text("data_type", default="int")
    known = {("nv_fp", 4): "nvfp4", ("mx_fp", 4): "mxfp4", ("mx_fp", 8): "mxfp8", ("fp8", 8): "fp8", ("fp", 8): "fp8"}
    base = kind.removesuffix("4").removesuffix("8") if kind.startswith(("nv_fp", "mx_fp")) else kind
    if (base, bits) in known:
        return known[base, bits]
    if kind != "int":
        fields.refuse("data_type", f"{shown(kind)} in {bits} bits is not modelled")
    return number_formats.packed_integers(fields, whole=checkpoint.width, zero_points=fields.has("group_size"))


def _auto_round(fields: Fields, checkpoint: Checkpoint) -> Statement:
    stored = _auto_round_format(fields, checkpoint)
    table = fields.table("extra_config")
    names, patterns = dict[str, list[str]](), list[tuple[Patterns, str]]()
    for key in table.names():
        base = fields.values("bits", "group_size", "data_type")
        own = Fields({**base, **table.table(key).values("bits", "group_size", "data_type")}, f"extra_config.{key}.")
        form = _auto_round_format(own, checkpoint)
        if set(key) & set("*+?^$()[]{}|\\"):
            whole = f"{key.removesuffix('$')}$"
            patterns.append((_patterns(fields, "extra_config", [whole], checkpoint, Matching.REGEX), form))
        else:
            names.setdefault(form, []).append(key)
    # A module's own name goes before every regular expression.
    exact = [
        (_patterns(fields, "extra_config", listed, checkpoint, Matching.END), form) for form, listed in names.items()
    ]
    rules = exact + patterns
    blocks = fields.texts_or_commas("block_name_to_quantize")
    inside = (
        _patterns(fields, "block_name_to_quantize", [f"{block}*" for block in blocks], checkpoint) if blocks else None
    )

    def format_of(place: Place) -> str:
        found = next((form for one, form in rules if place.meant_by(one)), None)
        return found or (stored if inside is None or place.meant_by(inside) else checkpoint.plain)

    head = next((form for one, form in rules if one.means(HEADS)), "")
    return Statement(format_of=format_of, head="" if head == checkpoint.plain else head)


def _quark(fields: Fields, checkpoint: Checkpoint) -> Statement:
    stored = number_formats.quark(fields.table("global_quant_config"), whole=checkpoint.width)
    if fields.table("layer_type_quant_config").names():
        fields.refuse("layer_type_quant_config", "is not modelled")
    table = fields.table("layer_quant_config")
    rules = [
        (
            _patterns(fields, "layer_quant_config", [pattern], checkpoint),
            number_formats.quark(table.table(pattern), whole=checkpoint.width),
        )
        for pattern in table.names()
    ]
    ignored = _ignored(fields, checkpoint)

    def format_of(place: Place) -> str:
        if place.meant_by(ignored):
            return checkpoint.plain
        return next((form for patterns, form in rules if place.meant_by(patterns)), stored)

    return Statement(format_of=format_of)


def _bitsandbytes(fields: Fields, checkpoint: Checkpoint) -> Statement:
    four = fields.flag("load_in_4bit", default=False) or fields.flag("_load_in_4bit", default=False)
    eight = fields.flag("load_in_8bit", default=False) or fields.flag("_load_in_8bit", default=False)
    if four == eight:
        fields.refuse("load_in_4bit", "must be true, or load_in_8bit")
    stored = _NF4[fields.flag("bnb_4bit_use_double_quant", default=False)] if four else "int8"
    skipped = fields.texts("llm_int8_skip_modules")
    return _everything_but(_patterns(fields, "llm_int8_skip_modules", skipped, checkpoint), stored, checkpoint)


def _mxfp4(fields: Fields, checkpoint: Checkpoint) -> Statement:
    """The method of gpt-oss converts experts only."""
    ignored = _ignored(fields, checkpoint)

    def format_of(place: Place) -> str:
        kept = place.module.experts == 1 or place.meant_by(ignored)
        return checkpoint.plain if kept else "mxfp4"

    return Statement(format_of=format_of)


def _mxfp8(fields: Fields, checkpoint: Checkpoint) -> Statement:
    return _everything_but(_ignored(fields, checkpoint), "mxfp8", checkpoint)


def _compressed(fields: Fields, checkpoint: Checkpoint) -> Statement:
    return _groups(fields, _ignored(fields, checkpoint, Matching.END), checkpoint)


_METHODS: dict[str, Callable[[Fields, Checkpoint], Statement]] = {
    "auto-round": _auto_round,
    "awq": _awq,
    "bitsandbytes": _bitsandbytes,
    "compressed-tensors": _compressed,
    "fbgemm_fp8": _fp8,
    "fp8": _fp8,
    "gptq": _gptq,
    "modelopt": _modelopt,
    "modelopt_fp4": _modelopt,
    "modelopt_mixed": _modelopt,
    "modelopt_mxfp8": _modelopt,
    "mxfp4": _mxfp4,
    "mxfp8": _mxfp8,
    "quark": _quark,
}


def read_statement(fields: Fields, checkpoint: Checkpoint) -> Statement:
    """Return what a quantisation statement says of every matrix.

    Args:
        fields: Of quantization_config, hf_quant_config.json's part included.
        checkpoint: What it is read for.

    Raises:
        ConfigError: When the scheme, a pattern or a format is not modelled.
    """
    method = fields.text("quant_method", default="modelopt" if fields.has("quant_algo") else None).lower()
    if method not in _METHODS:
        fields.refuse("quant_method", f"{shown(method)} is not modelled")
    return _METHODS[method](fields, checkpoint)
