"""Number formats, and which part of a model is stored in which."""

from __future__ import annotations

from dataclasses import dataclass

from roofline_app.specs.checks import require, require_number, require_source, require_text

PEAKS = ("bf16", "fp8", "fp4", "int8")


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatSpec:
    """A number format of weights or cache.

    Attributes:
        id: Key of the entry.
        name: Name as people write it.
        bytes_per_value: Stored bytes per value, block scales included.
        peaks: Keys of a GPU's `dense_flops_per_second`, best first: a matmul runs at the first that the GPU lists.
        quantised_inputs: Whether a matmul that computes in this format quantises its inputs first, block by block.
        source: Where the size is stated.
    """

    id: str
    name: str
    bytes_per_value: float
    peaks: tuple[str, ...]
    quantised_inputs: bool = False
    source: str = ""

    def __post_init__(self) -> None:
        """Refuse what no format can be."""
        require_text(self, "id", "name")
        require_source(self)
        require_number(self, "bytes_per_value", above=0)
        known = len(self.peaks) > 0 and set(self.peaks) <= set(PEAKS)
        require(known, "peaks", f"{self.peaks!r} is not some of {', '.join(PEAKS)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Precision:
    """Number formats by part of a model; each a key of `data/formats.toml`.

    Attributes:
        experts: Routed experts.
        attention: Projections of attention layers (indexer and compressor included).
        recurrent: Projections of recurrent mixers (gated DeltaNet, Mamba-2, ...).
        mlp: Dense feed-forward layers.
        shared: Shared experts.
        head: Input embedding and output head.
        kv: Cache entries.
        state: Recurrent states.
    """

    experts: str = "bf16"
    attention: str = "bf16"
    recurrent: str = "bf16"
    mlp: str = "bf16"
    shared: str = "bf16"
    head: str = "bf16"
    kv: str = "bf16"
    state: str = "fp32"
