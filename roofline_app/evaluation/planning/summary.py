"""What a search comes to: nodes ranked, the frontier, the smallest, and what was left out and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from roofline_app.evaluation.planning.candidates import Candidate
from roofline_app.evaluation.planning.spots import Spot, least_beaten
from roofline_app.results.nodes import LeftOut, NodePoint, Nodes, PlannedNode, Reason
from roofline_app.scenario import Target

if TYPE_CHECKING:
    from roofline_app.evaluation.planning.search import Found

_REASONS: tuple[Reason, ...] = ("target", "memory", "format", "layout", "domain", "price")


def joined(
    target: Target,
    stated: bool,
    left_out: Iterable[LeftOut],
    found: Sequence[Found],
    *,
    linked: int | None = None,
) -> Nodes:
    """Return what a search found, as far as it has gone.

    Args:
        target: What was asked for.
        stated: Whether by the user.
        left_out: What was left out before anything was evaluated.
        found: Of each group.
        linked: Of how many ranked nodes to write links, which take long; None for all, and for everything else.
    """
    every = linked is None
    best = {one: spot for part in found for one, spot in part.best.items()}
    without = {one: spot for part in found for one, spot in part.without.items()}
    missed = [spot for part in found for spot in part.nearest]
    order = sorted(
        dict.fromkeys((*best, *without)),
        key=lambda one: (min(spot.usd for spot in (best.get(one), without.get(one)) if spot), one.scenario.gpus),
    )
    ranked = [
        _planned(one, best.get(one), without.get(one), linked=every or rank < (linked or 0))
        for rank, one in enumerate(order)
    ]
    near = min(missed, key=lambda spot: spot.short_by, default=None)
    return Nodes(
        target=target,
        stated=stated,
        evaluated=sum(part.evaluated for part in found),
        ranked=tuple(ranked),
        frontier=_points(least_beaten(spot for part in found for spot in part.fastest), linked=every),
        frontier_without=_points(least_beaten(spot for part in found for spot in part.fastest_without), linked=every),
        smallest=_smallest(best.values()),
        smallest_without=_smallest(without.values()),
        nearest=near.point() if near is not None and not ranked else None,
        left_out=_reasons([*left_out, *(one for part in found for one in part.left_out)], missed),
    )


def _points(spots: Iterable[Spot], *, linked: bool) -> tuple[NodePoint, ...]:
    return tuple(spot.point(linked=linked) for spot in spots)


def _planned(one: Candidate, best: Spot | None, without: Spot | None, *, linked: bool) -> PlannedNode:
    spot = best or without
    assert spot is not None  # only what reaches the target is listed
    return PlannedNode(
        gpu=one.gpu.id,
        name=one.gpu.name,
        gpus=one.scenario.gpus,
        weights=one.weights,
        layout=spot.held.resolved.layout.value,
        largest_batch=spot.held.largest_batch,
        price_date=one.price_date,
        best=best.point(linked=linked) if best else None,
        without=without.point(linked=linked) if without else None,
    )


def _smallest(spots: Iterable[Spot]) -> NodePoint | None:
    """Return the node of the least rent; of equal ones the cheaper by token."""
    found = min(spots, key=lambda spot: (spot.usd_per_hour, spot.usd), default=None)
    return found.point() if found else None


def _reasons(given: Sequence[LeftOut], missed: Sequence[Spot]) -> tuple[LeftOut, ...]:
    """Return reasons by accelerator: formats and numbers of nodes for which one holds together."""
    by_reason: dict[tuple[str, str], list[LeftOut]] = {}
    for one in given:
        by_reason.setdefault((one.gpu, one.reason), []).append(one)
    found = [
        LeftOut(gpu=gpu, name=some[0].name, reason=some[0].reason, gpus=_all_gpus(some), weights=_all_weights(some))
        for (gpu, _), some in by_reason.items()
    ]
    by_gpu: dict[str, list[Spot]] = {}
    for spot in missed:
        by_gpu.setdefault(spot.held.candidate.gpu.id, []).append(spot)
    for gpu, spots in by_gpu.items():
        near = min(spots, key=lambda spot: spot.short_by)
        found.append(
            LeftOut(
                gpu=gpu,
                name=near.held.candidate.gpu.name,
                reason="target",
                gpus=tuple(sorted({spot.held.candidate.scenario.gpus for spot in spots})),
                weights=tuple(dict.fromkeys(spot.held.candidate.weights for spot in spots)),
                nearest=near.point(),
            )
        )
    return tuple(sorted(found, key=lambda one: _REASONS.index(one.reason)))


def _all_gpus(some: Iterable[LeftOut]) -> tuple[int, ...]:
    return tuple(sorted({count for one in some for count in one.gpus}))


def _all_weights(some: Iterable[LeftOut]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for one in some for word in one.weights))
