"""Tokens per round of draft trees whose every token is accepted with the same chance, for many chances at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from roofline_app.speculation.trees import verified_nodes

Floats = NDArray[np.float64]


def constant_tree_tokens(
    acceptance: Floats, ranks: tuple[float, ...], *, topk: int, verified: int, depth: int
) -> Floats:
    """Return tokens per round of trees of depths 1..depth, as `trees.tree_survival` gives them one by one.

    Args:
        acceptance: Chances that the likeliest token of a position is accepted, shape (n, 1).
        ranks: Share of a likeliest token's rejections that the second, third, ... likeliest catch.
        topk: Branches of a node.
        verified: Verified nodes; 0 for `topk` per level.
        depth: Levels of the deepest tree.

    Returns:
        1 + the chances of the likeliest nodes, shape (n, depth).

    Examples:
        A second branch that catches half of the rejections turns a half into three quarters:

        >>> constant_tree_tokens(np.array([[0.5]]), (0.5,), topk=2, verified=2, depth=1)
        array([[1.75]])
    """
    count = acceptance.shape[0]
    known = min(len(ranks), topk - 1)
    shares: Floats = np.zeros((count, topk))
    shares[:, :1] = acceptance
    shares[:, 1 : known + 1] = (1.0 - acceptance) * np.asarray(ranks[:known])
    shares = np.minimum.accumulate(shares, axis=-1)
    parents: Floats = np.ones((count, 1))
    nodes: Floats = np.zeros((count, 0))
    found = []
    for level in range(1, depth + 1):
        proposed = (parents[:, :, np.newaxis] * shares[:, np.newaxis, :]).reshape(count, -1)
        parents = -np.sort(-proposed, axis=-1)[:, :topk]
        most = verified_nodes(topk, verified, level)
        # A deeper tree verifies no fewer nodes, so that what a tree leaves out it may still take.
        nodes = -np.sort(-np.concatenate((nodes, proposed), axis=-1), axis=-1)
        nodes = nodes[:, : max(most, verified_nodes(topk, verified, depth))]
        found.append(1.0 + nodes[:, :most].sum(axis=-1))
    return np.stack(found, axis=-1)
