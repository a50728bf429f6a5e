"""Draft trees: several draft tokens for a position, of which the target verifies the likeliest in one pass.

A round makes one draft pass per level. A level's passes run over the `topk` likeliest tokens of the level before, and
each of them proposes its own `topk`. Of all proposals the `nodes` likeliest are verified; exactly one path through them
can be right, so that tokens per round are 1 + the sum of the nodes' chances. With one branch it is the chain.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_KEPT = 64


def verified_nodes(topk: int, verified: int, depth: int) -> int:
    """Return the nodes of a tree that the target verifies, its root, the verified token, not counted.

    Args:
        topk: Branches of a node, at least 1.
        verified: Nodes as chosen; 0 for `topk` per level.
        depth: Levels.

    Returns:
        As chosen, as far as the tree has so many: topk in the first level, topk^2 in each further one.

    Examples:
        >>> [verified_nodes(4, 7, depth) for depth in range(4)], verified_nodes(1, 0, 5)
        ([0, 4, 7, 7], 5)
    """
    if depth < 1 or topk == 1:
        return depth
    return min(verified or topk * depth, topk + (depth - 1) * topk**2)


def conditional_chances(survival: Floats) -> Floats:
    """Return each position's chance of acceptance given that those before it were accepted; 0 where none is known.

    Args:
        survival: Chance that the draft token at each position commits, falling.
    """
    before = np.concatenate(([1.0], survival[:-1]))
    chances: Floats = np.divide(survival, before, out=np.zeros_like(survival), where=before > 0.0)
    return chances


def tree_survival(survival: Floats, ranks: tuple[float, ...], *, topk: int, verified: int) -> Floats:
    """Return the chance that each level of a tree commits a token, by the tree's depth.

    Args:
        survival: Chance that each position of a chain of likeliest tokens commits, shape (cap,), falling.
        ranks: Share of a likeliest token's rejections that the second, third, ... likeliest catch.
        topk: Branches of a node.
        verified: Verified nodes; 0 for `topk` per level.

    Returns:
        Row d - 1 holds the levels 1..cap of a tree of depth d, 0 beyond d; shape (cap, cap). A token is never likelier
        than one that ranks before it.

    Source:
        Li et al., EAGLE-2, 2024 (expansion of the likeliest nodes, then their reranking); Chen et al., Sequoia, 2024
        (a position's acceptance by rank).

    Examples:
        A second branch that catches half of the rejections turns a half into three quarters:

        >>> tree_survival(np.array([0.5]), (0.5,), topk=2, verified=2)
        array([[0.75]])
    """
    return _tree_survival(tuple(survival.tolist()), ranks, topk, verified)


@lru_cache(maxsize=_KEPT)
def _tree_survival(survival: tuple[float, ...], ranks: tuple[float, ...], topk: int, verified: int) -> Floats:
    cap = len(survival)
    levels = _levels(conditional_chances(np.asarray(survival)), ranks, topk)
    found = np.zeros((cap, cap))
    for depth in range(1, cap + 1):
        chances = np.concatenate(levels[:depth])
        level = np.repeat(np.arange(depth), [len(one) for one in levels[:depth]])
        # Of equal nodes the shallower ones, so that none is without its parent.
        likeliest = np.argsort(-chances, kind="stable")[: verified_nodes(topk, verified, depth)]
        np.add.at(found[depth - 1], level[likeliest], chances[likeliest])
    found.flags.writeable = False
    return found


def _levels(chances: Floats, ranks: tuple[float, ...], topk: int) -> list[Floats]:
    """Return the chances of every proposed node, level by level, the likeliest first."""
    levels = list[Floats]()
    parents: Floats = np.ones(1)
    for chance in chances:
        shares = np.zeros(topk)
        shares[0] = chance
        known = min(len(ranks), topk - 1)
        shares[1 : known + 1] = (1.0 - chance) * np.asarray(ranks[:known])
        nodes = np.outer(parents, np.minimum.accumulate(shares)).ravel()
        levels.append(-np.sort(-nodes, kind="stable"))
        parents = levels[-1][:topk]
    return levels
