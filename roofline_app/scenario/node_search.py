"""What a user looks for a node for: a target, and what the search is limited to."""

from __future__ import annotations

from dataclasses import dataclass

LARGEST_GPUS = 72
MOST_NODES = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What serving has to reach; None asks for nothing.

    Attributes:
        user: Tokens per second of one user, at least.
        usd: USD per million output tokens, at most.
        ttft: Seconds to the first token, at most.
    """

    user: float | None = None
    usd: float | None = None
    ttft: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeRange:
    """Nodes of one accelerator, or of any where `gpu` is empty, with `least` to `most` of them."""

    gpu: str = ""
    least: int = 1
    most: int = LARGEST_GPUS


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeSearch:
    """What a search for nodes is limited to; an empty list limits nothing.

    Attributes:
        ranges: Accelerators and their numbers.
        weights: Weight formats, `published` among them.
        layouts: How the accelerators share the model.
    """

    ranges: tuple[NodeRange, ...] = ()
    weights: tuple[str, ...] = ()
    layouts: tuple[str, ...] = ()
