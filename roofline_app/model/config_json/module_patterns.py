"""The matrices that a checkpoint's patterns name: `lm_head`, `model.layers.0.self_attn*`, `re:.*shared_experts.*`.

Regular expressions are limited to what checkpoints use, and match without backtracking over their wildcards where they
can, so that none takes for ever.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import Enum

from roofline_app.model.config_json.fields import Fields
from roofline_app.model.config_json.module_names import EXPERT, PREFIXES, Module, places
from roofline_app.model.config_json.refusals import shown

_SIMPLE_REGEX = re.compile(r"\^?(?:\\\.|\.\*|\.|[\w-]+|\((?:\?:)?[\w|]+\)|\[0-9\]\+|\\d\+)*\$?")
_CHOICE = r"(?:[\w|-]|\\\.|\.\*|\.|\\d\+?|\[[\w-]+\]\+?)+"
_WIDER_REGEX = re.compile(
    rf"\^?(?:\\[.\-/_]|\.[*+]\??|\.|[\w/-]+|\((?:\?:|\?!)?{_CHOICE}\)\??|\[\^?[\w.\-]+\][+*?]?|\\[dw][+*]?)*\$?"
)
_GROUP = re.compile(r"\((?:\?:)?([\w|]+)\)")
_ANY = re.compile(r"(?:\.\*)+")
_REPEATED = re.compile(r"(?<!\\)[*+]")
_LITERAL = re.compile(r"(?P<prefix>.*?)layers\.(?P<layer>\d{1,3})(?:\.(?P<tail>.*))?")
_SINGLE_EXPERT = re.compile(r"(?<![A-Za-z_])experts\\?\.(\d+)(?=\\?\.|$)")
_LAYER_NUMBER = re.compile(r"layers\\?\.(\d{1,3})(?=\\?\.|$)")
_STARTED_NUMBER = re.compile(r"layers\.(\d{1,3})\*")
_OTHER_NUMBERS = re.compile(r"(?<![A-Za-z_\d])\d")
_NUMBER_CLASS = re.compile(r"\[0-9\]")
_KNOWN_PREFIXES = frozenset(prefix.removesuffix("layers.") for prefix in PREFIXES)
_MOST_REPEATED = 3
_MOST_WILDCARDS = 2048
_MOST_GENERAL = 128
_MOST_OVER_SOME_LAYERS = 8


class Matching(Enum):
    """How a dialect matches a name without wildcards.

    Attributes:
        BELOW: The module of that name and all below it.
        END: The module of that name alone, written whole or by its end.
        INSIDE: All modules with the text anywhere in their names.
        REGEX: It is a regular expression that must match from the beginning of a name.
    """

    BELOW = "below"
    END = "end"
    INSIDE = "inside"
    REGEX = "regex"


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


def _checked_regex(body: str, fields: Fields, name: str) -> str:
    if _SIMPLE_REGEX.fullmatch(body):
        return _without_backtracking(body)
    if not _WIDER_REGEX.fullmatch(body) or len(_REPEATED.findall(body)) > _MOST_REPEATED:
        fields.refuse(name, f"pattern {shown(body)} is not understood")
    return f"(?:{body})"


def _shell_pattern(pattern: str, fields: Fields, name: str) -> str:
    if "[" in pattern or "?" in pattern:
        fields.refuse(name, f"pattern {shown(pattern)} is not understood")
    return r"(?:.*\.)?" + _without_backtracking(".*".join(re.escape(piece) for piece in pattern.split("*")) + "$")


def _starts(name: str) -> Iterable[str]:
    """Yield the names of all modules that a module lies in, itself last."""
    parts = name.split(".")
    return (".".join(parts[:end]) for end in range(1, len(parts) + 1))


class Patterns:
    """Patterns of module names, as `ignore` and `targets` list them, sorted by the layer that they are about.

    A name is matched as its dialect does; a star stands for any characters; `re:` starts a regular expression that
    must match from the beginning.
    """

    __slots__ = (
        "_by_layer",
        "_compiled",
        "_fields",
        "_general",
        "_how",
        "_known",
        "_layers",
        "_name",
        "_names",
        "_negative",
        "_numbered",
        "_over_some",
        "_plain",
        "_singles",
    )

    def __init__(
        self, patterns: Iterable[str], fields: Fields, name: str, *, layers: int, how: Matching = Matching.BELOW
    ) -> None:
        """Sort patterns; `fields` and `name` are for refusals, `layers` counts the model's.

        Raises:
            ConfigError: When a pattern is not understood, or there are too many with wildcards.
        """
        self._fields, self._name, self._how, self._layers = fields, name, how, layers
        self._numbered = 0
        self._names: set[str] = set()
        self._plain: dict[int, set[str]] = {}
        self._singles: dict[tuple[int, str], set[int]] = {}
        self._general: list[str] = []
        self._negative: list[re.Pattern[str]] = []
        self._over_some: list[str] = []
        self._by_layer: dict[int, list[str]] = {}
        self._compiled: dict[int | None, re.Pattern[str]] = {}
        self._known: dict[str, bool] = {}
        for pattern in dict.fromkeys(patterns):
            self._add(pattern)
        for count, most in (
            (self._numbered, _MOST_WILDCARDS),
            (len(self._general) + len(self._negative), _MOST_GENERAL),
            (len(self._over_some), _MOST_OVER_SOME_LAYERS),
        ):
            if count > most:
                fields.refuse(name, f"{count} patterns with wildcards are more than {most}")

    def _add(self, pattern: str) -> None:
        regex = pattern.removeprefix("re:") if pattern.startswith("re:") else None
        if self._how is Matching.REGEX:
            regex = pattern
        if regex is not None:
            body = _checked_regex(regex, self._fields, self._name)
        elif "*" in pattern:
            body = _shell_pattern(pattern, self._fields, self._name)
        elif self._how is Matching.INSIDE:
            body = f".*{re.escape(pattern)}"
        else:
            self._add_name(pattern)
            return
        if "(?!" in pattern:
            self._negative.append(re.compile(body))
            return
        if _SINGLE_EXPERT.search(pattern):
            self._fields.refuse(self._name, f"pattern {shown(pattern)} means single experts, which is not modelled")
        started = _STARTED_NUMBER.search(pattern) if regex is None else None
        if started or (self._how is Matching.INSIDE and pattern[-1:].isdigit()):
            number = started.group(1) if started else pattern.rpartition(".")[2]
            meant = [layer for layer in range(self._layers + 1) if str(layer).startswith(number)]
        else:
            found = _LAYER_NUMBER.search(pattern)
            meant = [int(found.group(1))] if found else []
        self._numbered += bool(meant)
        for layer in meant:
            self._by_layer.setdefault(layer, []).append(body)
        if not meant:
            numbered = _OTHER_NUMBERS.search(_NUMBER_CLASS.sub("", pattern))
            (self._over_some if numbered else self._general).append(body)

    def _add_name(self, pattern: str) -> None:
        found = _LITERAL.fullmatch(pattern)
        if not found or found["prefix"] not in _KNOWN_PREFIXES:
            self._names.add(pattern)
            return
        layer, tail = int(found["layer"]), found["tail"] or ""
        single = _SINGLE_EXPERT.search(tail)
        if single:
            tail = f"{tail[: single.start()]}{EXPERT}{tail[single.end() + 1 :]}".removesuffix(".")
            self._singles.setdefault((layer, tail), set()).add(int(single.group(1)))
        self._plain.setdefault(layer, set()).add(tail)

    def _compile(self, key: int | None, bodies: Sequence[str]) -> re.Pattern[str]:
        if key not in self._compiled:
            self._compiled[key] = re.compile("|".join(bodies) or r"(?!)")
        return self._compiled[key]

    def means(self, names: Sequence[str]) -> bool:
        """Return whether a pattern that names no layer means a module under any of its full names."""
        regex = self._compile(None, self._general)
        # What a name must not hold, none of a module's names may.
        negative = any(all(one.match(name) for name in names) for one in self._negative)
        return negative or any(self._named(name) or regex.match(name) for name in names)

    def _named(self, name: str) -> bool:
        if not self._names:
            return False
        parts = name.split(".")
        ends = range(1, len(parts) + 1) if self._how is Matching.BELOW else (len(parts),)
        return any(".".join(parts[start:end]) in self._names for end in ends for start in range(end))

    def _listed(self, layer: int, module: Module) -> bool:
        """Return whether names of this very layer mean a matrix.

        Raises:
            ConfigError: When they mean some of a layer's experts.
        """
        plain = self._plain.get(layer)
        if not plain:
            return False
        if self._how is Matching.BELOW and "" in plain:
            return True
        for tail in module.tails:
            for listed in _starts(tail) if self._how is Matching.BELOW else (tail,):
                if listed not in plain:
                    continue
                singles = self._singles.get((layer, listed))
                if singles and len(singles) < module.experts:
                    why = f"names {len(singles)} of {module.experts} experts of layer {layer}, which is not modelled"
                    self._fields.refuse(self._name, why)
                return True
        return False

    def match(self, layer: int, module: Module, *, next_token: bool = False) -> bool:
        """Return whether a pattern means a matrix under any of its names.

        Args:
            layer: Number of the layer that the matrix belongs to.
            module: The matrix.
            next_token: Whether the layer is a next-token layer.

        Returns:
            True when at least one pattern does.

        Raises:
            ConfigError: When a pattern means some of a layer's experts only.
        """
        key = f"{module.name} {next_token}"
        if key not in self._known:
            first = places(self._layers if next_token else 0, next_token=next_token)
            self._known[key] = self.means([f"{place}.{tail}" for place in first for tail in module.tails])
        if self._known[key] or self._listed(layer, module):
            return True
        bodies = self._over_some + self._by_layer.get(layer, [])
        if next_token:
            bodies += self._by_layer.get(0, [])
        if not bodies:
            return False
        regex = self._compile(-1 - layer if next_token else layer, bodies)
        names = (f"{place}.{tail}" for place in places(layer, next_token=next_token) for tail in module.tails)
        return any(regex.match(name) for name in names)
