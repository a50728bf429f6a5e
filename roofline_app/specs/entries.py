"""Specs: what the registry's entries hold. Frozen values that refuse the impossible."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Protocol

PEAKS = ("bf16", "fp8", "fp4", "int8")
DRAFTING = ("free", "token", "block", "host")


class SpecError(ValueError):
    """An entry or a config holds something impossible; the message names the field."""


class _Sourced(Protocol):
    @property
    def source(self) -> str: ...


def refuse_unless(holds: bool, message: str) -> None:
    """Refuse an entry unless a condition holds; the message names the field."""
    if not holds:
        raise SpecError(message)


def is_number(value: object, *, above: float = -math.inf, least: float = -math.inf) -> bool:
    """Return whether a value is a finite number (a bool is none) within its bounds."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and math.isfinite(value) and value > above and value >= least  # type: ignore[operator,arg-type]


def _is_whole(value: object, *, least: int) -> bool:
    return isinstance(value, int) and is_number(value, least=least)


def _names(value: object) -> tuple[object, ...]:
    return tuple(value) if isinstance(value, Mapping) else ()


def check_text(spec: object, *names: str) -> None:
    """Refuse fields that are no text or empty."""
    for name in names:
        value = getattr(spec, name)
        refuse_unless(isinstance(value, str) and value.strip() != "", f"{name} must be text, not {value!r}")


def check_source(spec: _Sourced) -> None:
    """Refuse a source that is no https address."""
    refuse_unless(str(spec.source).startswith("https://"), f"source must be an https address, not {spec.source!r}")


def check_date(name: str, value: object) -> None:
    """Refuse what is no date."""
    try:
        date.fromisoformat(str(value))
    except ValueError as error:
        message = f"{name} must be a date like 2026-01-31, not {value!r}"
        raise SpecError(message) from error


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
        check_text(self, "id", "name")
        check_source(self)
        refuse_unless(is_number(self.bytes_per_value, above=0), "bytes_per_value must be above 0")
        refuse_unless(
            len(self.peaks) > 0 and set(self.peaks) <= set(PEAKS), f"peaks must be some of {', '.join(PEAKS)}"
        )


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
        family: Architecture that calibrated profiles go by; empty where none was measured.
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
    family: str = ""
    price_usd_per_hour: float | None = None
    price_source: str = ""
    price_date: str = ""
    variants: tuple[str, ...] = ()
    reason: str = ""

    def __post_init__(self) -> None:
        """Refuse what no accelerator can be."""
        check_text(self, "id", "name", "vendor")
        check_source(self)
        check_date("checked", self.checked)
        for name in ("memory_bytes", "memory_bytes_per_second", "gpus_per_node"):
            refuse_unless(is_number(getattr(self, name), above=0), f"{name} must be above 0")
        refuse_unless(_is_whole(self.gpus_per_node, least=1), "gpus_per_node must be whole")
        refuse_unless(
            is_number(self.interconnect_bytes_per_second, least=0), "interconnect_bytes_per_second must be at least 0"
        )
        self._check_peaks()
        self._check_price()

    def _check_peaks(self) -> None:
        peaks = self.dense_flops_per_second
        refuse_unless("bf16" in _names(peaks), "dense_flops_per_second must list bf16")
        for name, value in peaks.items():
            refuse_unless(name in PEAKS, f"dense_flops_per_second: {name} is none of {', '.join(PEAKS)}")
            refuse_unless(is_number(value, above=0), f"dense_flops_per_second: {name} must be above 0")

    def _check_price(self) -> None:
        if self.price_usd_per_hour is None:
            return
        refuse_unless(is_number(self.price_usd_per_hour, least=0), "price_usd_per_hour must be at least 0")
        refuse_unless(self.price_source != "", "price_source must say who states the price")
        check_date("price_date", self.price_date)


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
class DrafterKindSpec:
    """A kind of drafter and its defaults.

    Attributes:
        id: The kind's key in links (`ideal`, `mtp`, `eagle3`, `draft`, `block`, `ngram`).
        name: Name for readers.
        drafting: `free`, `token` (one pass per draft token), `block` (one pass per block) or `host` (no weights).
        acceptance: Default chance that a draft token is accepted given that those before it were, in [0, 1].
        cost: Default cost relative to a step (per draft token, or per block).
        description: One line for readers.
        source: Where the defaults come from.
        checked: ISO date of the last check.
        block: Default draft tokens per pass.
        physical: Whether a line that states no cost has that of the drafter's own work.
    """

    id: str
    name: str
    drafting: str
    acceptance: float
    cost: float
    description: str
    source: str
    checked: str
    block: int = 1
    physical: bool = False

    def __post_init__(self) -> None:
        """Refuse what no drafter can be."""
        check_text(self, "id", "name", "description")
        check_source(self)
        check_date("checked", self.checked)
        refuse_unless(self.drafting in DRAFTING, f"drafting must be one of {', '.join(DRAFTING)}")
        refuse_unless(
            is_number(self.acceptance, least=0) and self.acceptance <= 1, "acceptance must be between 0 and 1"
        )
        refuse_unless(is_number(self.cost, least=0), "cost must be at least 0")
        refuse_unless(_is_whole(self.block, least=1), "block must be a whole number of at least 1")
