"""Seconds of one pass: work against a node's roof.

Facts: a node's bandwidth and dense peaks. Derived: per component and layer, the larger of bytes over bandwidth and
FLOPs over peak; summed over components and layers. Assumed by the ideal profile: full bandwidth and arithmetic,
perfect overlap inside a component and none between components, no overhead, no communication, everything divided
evenly over the node's accelerators. The larger of two times is a lower bound and their sum an upper one; they differ
by at most a factor of two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from roofline_app.specs import FormatSpec, Node, SpecError
from roofline_app.timing.workload import ComponentWork

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Roof:
    """What a node can move and compute per second.

    Attributes:
        memory_bytes_per_second: Memory bandwidth of the whole node.
        flops_per_second: Peak of the whole node by number format.
        gpus: Accelerators in the node.
        interconnect_bytes_per_second: One-way bandwidth of one accelerator to the others.
        emulated: Formats that the accelerator stores but does not compute in.
        quantising: Formats whose matmuls quantise their inputs first.
    """

    memory_bytes_per_second: float
    flops_per_second: Mapping[str, float]
    gpus: int = 1
    interconnect_bytes_per_second: float = 0.0
    emulated: frozenset[str] = frozenset()
    quantising: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentTime:
    """One component's work and seconds, summed over layers; arrays of the pass's shape.

    Attributes:
        bytes: Bytes moved.
        flops: FLOPs computed, all formats.
        memory_seconds: Bytes over bandwidth.
        compute_seconds: FLOPs over the peaks of their formats.
        seconds: Sum over layers of the larger of the two (of their sum where they do not overlap).
    """

    bytes: Floats
    flops: Floats
    memory_seconds: Floats
    compute_seconds: Floats
    seconds: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class PassTime:
    """Seconds of a pass, in total and by component."""

    seconds: Floats
    components: Mapping[str, ComponentTime]


def peak(dense_flops_per_second: Mapping[str, float], number_format: FormatSpec) -> float:
    """Return the peak at which a matmul of a format's weights runs.

    The first of the format's peaks that the accelerator lists: its own, else the next wider.

    Raises:
        SpecError: When the accelerator lists none of them.
    """
    for key in number_format.peaks:
        if key in dense_flops_per_second:
            return dense_flops_per_second[key]
    message = f"no peak FLOP/s for format {number_format.id}: the accelerator lists none of {number_format.peaks}"
    raise SpecError(message)


def node_roof(node: Node, formats: Mapping[str, FormatSpec]) -> Roof:
    """Return the roof of a node under an even split over its accelerators."""
    listed = node.gpu.dense_flops_per_second
    emulated = frozenset(key for key, spec in formats.items() if spec.peaks[0] not in listed)
    return Roof(
        memory_bytes_per_second=node.memory_bytes_per_second,
        flops_per_second={key: node.gpus * peak(listed, spec) for key, spec in formats.items()},
        gpus=node.gpus,
        interconnect_bytes_per_second=node.gpu.interconnect_bytes_per_second,
        emulated=emulated,
        quantising=frozenset(key for key, spec in formats.items() if spec.quantised_inputs) - emulated,
    )


def pass_time(
    parts: Iterable[ComponentWork], roof: Roof, *, kv_read: Literal["overlap", "add"] = "overlap"
) -> PassTime:
    """Return the seconds of one pass.

    Args:
        parts: Work by component and layer group.
        roof: What the node can do.
        kv_read: Whether an attention layer's cache reads overlap with its arithmetic, or add to it.

    Returns:
        Seconds with the broadcast shape of the work.

    Source:
        Williams et al., Roofline, CACM 2009; scaling-book, roofline chapter.
    """
    sums = dict[str, list[Floats]]()
    for part in parts:
        memory = part.bytes / roof.memory_bytes_per_second
        flops: Floats = np.zeros(())
        compute: Floats = np.zeros(())
        for number_format, amount in part.flops:
            flops = flops + amount
            compute = compute + amount / roof.flops_per_second[number_format]
        together = memory + compute if kv_read == "add" and part.name == "attention" else np.maximum(memory, compute)
        values = [part.bytes, flops, memory, compute, together]
        if part.count != 1:
            values = [part.count * value for value in values]
        known = sums.get(part.name)
        sums[part.name] = values if known is None else [old + new for old, new in zip(known, values, strict=True)]
    components = {
        name: ComponentTime(bytes=moved, flops=flops, memory_seconds=memory, compute_seconds=compute, seconds=together)
        for name, (moved, flops, memory, compute, together) in sums.items()
    }
    seconds: Floats = np.zeros(())
    for component in components.values():
        seconds = seconds + component.seconds
    return PassTime(seconds=seconds, components=components)
