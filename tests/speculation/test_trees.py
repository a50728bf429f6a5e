"""Draft trees: which nodes are verified, how many tokens they commit, and what drafting and verifying them costs."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings, strategies

from roofline_app import registry
from roofline_app.evaluation import evaluate
from roofline_app.query import decode, encode
from roofline_app.results import DrafterResult, Evaluation
from roofline_app.speculation.acceptance import constant_survival, survival_through, tokens_per_round
from roofline_app.speculation.trees import tree_survival, verified_nodes
from roofline_app.verdict import answer

SETTING = "model=llama-3.1-8b&gpu=h100-sxm&gpus=1&batch=4&cap=8&drafter="
TREE_KINDS = [kind.id for kind in registry.drafter_kinds().values() if kind.trees]
RANKS = (0.3, 0.2, 0.1)
chances = strategies.floats(0, 1)


def _evaluated(line: str) -> Evaluation:
    decoded = decode(SETTING + line)
    assert decoded.notices == ()
    assert decode(encode(decoded.scenario)) == decoded
    return evaluate(decoded.scenario)


def _line(line: str) -> DrafterResult:
    return _evaluated(line).drafters[0]


def _tokens(acceptance: float, depth: int, topk: int, verified: int) -> float:
    survival = constant_survival(acceptance, depth)
    return 1.0 + float(tree_survival(survival, RANKS, topk=topk, verified=verified)[depth - 1].sum())


@pytest.mark.parametrize("cost", ["0.1", "physical"])
@pytest.mark.parametrize("kind", TREE_KINDS)
def test_one_branch_is_the_chain_to_the_last_digit(kind: str, cost: str) -> None:
    chain, tree = _line(f"{kind},cost={cost}"), _line(f"{kind},cost={cost},topk=1")
    assert tree.tree is None
    for field in ("tokens_per_round", "verifying_seconds", "drafting_seconds", "speedup", "survival"):
        np.testing.assert_array_equal(getattr(tree, field), getattr(chain, field))
    assert tree.verify == chain.verify
    np.testing.assert_array_equal(
        tree_survival(chain.survival, RANKS, topk=1, verified=0)[-1], np.asarray(chain.survival)
    )


def test_branches_that_are_never_right_and_never_verified_leave_the_chain() -> None:
    chain, tree = _line("eagle3,cost=physical"), _line("eagle3,cost=physical,topk=3,verified=8,ranks=0")
    np.testing.assert_allclose(tree.tokens_per_round, chain.tokens_per_round, rtol=1e-12)


def test_a_tree_is_verified_with_its_root_and_drafted_level_by_level() -> None:
    tree, chain = _line("eagle3,cost=physical,topk=4,verified=15"), _line("eagle3,cost=physical")
    assert tree.tree is not None
    assert tree.tree.verified_tokens.tolist() == [0, 4, 15, 15, 15, 15, 15, 15, 15]
    assert tree.verify.query_tokens == 16
    # Fifteen nodes and the root are one pass over sixteen tokens, as those of a chain of fifteen are.
    long = evaluate(decode(SETTING.replace("cap=8", "cap=15") + "eagle3,cost=physical").scenario).drafters[0]
    assert tree.verifying_seconds[5] == long.verifying_seconds[15]
    # The first pass takes the committed tokens in; of the others each has four tokens a sequence.
    assert tree.drafting_seconds[1] == pytest.approx(chain.drafting_seconds[1], rel=1e-3)
    assert np.all(tree.drafting_seconds[2:] >= chain.drafting_seconds[2:])
    assert np.all(np.diff(tree.drafting_seconds) > 0.0)


@pytest.mark.parametrize("acceptance", [0.0, 1.0])
def test_what_is_always_or_never_accepted_commits_what_a_chain_does(acceptance: float) -> None:
    for depth in (1, 4):
        expected = depth + 1.0 if acceptance else 1.0
        assert _tokens(acceptance, depth, 2, depth) == pytest.approx(expected)


def test_a_whole_tree_commits_as_if_a_level_were_one_token_of_its_chances_together() -> None:
    level = 0.6 + (1 - 0.6) * RANKS[0]
    assert _tokens(0.6, 3, 2, 2 + 4 + 8) < 1 + level + level**2 + level**3 + 1e-12
    assert _tokens(0.6, 2, 2, 2 + 4) == pytest.approx(1 + level + level**2)


def test_the_verified_nodes_are_the_subtree_that_commits_most() -> None:
    acceptance, depth, nodes = 0.55, 3, 5
    shares = (acceptance, (1 - acceptance) * RANKS[0])
    paths: list[tuple[int, ...]] = [(rank,) for rank in (0, 1)]
    paths += [(*path, rank) for path in paths for rank in (0, 1)]
    paths += [(*path, rank) for path in paths if len(path) == 2 for rank in (0, 1)]
    best = max(
        sum(float(np.prod([shares[rank] for rank in path])) for path in chosen)
        for chosen in combinations(sorted(set(paths)), nodes)
        if all(path[:-1] in chosen or len(path) == 1 for path in chosen)
    )
    assert _tokens(acceptance, depth, 2, nodes) == pytest.approx(1 + best)


@given(acceptance=chances, depth=strategies.integers(1, 8), topk=strategies.integers(2, 6))
@settings(max_examples=60, deadline=None)
def test_more_branches_and_more_nodes_never_commit_fewer_and_levels_never_rise(
    acceptance: float, depth: int, topk: int
) -> None:
    chain = float(tokens_per_round(constant_survival(acceptance, depth))[-1])
    lengths = [_tokens(acceptance, depth, topk, nodes) for nodes in (depth, 2 * depth, 64)]
    assert chain - 1e-9 <= lengths[0]
    assert all(less <= more + 1e-9 for less, more in pairwise(lengths))
    assert lengths[-1] <= depth + 1 + 1e-9
    levels = tree_survival(constant_survival(acceptance, depth), RANKS, topk=topk, verified=3 * depth)
    assert np.all(np.diff(levels[-1]) <= 1e-9)
    assert np.all((levels >= 0) & (levels <= 1 + 1e-9))


def test_a_tree_holds_no_more_nodes_than_its_branches_have() -> None:
    assert [verified_nodes(3, 100, depth) for depth in (0, 1, 2, 3)] == [0, 3, 12, 21]
    assert [verified_nodes(3, 0, depth) for depth in (1, 2)] == [3, 6]


def test_a_stated_length_is_the_trees_own() -> None:
    tree = _line("eagle3,length=3.4@5,topk=4,verified=16")
    assert tree.tokens_per_round[5] == pytest.approx(3.4)
    assert tree.verify.query_tokens <= 17


@pytest.mark.parametrize("workload", ["gsm8k", "math500", "mtbench", "humaneval", "livecodebench", "financeqa", "gpqa"])
def test_trees_of_published_runs_come_out_of_their_chains(workload: str) -> None:
    # Seven verified tokens either way, of a chain or shared out between four branches; the engine chooses by the
    # draft's own confidence in each round, the mean tree cannot.
    stem = f"qwen3-next-80b-a3b-specbundle-{workload}"
    chain, tree = registry.acceptance(stem), registry.acceptance(f"{stem}-tree")
    survival = survival_through(chain.measured_at, chain.tokens_per_round)
    ranks = registry.drafter_kind("eagle3").ranks
    levels = tree_survival(survival, ranks, topk=tree.topk, verified=tree.verified)[-1]
    assert 1.0 + levels.sum() == pytest.approx(tree.length, rel=0.15)


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("block,topk=4", "drafter.topk"),
        ("ngram,topk=2", "drafter.topk"),
        ("mtp-chain,topk=2", "drafter.topk"),
        ("eagle3,verified=8", "drafter.verified"),
        ("eagle3,ranks=0.2", "drafter.ranks"),
        ("eagle3,topk=0", "drafter.topk"),
        ("eagle3,topk=2,verified=0", "drafter.verified"),
        ("eagle3,topk=3,ranks=0.2:0.3", "drafter.ranks"),
        ("eagle3,topk=3,ranks=0.8:0.7", "drafter.ranks"),
        ("eagle3,topk=3,ranks=a", "drafter.ranks"),
    ],
)
def test_a_tree_that_cannot_be_is_named(line: str, key: str) -> None:
    decoded = decode(SETTING + line)
    assert [notice.key for notice in decoded.notices] == [key]
    assert evaluate(decoded.scenario).drafters[0].speedup[0] == 1.0


def test_what_a_tree_assumes_is_said() -> None:
    def said(line: str) -> str:
        return " ".join(answer(_evaluated(line)).notices)

    assert "ranks=" in said("eagle3,topk=4")
    assert "ranks=" not in said("eagle3,topk=4,ranks=0.2:0.1")
    assert "ranks=" not in said("eagle3,topk=4,length=3@4")
    measured = "preset=llama-3.1-8b-specbundle-gsm8k"
    assert "measured with a chain" in said(f"eagle3,{measured},topk=4")
    assert "measured with a tree of 4 branches and 7 verified" in said(f"eagle3,{measured}-tree")
    assert "measured with" not in said(f"eagle3,{measured}-tree,topk=4,verified=7")
