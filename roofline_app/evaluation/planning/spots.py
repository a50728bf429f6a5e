"""Nodes at single batches: what a search compares, and the results made of those that it keeps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from roofline_app import economics, query
from roofline_app.evaluation.planning.batches import Tried, reached
from roofline_app.evaluation.planning.held import Held
from roofline_app.results.nodes import NodePoint
from roofline_app.scenario import Scenario

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A node at a batch, with a line (0 for plain decoding)."""

    held: Held
    line: int
    tried: Tried
    at: tuple[int, int]

    @property
    def user(self) -> float:
        """Tokens per second of one user."""
        return float(self.tried.speeds.tokens_per_second_per_user[self.at])

    @property
    def usd(self) -> float:
        """USD per million tokens."""
        return float(self.tried.usd[self.at])

    @property
    def short_by(self) -> float:
        """By what factor the target is missed."""
        return float(self.tried.short_by[self.at])

    @property
    def usd_per_hour(self) -> float:
        """Rent of all GPUs in use."""
        return self.held.candidate.usd_per_gpu_hour * int(self.tried.speeds.gpus[self.at])

    def setting(self) -> Scenario:
        """Return the setting, this batch in it."""
        return replace(self.held.candidate.scenario, batch=int(self.tried.batch[self.at]))

    def point(self, *, linked: bool = True) -> NodePoint:
        """Return the spot as a result.

        Args:
            linked: Whether to write its link, which takes longer than all the rest.
        """
        scenario, at = self.held.candidate.scenario, self.at
        batch, gpus = int(self.tried.batch[at]), int(self.tried.speeds.gpus[at])
        lengths, first = int(self.tried.speeds.draft_tokens[at]), float(self.tried.first_token[at])
        energy = economics.energy(
            self.held.resolved.node.gpu.power_watts,
            gpus=gpus,
            tokens_per_second=self.user * batch,
            usd_per_kwh=scenario.electricity,
        )
        return NodePoint(
            gpu=scenario.gpu,
            gpus=scenario.gpus,
            weights=self.held.candidate.weights,
            layout=self.held.resolved.layout.value,
            drafter=self.held.resolved.drafters[self.line - 1].name if self.line else "",
            batch=batch,
            draft_tokens=lengths,
            tokens_per_second_per_user=self.user,
            tokens_per_second_per_node=self.user * batch,
            usd_per_million_tokens=self.usd,
            usd_per_hour=self.usd_per_hour,
            first_token_seconds=None if np.isnan(first) else first,
            joules_per_token=energy.joules_per_token,
            electricity_usd_per_million_tokens=energy.usd_per_million_tokens,
            query=query.encode(self.setting()) if linked else "",
        )


def cheapest(held: Held, row: int, line: int, known: Sequence[Tried]) -> Spot | None:
    """Return the batch of one node and line that reaches the target at least cost; None where none does."""
    spots = [
        Spot(held=held, line=line, tried=one, at=(row, int(column)))
        for one in known
        for column in np.flatnonzero(reached(one)[row])
    ]
    return min(spots, key=lambda spot: (spot.usd, -spot.user), default=None)


def nearest(held: Held, row: int, line: int, known: Sequence[Tried]) -> Spot:
    """Return the batch of one node and line that misses the target least."""
    spots = [Spot(held=held, line=line, tried=one, at=(row, int(np.argmin(one.short_by[row])))) for one in known]
    return min(spots, key=lambda spot: spot.short_by)


def least_beaten(spots: Iterable[Spot]) -> tuple[Spot, ...]:
    """Return the spots that no other beats in tokens per second per user and in cost, the fastest first."""
    found: list[Spot] = []
    for spot in sorted(spots, key=lambda spot: (-spot.user, spot.usd, spot.line)):
        if not found or spot.usd < found[-1].usd:
            found.append(spot)
    return tuple(found)
