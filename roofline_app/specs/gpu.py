"""Accelerators, and nodes of equal ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from roofline_app.specs.checks import (
    is_number,
    require,
    require_date,
    require_number,
    require_positive,
    require_source,
    require_text,
)
from roofline_app.specs.formats import PEAKS
from roofline_app.specs.network import NetworkSpec

_FIGURES = ("memory_bytes", "memory_bytes_per_second", "interconnect_bytes_per_second")


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
        gpus_per_node: Usual number in one scale-up domain, which the interconnect joins.
        gpus_per_host: Number in one host; that of the domain where an entry does not state another.
        network: What joins one accelerator to those beyond its domain; None where none is known.
        family: Architecture that calibrated profiles go by; empty where none was measured.
        power_watts: Rated power of one accelerator; None where no source states it.
        power_source: Who states it.
        price_usd_per_hour: Price of one accelerator and hour, where one is public.
        price_source: Who states the price.
        price_date: When it was stated (ISO date).
        source: Who states the figures.
        checked: ISO date of the last check.
        variants: Figures on which sources disagree, each a sentence.
        reason: Why the chosen figures were chosen.
        second_hand: Fields (of peaks, their keys) whose figures neither the maker nor the device states.
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
    gpus_per_host: int = 0
    network: NetworkSpec | None = None
    family: str = ""
    power_watts: float | None = None
    power_source: str = ""
    price_usd_per_hour: float | None = None
    price_source: str = ""
    price_date: str = ""
    variants: tuple[str, ...] = ()
    reason: str = ""
    second_hand: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what no accelerator can be."""
        require_text(self, "id", "name", "vendor")
        require_source(self)
        require_date(self)
        require_number(self, "memory_bytes", "memory_bytes_per_second", above=0)
        if self.gpus_per_host == 0:
            object.__setattr__(self, "gpus_per_host", self.gpus_per_node)
        require_positive(self, "gpus_per_node", "gpus_per_host")
        require_number(self, "interconnect_bytes_per_second", least=0)
        self._check_peaks()
        figures = (*_FIGURES, *self.dense_flops_per_second)
        for name in self.second_hand:
            require(name in figures, "second_hand", f"{name!r} is not one of {', '.join(figures)}")
        self._check_power()
        self._check_price()

    def _check_peaks(self) -> None:
        field, peaks = "dense_flops_per_second", self.dense_flops_per_second
        require("bf16" in peaks, field, "must list bf16")
        for name, value in peaks.items():
            require(name in PEAKS, field, f"{name!r} is not one of {', '.join(PEAKS)}")
            require(is_number(value, above=0), field, f"{name} must be above 0, not {value!r}")

    def _check_power(self) -> None:
        if self.power_watts is not None:
            require_number(self, "power_watts", above=0)
            require_text(self, "power_source")

    def _check_price(self) -> None:
        if self.price_usd_per_hour is None:
            return
        require_number(self, "price_usd_per_hour", least=0)
        require_text(self, "price_source")
        require_date(self, "price_date")


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """`gpus` equal accelerators that share the work evenly.

    Attributes:
        gpu: The accelerator, a user's changes included.
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

    @property
    def network(self) -> NetworkSpec | None:
        """What messages between its accelerators cross; None within one scale-up domain, or where none is known."""
        return self.gpu.network if self.gpus > self.gpu.gpus_per_node else None

    @property
    def message_bytes_per_second(self) -> float:
        """One-way bandwidth of one accelerator to the others: the network's where some are beyond its domain.

        Whole messages then count at that speed, as all-to-all kernels for decoding send every copy over the network
        (DeepSeek-AI, DeepEP, 2025: low-latency kernels), and small all-reduces between hosts reach no more.
        """
        return self.network.bytes_per_second if self.network else self.gpu.interconnect_bytes_per_second
