"""Number formats, and which part of a model is stored in which."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from roofline_app.specs.checks import require, require_choice, require_number, require_source, require_text

PEAKS = ("bf16", "fp8", "fp4", "int8")
_GROUPED_INTEGERS = re.compile(r"(int([48]))-g(\d+)(z?)")
_SCALE_BYTES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatSpec:
    """A number format of weights or cache.

    Attributes:
        id: Key of the entry.
        name: Name as people write it.
        bytes_per_value: Stored bytes per value, block scales included.
        peaks: Keys of a GPU's `dense_flops_per_second`, best first: a matmul runs at the first that the GPU lists.
        needs: Key of the peak without which a GPU turns the stored values into the format of the last peak before a
            matmul; empty where `peaks` say all.
        quantised_inputs: Whether a matmul that computes in this format quantises its inputs first, block by block.
        source: Where the size is stated.
    """

    id: str
    name: str
    bytes_per_value: float
    peaks: tuple[str, ...]
    needs: str = ""
    quantised_inputs: bool = False
    source: str = ""

    def __post_init__(self) -> None:
        """Refuse what no format can be."""
        require_text(self, "id", "name")
        require_source(self)
        require_number(self, "bytes_per_value", above=0)
        known = len(self.peaks) > 0 and set(self.peaks) <= set(PEAKS)
        require(known, "peaks", f"{self.peaks!r} is not some of {', '.join(PEAKS)}")
        require_choice(self, "needs", ("", *PEAKS))

    def computed_at(self, listed: Collection[str]) -> str:
        """Return the key of the peak that a matmul runs at; empty where a GPU lists none of the format's.

        Args:
            listed: Keys of the peaks that the GPU lists.
        """
        direct = not self.needs or self.needs in listed
        return next((key for key in (self.peaks if direct else self.peaks[-1:]) if key in listed), "")


def grouped_integers(bits: int, group: int, *, zero_points: bool) -> str:
    """Return the id of integers in groups of a size that data/formats.toml does not list.

    Args:
        bits: 4 or 8.
        group: Values that share a scale.
        zero_points: Whether each group also stores a zero point of its own.

    Returns:
        Such as `int4-g128z`, with z for zero points; `int4` for its own groups of 32 without them.
    """
    return "int4" if (bits, group, zero_points) == (4, 32, False) else f"int{bits}-g{group}{'z' * zero_points}"


def stored_as(format_id: str, formats: Mapping[str, FormatSpec]) -> tuple[str, float]:
    """Return the format that weights compute as, and the bytes that one takes.

    Args:
        format_id: Key of `formats`, or an id that `grouped_integers` gave.
        formats: Every number format by id.

    Returns:
        A key of `formats`; bytes per weight, 16-bit scales and zero points as wide as the weights included.

    Raises:
        KeyError: When it is no format.
    """
    found = _GROUPED_INTEGERS.fullmatch(format_id)
    if not found:
        return format_id, formats[format_id].bytes_per_value
    base, bits, group, zero_point = found.groups()
    value_bytes = int(bits) / 8
    return base, value_bytes + (_SCALE_BYTES + value_bytes * len(zero_point)) / int(group)


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerFormats:
    """Formats of some layers' matrices, where they differ from those of the parts that these belong to.

    Attributes:
        group: Number of their group among a model's groups of equal layers.
        count: How many layers of that group.
        formats: For each such matrix its part (a field of `Precision`), its name within the layer and its format.
    """

    group: int
    count: int
    formats: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Precision:
    """Number formats by part of a model, each a key of `data/formats.toml` or an id that `grouped_integers` gives.

    A checkpoint whose layers differ, or the matrices of one part, is exact through `layers`.

    Attributes:
        experts: Routed experts.
        attention: Projections of attention layers (indexer and compressor included).
        recurrent: Projections of recurrent mixers (gated DeltaNet, Mamba-2, ...).
        mlp: Dense feed-forward layers.
        shared: Shared experts.
        head: Output head.
        embedding: Input embedding; empty where it is in the head's.
        kv: Cache entries.
        state: Recurrent states.
        layers: Layers with matrices in other formats than their parts; none in a plain checkpoint.
        next_token: Formats of a next-token layer; None where it shares the others.
    """

    experts: str = "bf16"
    attention: str = "bf16"
    recurrent: str = "bf16"
    mlp: str = "bf16"
    shared: str = "bf16"
    head: str = "bf16"
    embedding: str = ""
    kv: str = "bf16"
    state: str = "fp32"
    layers: tuple[LayerFormats, ...] = ()
    next_token: Precision | None = None
