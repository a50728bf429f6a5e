"""Specs: what the registry's entries hold. Frozen values that refuse the impossible."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


class SpecError(ValueError):
    """An entry or a config holds something impossible; the message names the field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatSpec:
    """A number format of weights or cache.

    Attributes:
        id: Key of the entry.
        name: Name as people write it.
        bytes_per_value: Stored bytes per value, block scales included.
        peaks: Keys of a GPU's `dense_flops_per_second`, best first: a matmul runs at the first that the GPU lists.
        source: Where the size is stated.
    """

    id: str
    name: str
    bytes_per_value: float
    peaks: tuple[str, ...]
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuSpec:
    """One accelerator.

    Attributes:
        id: Key of the entry, used in links; never changes once published.
        name: Vendor's name.
        vendor: Maker, for grouping.
        memory_bytes: Memory of one accelerator.
        memory_bytes_per_second: Memory bandwidth of one accelerator.
        dense_flops_per_second: Peak without sparsity, by key of `FormatSpec.peaks` (bf16, fp8, fp4, int8).
        interconnect_bytes_per_second: One-way scale-up bandwidth of one accelerator; 0 where there is none.
        gpus_per_node: Usual number in one scale-up domain.
        price_usd_per_hour: Price of one accelerator and hour, where one is public.
        price_source: Who states the price.
        price_date: When it was stated (ISO date).
        source: Who states the figures.
        checked: ISO date of the last check.
        variants: Figures on which sources disagree, each a sentence.
        reason: Why the chosen figures were chosen.
    """

    id: str
    name: str
    vendor: str
    memory_bytes: float
    memory_bytes_per_second: float
    dense_flops_per_second: Mapping[str, float]
    interconnect_bytes_per_second: float
    gpus_per_node: int
    source: str
    checked: str
    price_usd_per_hour: float | None = None
    price_source: str = ""
    price_date: str = ""
    variants: tuple[str, ...] = ()
    reason: str = ""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """`gpus` equal accelerators that share the work evenly.

    Attributes:
        gpu: The accelerator, a reader's changes included.
        gpus: How many.
    """

    gpu: GpuSpec
    gpus: int

    @property
    def memory_bytes(self) -> float:
        """Memory of the whole node."""
        return self.gpu.memory_bytes * self.gpus

    @property
    def memory_bytes_per_second(self) -> float:
        """Memory bandwidth of the whole node."""
        return self.gpu.memory_bytes_per_second * self.gpus


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """How far a real system falls short of the roofline. The ideal one does not.

    Attributes:
        id: Key of the entry.
        name: Name for readers.
        description: One line that says what is assumed.
        source: Where the constants come from.
    """

    id: str
    name: str
    description: str
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrafterSpec:
    """A kind of drafter and its defaults.

    Attributes:
        id: The kind's key in links (`ideal`, `mtp`, `eagle3`, `draft`, `block`, `ngram`).
        name: Name for readers.
        drafting: `free`, `token` (one pass per draft token), `block` (one pass per block) or `host` (no weights).
        acceptance: Default chance that a draft token is accepted given that those before it were, in [0, 1].
        cost: Default cost relative to a step (per draft token, or per block); None means physical by default.
        block: Default draft tokens per pass.
        description: One line for readers.
        source: Where the defaults come from.
    """

    id: str
    name: str
    drafting: str
    acceptance: float
    cost: float | None
    block: int = 1
    description: str = ""
    source: str = ""
    checked: str = ""
    extra: Mapping[str, str] = field(default_factory=dict)
