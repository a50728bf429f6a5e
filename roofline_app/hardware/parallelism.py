"""Layouts: how a node's GPUs share a model, and which layout an engine's own recipes use."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from roofline_app.specs.checks import require, require_choice, require_date, require_source, require_text


class Layout(StrEnum):
    """How a node's GPUs share a model.

    `EVEN` divides everything evenly without a word between the GPUs, as the article does. The others name attention's
    share first: tensor parallel (`tp`) or data parallel (`dp`), then, after a plus, that of the routed experts: tensor
    parallel (`tp`) or expert parallel (`ep`).
    """

    EVEN = "even"
    TENSOR = "tp"
    TENSOR_EXPERT = "tp+ep"
    DATA_TENSOR = "dp+tp"
    DATA_EXPERT = "dp+ep"

    @property
    def splits_sequences(self) -> bool:
        """Whether each GPU attends for its own sequences."""
        return self in {Layout.DATA_TENSOR, Layout.DATA_EXPERT}

    @property
    def spreads_experts(self) -> bool:
        """Whether each GPU holds whole experts."""
        return self in {Layout.TENSOR_EXPERT, Layout.DATA_EXPERT}


# What `--tp N` of SGLang, vLLM and TensorRT-LLM gives without further flags.
DEFAULT_LAYOUT = Layout.TENSOR


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutSpec:
    """How an engine's own recipes lay models out over the GPUs of a node.

    Attributes:
        id: Key of the entry.
        engine: Key of the engine.
        models: Registry ids.
        latency: Layout of the recipe for few users, which is the one that speculates.
        throughput: Layout of the recipe for many users; empty where the source names none.
        source: The recipe.
        checked: ISO date of the last check.
        least_gpus: GPUs from which on it holds.
    """

    id: str
    engine: str
    models: tuple[str, ...]
    latency: str
    source: str
    checked: str
    throughput: str = ""
    least_gpus: int = 2

    def __post_init__(self) -> None:
        """Refuse a layout that nobody knows, and an entry without models."""
        require_text(self, "engine")
        require_source(self)
        require_date(self)
        require(bool(self.models), "models", "must name at least one")
        known = [layout.value for layout in Layout if layout is not Layout.EVEN]
        require_choice(self, "latency", known)
        require_choice(self, "throughput", ("", *known))
        require(self.least_gpus > 1, "least_gpus", "must be at least 2")


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutFacts:
    """How the node's GPUs share the model, and why this way.

    Attributes:
        id: The layout, as in links.
        why: `chosen` by the user, `recipe` (an engine's own for this model), `engine` (what an engine does without
            further flags), `ideal` (nothing is said between the GPUs) or `single` (one GPU holds everything).
        engine: Key of the engine whose recipe or way it is; empty otherwise.
        engine_name: Its name, or the profile's where no engine of this key is known.
        latency: What the engine's recipe for few users takes; empty where there is none.
        throughput: What the engine's recipe for many users takes instead; empty where there is none.
        source: The recipe; empty where there is none.
        undivided_heads: Heads of a layer that no engine divides over so many GPUs; 0 where they can be divided.
    """

    id: str
    why: Literal["chosen", "recipe", "engine", "ideal", "single"]
    engine: str
    engine_name: str
    latency: str
    throughput: str
    source: str
    undivided_heads: int = 0
