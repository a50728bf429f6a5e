"""Seconds of one pass under a profile: work against a node's roof, and what engines add to that.

Facts: none of its own. Derived: per component and layer, the larger of bytes over achieved bandwidth and FLOPs over
achieved peak, summed over components and layers; on top, kernels, messages between the GPUs and the host's time.
Assumed: perfect overlap inside a component and none between components; none of what is on top overlaps; every kernel
costs the same whatever it does; the grouped matmuls of routed experts hide only part of their arithmetic behind their
weights. The ideal profile's constants are 1 and 0: full bandwidth and arithmetic, and nothing on top. The larger of two
times is a lower bound and their sum an upper one; they differ by at most a factor of two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from roofline_app.timing.profiles import IDEAL_CONSTANTS, Calibration
from roofline_app.timing.roofline import Roof
from roofline_app.timing.workload import ComponentWork, Tokens

Floats = NDArray[np.float64]
KvRead = Literal["overlap", "add"]
LAUNCHES, MESSAGES, HOST = "kernels", "communication", "host"
# In verifying, a further token of a sequence is sampled with the others: half of a sequence's time, chosen by the
# errors on models left out.
VERIFIED_TOKEN_SHARE = 0.5
# Tokens of one expert at which its matmul hides half of what it does not hide with a single one: a tile of rows.
TILE_TOKENS = 16.0


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


def busy_seconds(
    memory: Floats,
    compute: Floats,
    *,
    bandwidth: Floats | float,
    peak: Floats | float,
    grouped: Floats | float,
    group_tokens: Floats | float = 1.0,
) -> Floats:
    """Return the seconds of a component from its seconds at the full roof.

    Args:
        memory: Bytes over the full bandwidth.
        compute: FLOPs over the full peak.
        bandwidth: Achieved share of the bandwidth.
        peak: Achieved share of the peak.
        grouped: Arithmetic that weight reads do not hide at few tokens per expert, in multiples of its own time.
        group_tokens: Tokens of one expert; the more there are, the less is not hidden.

    Returns:
        Broadcast shape.
    """
    achieved = compute / peak
    return np.maximum(memory / bandwidth, achieved) + grouped / (1.0 + group_tokens / TILE_TOKENS) * achieved


def bandwidth_share(part: ComponentWork, roof: Roof) -> str:
    """Return the name of the constant for the share of bandwidth that a component achieves."""
    if part.kind == "state":
        return "state_bandwidth"
    if part.kind != "cache" and any(number_format in roof.emulated for number_format, _ in part.flops):
        return "emulated_bandwidth"
    return "memory_bandwidth"


@dataclass(frozen=True, slots=True, kw_only=True)
class Demands:
    """What a pass asks of host and network, summed over its layers; arrays of the pass's shape.

    Attributes:
        kernels: Kernels started.
        latent: Latent attention layers.
        messages: Collective operations.
        message_seconds: Their bytes over the full bandwidth between the GPUs.
        network_seconds: Latency that a network between the GPUs adds to them.
        sampled: Sequences that choose a token.
    """

    kernels: Floats
    latent: Floats
    messages: Floats
    message_seconds: Floats
    network_seconds: Floats
    sampled: Floats


def demands(parts: Iterable[ComponentWork], roof: Roof) -> Demands:
    """Return the demands of a pass on host and network.

    Args:
        parts: Work by component and layer group.
        roof: What the node can do.

    Returns:
        Sums over components and layers; no messages on one GPU or where the GPUs have no link.
    """
    zero: Floats = np.zeros(())
    kernels = latent = messages = message_seconds = sampled = zero
    linked = roof.gpus > 1 and bool(np.all(np.greater(roof.interconnect_bytes_per_second, 0.0)))
    for part in parts:
        asked = part.overhead
        if asked is None:
            continue
        quantised = any(number_format in roof.quantising for number_format, _ in part.flops)
        fused = asked.fused * any(number_format in roof.fused for number_format, _ in part.flops)
        kernels = kernels + part.count * (asked.launches + asked.matmuls * quantised - fused)
        latent = latent + part.count * asked.latent
        sampled = sampled + asked.sampled
        if linked and asked.messages:
            messages = messages + part.count * asked.messages
            message_seconds = message_seconds + part.count * asked.message_bytes / roof.interconnect_bytes_per_second
    return Demands(
        kernels=kernels,
        latent=latent,
        messages=messages,
        message_seconds=message_seconds,
        network_seconds=messages * roof.network_latency_seconds,
        sampled=sampled,
    )


def overhead_seconds(asked: Demands, constants: Calibration, *, drafting: bool = False) -> dict[str, Floats]:
    """Return the seconds of kernels, of communication and of the host, by name.

    Args:
        asked: What a pass asks for.
        constants: A profile's.
        drafting: Whether it is a draft pass: the host starts them together, once per round, and samples nothing.
    """
    kernels = asked.kernels * constants.seconds_per_kernel + asked.latent * constants.seconds_per_latent
    host = constants.seconds_per_pass + asked.sampled * constants.seconds_per_sequence
    if drafting:
        kernels, host = kernels + constants.seconds_per_draft, np.zeros(())
    messages = asked.messages * constants.seconds_per_message + asked.network_seconds
    return {
        LAUNCHES: kernels,
        MESSAGES: messages + asked.message_seconds / constants.interconnect_bandwidth,
        HOST: host,
    }


def _idle(seconds: Floats) -> ComponentTime:
    """Return a component that moves and computes nothing that the roofline counts."""
    zero: Floats = np.zeros(())
    return ComponentTime(bytes=zero, flops=zero, memory_seconds=zero, compute_seconds=zero, seconds=seconds)


def _added(one: ComponentTime | None, other: ComponentTime) -> ComponentTime:
    if one is None:
        return other
    return ComponentTime(
        bytes=one.bytes + other.bytes,
        flops=one.flops + other.flops,
        memory_seconds=one.memory_seconds + other.memory_seconds,
        compute_seconds=one.compute_seconds + other.compute_seconds,
        seconds=one.seconds + other.seconds,
    )


def _component(part: ComponentWork, roof: Roof, constants: Calibration, kv_read: KvRead) -> ComponentTime:
    flops: Floats = np.zeros(())
    compute: Floats = np.zeros(())
    for number_format, amount in part.flops:
        flops = flops + amount
        compute = compute + amount / roof.flops_per_second[number_format]
    bandwidth: float = getattr(constants, bandwidth_share(part, roof))
    grouped = constants.grouped_matmul if part.kind == "experts" else 0.0
    memory = part.bytes / roof.memory_bytes_per_second
    seconds = busy_seconds(
        memory,
        compute,
        bandwidth=bandwidth,
        peak=constants.matmul_peak,
        grouped=grouped,
        group_tokens=part.group_tokens,
    )
    memory, compute = memory / bandwidth, compute / constants.matmul_peak
    if kv_read == "add" and part.name == "attention":
        seconds = memory + compute
    moved = part.bytes
    if part.count != 1:
        moved, flops, seconds = part.count * moved, part.count * flops, part.count * seconds
        memory, compute = part.count * memory, part.count * compute
    return ComponentTime(bytes=moved, flops=flops, memory_seconds=memory, compute_seconds=compute, seconds=seconds)


def pass_time(
    parts: Iterable[ComponentWork],
    roof: Roof,
    constants: Calibration = IDEAL_CONSTANTS,
    *,
    kv_read: KvRead = "overlap",
    drafting: bool = False,
) -> PassTime:
    """Return the seconds of one pass.

    Args:
        parts: Work by component and layer group, of terms sharded over the node.
        roof: What the node can do.
        constants: A profile's; the ideal one's give the roofline alone.
        kv_read: Whether an attention layer's cache reads overlap with its arithmetic, or add to it.
        drafting: Whether it is a draft pass of a round.

    Returns:
        Seconds with the broadcast shape of the work, in total and by component, with kernels, communication and host
        beside them where a profile counts them.

    Source:
        Williams et al., Roofline, CACM 2009; scaling-book, roofline chapter.

    Examples:
        Weights of 8 TB at 8 TB/s take a second, until their arithmetic takes longer:

        >>> roof = Roof(memory_bytes_per_second=8e12, flops_per_second={"bf16": 2e15})
        >>> head = Projection(parameters=4e12, bytes_per_parameter=2.0, format="bf16")
        >>> tokens = pass_tokens(batch=1, query_tokens=[1, 1000], context_tokens=0)
        >>> pass_time(work(Transformer(layers=(), head=(head,)), tokens), roof).seconds
        array([1., 4.])
    """
    parts = list(parts)
    components = dict[str, ComponentTime]()
    for part in parts:
        components[part.name] = _added(components.get(part.name), _component(part, roof, constants, kv_read))
    for name, further in overhead_seconds(demands(parts, roof), constants, drafting=drafting).items():
        if np.any(further > 0.0):
            components[name] = _idle(further)
    seconds: Floats = np.zeros(())
    for component in components.values():
        seconds = seconds + component.seconds
    return PassTime(seconds=seconds, components=components)


def round_seconds(tokens: Tokens, constants: Calibration, *, tree: bool = False) -> Floats:
    """Return the host's seconds of a round of speculation besides its passes.

    Args:
        tokens: Shape of the verifying pass; one query token is plain decoding, which is no round.
        constants: The profile's.
        tree: Whether drafts branch, so that nodes are chosen and a mask is made.

    Returns:
        Seconds per round and per further token of a sequence, broadcast shape of the pass.
    """
    further = tokens.batch * (tokens.query_tokens - 1.0)
    sampling = VERIFIED_TOKEN_SHARE * constants.seconds_per_sequence * further
    once = constants.seconds_per_round + (constants.seconds_per_tree if tree else 0.0)
    return np.where(tokens.query_tokens > 1.0, once + sampling, 0.0)


def with_host_seconds(time: PassTime, further: Floats) -> PassTime:
    """Return a pass with more time of the host."""
    if not np.any(further > 0.0):
        return time
    host = _added(time.components.get(HOST), _idle(further))
    return replace(time, seconds=time.seconds + further, components={**time.components, HOST: host})
