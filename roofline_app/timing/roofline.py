"""The roof of a node: what its accelerators can move and compute per second.

Facts: an accelerator's bandwidth and dense peaks. Derived: a node has the sum of its accelerators'. Assumed: everything
is divided evenly over them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from roofline_app.specs import FormatSpec, Node, SpecError

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Roof:
    """What a node can move and compute per second; figures per second may be arrays, of several nodes alike.

    Attributes:
        memory_bytes_per_second: Memory bandwidth of the whole node.
        flops_per_second: Peak of the whole node by number format.
        gpus: Accelerators in the node.
        interconnect_bytes_per_second: One-way bandwidth of one accelerator to the others; the network's where they are
            more than fast links join.
        network_latency_seconds: Latency of one collective operation that a network between them adds.
        emulated: Formats that the accelerator stores but does not compute in.
        quantising: Formats whose matmuls quantise their inputs first.
        fused: Formats of four bits that it computes with, for which engines have the experts of a layer as one chain.
    """

    memory_bytes_per_second: float | Floats
    flops_per_second: Mapping[str, float] | Mapping[str, Floats]
    gpus: int = 1
    interconnect_bytes_per_second: float | Floats = 0.0
    network_latency_seconds: float | Floats = 0.0
    emulated: frozenset[str] = frozenset()
    quantising: frozenset[str] = frozenset()
    fused: frozenset[str] = frozenset()


def peak(dense_flops_per_second: Mapping[str, float], number_format: FormatSpec) -> float:
    """Return the peak at which a matmul of a format's weights runs.

    The first of the format's peaks that the accelerator lists: its own, else the next wider; the widest where the
    accelerator cannot multiply the stored values.

    Raises:
        SpecError: When the accelerator lists none of them.
    """
    key = number_format.computed_at(dense_flops_per_second)
    if key:
        return dense_flops_per_second[key]
    message = f"no peak FLOP/s for format {number_format.id}: the accelerator lists none of {number_format.peaks}"
    raise SpecError(message)


def node_roof(node: Node, formats: Mapping[str, FormatSpec], *, linked: bool = True) -> Roof:
    """Return the roof of a node under an even split over its accelerators.

    Args:
        node: The accelerators.
        formats: Every number format by id.
        linked: Whether messages between the accelerators take time; the ideal profile has them free.

    Examples:
        >>> from roofline_app import registry
        >>> node_roof(Node(gpu=registry.gpus()["b200"], gpus=8), registry.formats()).memory_bytes_per_second
        61360000000000.0
    """
    listed = node.gpu.dense_flops_per_second
    emulated = frozenset(key for key, spec in formats.items() if spec.computed_at(listed) != spec.peaks[0])
    quantising = frozenset(key for key, spec in formats.items() if spec.quantised_inputs) - emulated
    return Roof(
        memory_bytes_per_second=node.memory_bytes_per_second,
        flops_per_second={key: node.gpus * peak(listed, spec) for key, spec in formats.items()},
        gpus=node.gpus,
        interconnect_bytes_per_second=node.message_bytes_per_second if linked else 0.0,
        network_latency_seconds=node.network.latency_seconds if linked and node.network else 0.0,
        emulated=emulated,
        quantising=quantising,
        fused=frozenset(key for key in quantising if formats[key].bytes_per_value < 1.0),
    )
