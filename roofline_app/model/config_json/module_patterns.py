"""The matrices that a checkpoint's patterns name: `lm_head`, `model.layers.0.self_attn*`, `re:.*shared_experts.*`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import assert_never

from roofline_app.model.config_json.fields import Fields, shown
from roofline_app.model.dimensions import (
    Attention,
    CompressedAttention,
    DeltaNet,
    Dense,
    LatentAttention,
    LayerGroup,
    Lightning,
    Mamba2,
    Mixer,
    Moe,
)

_PREFIXES = ("model.layers", "model.language_model.layers", "language_model.model.layers", "backbone.layers", "layers")
_LATENT_MATRICES = ("q_b_proj", "kv_a_proj_with_mqa", "kv_b_proj", "o_proj")
_OTHER_SPELLINGS = (
    ("shared_experts", "shared_expert"),
    (".mlp.", ".ffn."),
    (".mlp.", ".block_sparse_moe."),
    (".mlp.", ".mixer."),
    (".self_attn.", ".attention."),
    (".self_attn.", ".attn."),
    (".self_attn.", ".mixer."),
    ("q_b_proj", "wq_b"),
    ("o_a_proj", "wo_a"),
    ("o_b_proj", "wo_b"),
    ("down_proj", "w2"),
    ("up_proj", "w3"),
)
# Regular expressions are limited to what checkpoints use, and match without backtracking over their wildcards, so that
# none can take for ever.
_SIMPLE_REGEX = re.compile(r"\^?(?:\\\.|\.\*|\.|[\w-]+|\((?:\?:)?[\w|]+\)|\[0-9\]\+|\\d\+)*\$?")
_GROUP = re.compile(r"\((?:\?:)?([\w|]+)\)")
_ANY = re.compile(r"(?:\.\*)+")
_LAYER_NUMBER = re.compile(r"layers\\?\.(\d+)(?=\\?\.|\*|$)")
_OTHER_NUMBERS = re.compile(r"layers\\?\.?[^a-z]*\d(?!\])")
_MOST_WILDCARDS = 2048
_MOST_GENERAL = 128
_MOST_OVER_SOME_LAYERS = 8


def _longest_first(group: re.Match[str]) -> str:
    choices = sorted(group.group(1).split("|"), key=len, reverse=True)
    return f"(?>{'|'.join(choices)})"


def _without_backtracking(regex: str) -> str:
    """Return a regular expression of the simple kind that never tries a second way.

    Each `.*` takes as little as its next piece allows, a group its longest fitting choice, a number all its digits.
    """
    body = _GROUP.sub(_longest_first, regex.removesuffix("$")).replace("]+", "]++").replace(r"\d+", r"\d++")
    first, *pieces = _ANY.split(body)
    if not pieces:
        return f"(?:{regex})"
    *middle, last = pieces
    tail = rf".*(?:{last})$" if regex.endswith("$") else rf"(?>.*?(?:{last}))"
    return f"(?:{first}" + "".join(rf"(?>.*?(?:{piece}))" for piece in middle) + f"{tail})"


def _regex(pattern: str, fields: Fields, name: str) -> str:
    """Return a pattern as a regular expression over a dotted name."""
    if pattern.startswith("re:"):
        body = pattern.removeprefix("re:")
        if not _SIMPLE_REGEX.fullmatch(body):
            fields.refuse(name, f"pattern {shown(pattern)} is not understood")
        return _without_backtracking(body)
    return r"(?:.*\.)?" + _without_backtracking(".*".join(re.escape(piece) for piece in pattern.split("*")) + "$")


class Patterns:
    """Patterns of module names, as `ignore` and `targets` list them.

    A plain name stands for the module of that name and all below it, wherever in the tree it starts; a star for any
    characters; `re:` starts a regular expression that must match from the beginning.
    """

    __slots__ = ("_by_layer", "_compiled", "_general", "_known", "_names", "_over_some")

    def __init__(self, patterns: Iterable[str], fields: Fields, name: str) -> None:
        """Sort patterns by the layer that they are about; `fields` and `name` are for refusals.

        Raises:
            ConfigError: When a pattern is not understood, or there are too many with wildcards.
        """
        self._names: set[str] = set()
        self._general: list[str] = []
        self._over_some: list[str] = []
        self._by_layer: dict[int, list[str]] = {}
        self._compiled: dict[int | None, re.Pattern[str]] = {}
        self._known: dict[str, bool] = {}
        for pattern in dict.fromkeys(patterns):
            if "*" not in pattern and not pattern.startswith("re:"):
                self._names.add(pattern)
                continue
            self._holder(pattern).append(_regex(pattern, fields, name))
        wildcards = sum(len(bodies) for bodies in self._by_layer.values())
        for count, most in (
            (wildcards, _MOST_WILDCARDS),
            (len(self._general), _MOST_GENERAL),
            (len(self._over_some), _MOST_OVER_SOME_LAYERS),
        ):
            if count > most:
                fields.refuse(name, f"{count} patterns with wildcards are more than {most}")

    def _holder(self, pattern: str) -> list[str]:
        number = _LAYER_NUMBER.search(pattern)
        if number:
            return self._by_layer.setdefault(int(number.group(1)), [])
        return self._over_some if _OTHER_NUMBERS.search(pattern) else self._general

    def _compile(self, key: int | None, bodies: list[str]) -> re.Pattern[str]:
        if key not in self._compiled:
            self._compiled[key] = re.compile("|".join(bodies) or r"(?!)")
        return self._compiled[key]

    def _named(self, spelled: str) -> bool:
        parts = spelled.split(".")
        ends = range(1, len(parts) + 1)
        return any(".".join(parts[start:end]) in self._names for end in ends for start in range(end))

    def _in_every_layer(self, name: str) -> bool:
        """Return whether a pattern for all layers means a matrix; the answer is the same for each of them."""
        if name not in self._known:
            regex = self._compile(None, self._general)
            self._known[name] = any(regex.match(one) for one in spellings(f"0.{name}"))
        return self._known[name]

    def match(self, layer: int, name: str) -> bool:
        """Return whether a pattern means a matrix under any of its spellings.

        Args:
            layer: Number of the layer that the matrix belongs to.
            name: Its name within the layer, as `matrices` gives it.

        Returns:
            True when at least one pattern does.
        """
        if self._general and self._in_every_layer(name):
            return True
        bodies = self._over_some + self._by_layer.get(layer, [])
        if not bodies and not self._names:
            return False
        regex = self._compile(layer, bodies)
        return any(self._named(one) or regex.match(one) for one in spellings(f"{layer}.{name}"))


def spellings(name: str) -> list[str]:
    """Return the full names that checkpoints give one matrix.

    Args:
        name: Its name within the list of layers, such as `0.mlp.up_proj`.

    Returns:
        Dotted names.
    """
    names = [f"{prefix}.{name}" for prefix in _PREFIXES]
    for old, new in _OTHER_SPELLINGS:
        names += [spelled.replace(old, new) for spelled in names if old in spelled]
    return names


def _mixer_matrices(mixer: Mixer | None) -> tuple[str, list[str]]:
    """Return the part that a mixer belongs to, and names of its matrices."""
    match mixer:
        case None:
            return "attention", []
        case Attention():
            return "attention", [f"self_attn.{matrix}_proj" for matrix in ("q", "k", "v", "o")]
        case LatentAttention():
            return "attention", [f"self_attn.{matrix}" for matrix in _LATENT_MATRICES]
        case CompressedAttention():
            return "attention", [f"self_attn.{matrix}_proj" for matrix in ("q_b", "o_a", "o_b")]
        case DeltaNet():
            names = ("linear_attn.in_proj_qkv", "linear_attn.out_proj")
        case Mamba2():
            names = ("mixer.in_proj", "mixer.out_proj")
        case Lightning():
            names = ("self_attn.qkv_proj", "self_attn.out_proj")
        case _:
            assert_never(mixer)
    return "recurrent", list(names)


def matrices(layer: LayerGroup) -> list[tuple[str, str]]:
    """Return matrices that stand for all of one layer.

    Args:
        layer: The layer.

    Returns:
        Pairs of a part (a field of `Precision`) and a name within the layer.
    """
    part, names = _mixer_matrices(layer.mixer)
    found = [(part, name) for name in names]
    block = layer.feed_forward
    if isinstance(block, Moe):
        found += [("experts", f"mlp.experts.0.{matrix}_proj") for matrix in ("up", "down")]
        if block.shared_size:
            found += [("shared", f"mlp.shared_experts.{matrix}_proj") for matrix in ("up", "down")]
    if isinstance(block, Dense) or (isinstance(block, Moe) and block.dense):
        found += [("mlp", f"mlp.{matrix}_proj") for matrix in ("gate", "up", "down")]
    return found
