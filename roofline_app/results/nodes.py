"""Nodes that reach a target, ranked by the price of a token, and what was left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from roofline_app.scenario import Target

Reason = Literal["price", "memory", "format", "layout", "domain", "target"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NodePoint:
    """A node at one batch, with one line or without speculation.

    Attributes:
        gpu: Registry id.
        gpus: How many share the model; a drafter on GPUs of its own has others beside them.
        weights: Weight formats.
        layout: How the GPUs share the model.
        drafter: Name of the line; empty for plain decoding.
        batch: Sequences decoded together.
        draft_tokens: Draft length; 0 without speculation.
        tokens_per_second_per_user: Of one sequence.
        tokens_per_second_per_node: Of all sequences.
        usd_per_million_tokens: Of output, from the price of all GPUs in use.
        usd_per_hour: Price of all GPUs in use.
        first_token_seconds: Mean seconds to the first token; None where no prompt is stated.
        joules_per_token: Of the GPUs in use at their rated power, an upper bound; None where that is not known.
        electricity_usd_per_million_tokens: The same in USD; None where no price of electricity is stated.
        query: The setting, as a link has it.
    """

    gpu: str
    gpus: int
    weights: str
    layout: str
    drafter: str
    batch: int
    draft_tokens: int
    tokens_per_second_per_user: float
    tokens_per_second_per_node: float
    usd_per_million_tokens: float
    usd_per_hour: float
    first_token_seconds: float | None
    joules_per_token: float | None
    electricity_usd_per_million_tokens: float | None
    query: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedNode:
    """A node that reaches the target.

    Attributes:
        gpu: Registry id.
        name: Name of the GPU.
        gpus: How many share the model.
        weights: Weight formats.
        layout: How the GPUs share the model.
        largest_batch: Sequences that fit into memory.
        price_date: Date of the registry's price; empty where the user states one.
        best: With the line and batch that reach the target at least cost; None where no line does.
        without: The same without speculation; None where that does not reach it.
    """

    gpu: str
    name: str
    gpus: int
    weights: str
    layout: str
    largest_batch: int
    price_date: str
    best: NodePoint | None
    without: NodePoint | None

    @property
    def cheapest(self) -> NodePoint:
        """The cheaper of the two; with speculation where both cost the same."""
        points = [point for point in (self.best, self.without) if point is not None]
        return min(points, key=lambda point: point.usd_per_million_tokens)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Nodes of one accelerator that are not listed, and why.

    Attributes:
        gpu: Registry id.
        name: Name of the GPU.
        reason: No `price` is known; it does not fit into `memory`; the `format` is not one that the GPU computes with;
            no engine divides the model's heads in this `layout`; more than fast links join (`domain`) without a known
            network, or under a profile that counts no messages; the `target` is not reached.
        gpus: The numbers that this holds for; empty for all.
        weights: Weight formats that it holds for; empty for all.
        nearest: What comes nearest to the target; None for other reasons.
    """

    gpu: str
    name: str
    reason: Reason
    gpus: tuple[int, ...] = ()
    weights: tuple[str, ...] = ()
    nearest: NodePoint | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Nodes:
    """Which nodes reach a target, and at what cost.

    Attributes:
        target: What they have to reach.
        stated: Whether the target is the user's; else it is what this setting's node reaches without speculation.
        evaluated: Nodes that were evaluated: accelerators, numbers, formats and layouts.
        ranked: Those that reach the target, the cheapest first.
        frontier: Nodes at batches that no other beats in tokens per second per user and in cost, with the best line or
            without; the fastest first.
        frontier_without: The same without speculation.
        smallest: Of the least rent that reaches the target with speculation; None where none does.
        smallest_without: The same without speculation.
        nearest: What comes nearest to the target where nothing reaches it.
        left_out: What is not listed, and why.
    """

    target: Target
    stated: bool
    evaluated: int
    ranked: tuple[PlannedNode, ...]
    frontier: tuple[NodePoint, ...]
    frontier_without: tuple[NodePoint, ...]
    smallest: NodePoint | None
    smallest_without: NodePoint | None
    nearest: NodePoint | None
    left_out: tuple[LeftOut, ...]
