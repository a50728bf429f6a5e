"""Which matrices a checkpoint's patterns mean: `lm_head`, `model.layers.0.self_attn*`, `re:.*shared_experts.*`."""

from __future__ import annotations

import re
from collections.abc import Iterable

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

_PREFIXES = ("model.layers", "model.language_model.layers", "language_model.model.layers", "backbone.layers")
_OTHER_SPELLINGS = (
    ("shared_experts", "shared_expert"),
    (".mlp.", ".block_sparse_moe."),
    (".mlp.", ".mixer."),
    (".self_attn.", ".attention."),
    (".self_attn.", ".attn."),
    (".self_attn.", ".mixer."),
)
# Regular expressions are limited to what checkpoints use, so that none can take for ever.
_SIMPLE_REGEX = re.compile(r"\^?(?:\\\.|\.\*|\.|[\w-]+|\((?:\?:)?[\w|]+\)|\[0-9\]\+|\\d\+)*\$?")
_LAYER_NUMBER = re.compile(r"layers\.(\d+)(?=\.|\*|$)")
_MOST_STARS = 5
_MOST_GENERAL = 256


def _regex(pattern: str, fields: Fields, name: str) -> str:
    """Return a pattern as a regular expression over a dotted name."""
    is_regex = pattern.startswith("re:")
    body = pattern.removeprefix("re:")
    wild = body.count("*") + body.count("+")
    if wild > _MOST_STARS or (is_regex and not _SIMPLE_REGEX.fullmatch(body)):
        fields.refuse(name, f"pattern {shown(pattern)} is not understood")
    if is_regex:
        return f"(?:{body})"
    return r"(?:.*\.)?" + ".*".join(re.escape(piece) for piece in body.split("*")) + "$"


class Patterns:
    """Patterns of module names, as `ignore` and `targets` list them.

    A plain name stands for the module of that name and all below it, wherever in the tree it starts; a star for any
    characters; `re:` starts a regular expression that must match from the beginning.
    """

    __slots__ = ("_compiled", "_general", "_names", "_numbered")

    def __init__(self, patterns: Iterable[str], fields: Fields, name: str) -> None:
        """Sort patterns by the layer that they are about; `fields` and `name` are for refusals.

        Raises:
            ConfigError: When a pattern is not understood, or there are too many with wildcards.
        """
        self._names: set[str] = set()
        self._general: list[str] = []
        self._numbered: dict[int, list[str]] = {}
        self._compiled: dict[int, re.Pattern[str]] = {}
        for pattern in dict.fromkeys(patterns):
            if "*" not in pattern and not pattern.startswith("re:"):
                self._names.add(pattern)
                continue
            number = _LAYER_NUMBER.search(pattern)
            holder = self._numbered.setdefault(int(number.group(1)), []) if number else self._general
            holder.append(_regex(pattern, fields, name))
            if len(holder) > _MOST_GENERAL:
                fields.refuse(name, f"more than {_MOST_GENERAL} patterns with wildcards")

    def _names_match(self, spelled: str) -> bool:
        parts = spelled.split(".")
        ends = range(1, len(parts) + 1)
        return any(".".join(parts[start:end]) in self._names for end in ends for start in range(end))

    def _wildcards_match(self, layer: int, spelled: str) -> bool:
        if layer not in self._compiled:
            bodies = self._general + self._numbered.get(layer, [])
            self._compiled[layer] = re.compile("|".join(bodies) or r"(?!)")
        return bool(self._compiled[layer].match(spelled))

    def match(self, layer: int, name: str) -> bool:
        """Return whether a pattern means a matrix under any of its spellings.

        Args:
            layer: Number of the layer that the matrix belongs to.
            name: Its name within the list of layers, as `matrices` gives it.

        Returns:
            True when at least one pattern does.
        """
        return any(self._names_match(one) or self._wildcards_match(layer, one) for one in spellings(name))


def spellings(name: str) -> list[str]:
    """Return the full names that checkpoints give one matrix.

    Args:
        name: Its name within the list of layers.

    Returns:
        Dotted names.
    """
    names = [f"{prefix}.{name}" for prefix in _PREFIXES]
    for old, new in _OTHER_SPELLINGS:
        names += [spelled.replace(old, new) for spelled in names if old in spelled]
    return names


def matrices(index: int, layer: LayerGroup) -> list[tuple[str, str]]:
    """Return matrices that stand for all of one layer.

    Args:
        index: Number of the layer.
        layer: The layer.

    Returns:
        Pairs of a part (a field of `Precision`) and a name within the list of layers.
    """
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
