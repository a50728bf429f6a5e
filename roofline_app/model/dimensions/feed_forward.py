"""Feed-forward blocks: dense ones and experts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from roofline_app.specs.checks import require, require_positive


@dataclass(frozen=True, slots=True, kw_only=True)
class Dense:
    """A dense feed-forward block: three matrices where gated, else two.

    Attributes:
        intermediate_size: Inner width.
        gated: Whether a gate multiplies the inner activation.
        biases: Whether every matrix has a bias.
    """

    intermediate_size: int
    gated: bool = True
    biases: bool = False

    def __post_init__(self) -> None:
        """Refuse a width that is not positive."""
        require_positive(self, "intermediate_size")


@dataclass(frozen=True, slots=True, kw_only=True)
class Moe:
    """Routed experts, with what every token uses beside them.

    Attributes:
        experts: Routed experts.
        experts_per_token: How many of them a token uses.
        intermediate_size: Inner width of one.
        gated: Whether experts, shared ones included, are gated.
        expert_biases: Whether every matrix of an expert has a bias.
        router_bias: Whether the router has a bias that counts as a weight.
        router_scales: Further weights of the router (Gemma-4 scales its input and each expert).
        shared_size: Inner width of all shared experts together; 0 for none.
        shared_gate: Whether a gate of width one scales the shared expert.
        latent_size: Width that the routed experts work in; 0 for the model's own.
        latent_norm: Whether a norm of that width comes before the way back.
        dense: A dense block that runs beside the experts, if any.
    """

    experts: int
    experts_per_token: int
    intermediate_size: int
    gated: bool = True
    expert_biases: bool = False
    router_bias: bool = False
    router_scales: int = 0
    shared_size: int = 0
    shared_gate: bool = False
    latent_size: int = 0
    latent_norm: bool = False
    dense: Dense | None = None

    def __post_init__(self) -> None:
        """Refuse more active experts than there are."""
        require_positive(self, "experts", "experts_per_token", "intermediate_size")
        require(
            self.experts_per_token <= self.experts,
            "experts_per_token",
            f"{self.experts_per_token} is more than experts {self.experts}",
        )


FeedForward: TypeAlias = Dense | Moe
