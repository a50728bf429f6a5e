"""Needed acceptance: with it a line is exactly as fast as what it is held against, and with more it is faster."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from strategies import scenarios

from roofline_app import export
from roofline_app.__main__ import main
from roofline_app.evaluation import BATCHES, evaluate, need
from roofline_app.query import decode
from roofline_app.results import NeededAcceptance
from roofline_app.scenario import ConstantAcceptance, Scenario
from roofline_app.speculation.acceptance import constant_survival
from roofline_app.speculation.constant_trees import constant_tree_tokens
from roofline_app.speculation.needed_acceptance import needed_acceptance, needed_tokens
from roofline_app.speculation.trees import tree_survival

EXACT = 1e-9
SETTINGS = (
    "",
    "model=deepseek-v4-pro&batch=24&drafter=ideal&drafter=mtp,cost=physical&drafter=block,cost=physical,passes=2,gain=0.3",
    "model=llama-3.1-405b&gpu=h100-sxm&gpus=8&batch=600&profile=vllm-hopper&cap=40"
    "&drafter=draft,placement=separate&drafter=eagle3,cost=physical,relax=0.1&drafter=eagle3,cost=0.05",
    "model=qwen3.6-35b-a3b&gpus=1&batch=5&profile=calibrated&drafter=mtp,mix=0.5:coding;0.5:qa,cost=physical"
    "&drafter=block,preset=qwen3.6-35b-a3b-dflash,cost=physical&drafter=ngram&drafter=draft",
    "model=qwen3-8b&gpu=h100-sxm&gpus=1&batch=12&cap=12&drafter=eagle3,cost=physical,topk=4,verified=15"
    "&drafter=mtp-chain,cost=physical&drafter=dspark,cost=physical&drafter=mtp,topk=3,relax=0.2&drafter=peagle",
    "model=qwen3-8b&gpu=h100-sxm&gpus=1&batch=48&drafter=eagle3,layers=2,topk=2&drafter=domino,cost=physical"
    "&drafter=mtp-chain,layers=2,width=1024&drafter=eagle3,length=4.2@6,topk=4,verified=20&drafter=suffix",
)
each_setting = pytest.mark.parametrize("query", SETTINGS, ids=lambda query: query.split("&")[0] or "default")


def _scenario(query: str) -> Scenario:
    decoded = decode(query)
    assert decoded.notices == ()
    return decoded.scenario


def _best(scenario: Scenario, batch: int, line: int, acceptance: float) -> float:
    """Return the largest speedup of a line at a draft length of at least 1, with a constant acceptance."""
    lines = list(scenario.drafters)
    lines[line] = replace(lines[line], acceptance=ConstantAcceptance(acceptance=acceptance))
    return float(evaluate(replace(scenario, batch=batch, drafters=tuple(lines))).drafters[line].speedup[1:].max())


@each_setting
def test_with_the_needed_acceptance_a_line_is_exactly_as_fast(query: str) -> None:
    scenario = _scenario(query)
    found = need(scenario)
    assert set(found.batch.tolist()) == {*BATCHES.tolist(), scenario.batch}
    for row in range(0, found.batch.size, 3):
        batch = int(found.batch[row])
        others = {one.name: one.best.speedup for one in evaluate(replace(scenario, batch=batch)).drafters}
        for line, drafter in enumerate(found.drafters):
            for wanted in (drafter.without, *drafter.against):
                acceptance, goal = float(wanted.acceptance[row]), others.get(wanted.name, 1.0)
                if np.isnan(acceptance):
                    assert _best(scenario, batch, line, 1.0) < goal
                elif acceptance > EXACT:
                    assert _best(scenario, batch, line, acceptance) == pytest.approx(goal, rel=EXACT)
                    assert _best(scenario, batch, line, acceptance * 0.99) < goal
                    assert _best(scenario, batch, line, min(acceptance * 1.01, 1.0)) >= goal


# What a second pass raises to 1 pays at some batches, and not beyond the draft length that was measured.
RAISED = (
    "model=qwen3.5-122b-a10b&gpu=a100-40gb&gpus=1&context=1&cap=9&profile=ideal"
    "&drafter=block,preset=deepseek-v4-pro-mtp-thinking-on,cost=physical,block=1,passes=8,gain=1"
)
BRANCHES = "model=qwen3-8b&gpus=1&batch=40&drafter=eagle3,{},topk=4,verified=16,cost=physical"


@pytest.mark.wide
@settings(max_examples=40)
@given(scenario=scenarios())
@example(scenario=_scenario(RAISED))
@example(scenario=_scenario(BRANCHES.format("survival=0.62:0.35:0.2:0.1")))
@example(scenario=_scenario(BRANCHES.format("preset=qwen3-30b-a3b-2507-specbundle-gsm8k-tree")))
def test_a_line_pays_where_its_own_acceptance_is_above_the_needed_one(scenario: Scenario) -> None:
    found, by_batch = need(scenario), evaluate(scenario).best_by_batch
    rows = np.searchsorted(found.batch, BATCHES)
    for one, curve in zip(found.drafters, by_batch.drafters, strict=True):
        assert one.name == curve.name
        assert np.array_equal(one.pays[rows], curve.speedup > 1.0)
        clear = np.abs(one.own_acceptance - one.without.acceptance) > EXACT
        above = one.own_acceptance > one.without.acceptance
        assert np.array_equal(above[clear], one.pays[clear])
        assert not np.any(one.pays & np.isnan(one.without.acceptance))


@pytest.mark.parametrize("placement", ["same", "separate"])
def test_a_slower_drafter_needs_more(placement: str) -> None:
    query = f"model=qwen3-8b&gpus=1&drafter=eagle3,cost={{}},placement={placement}"
    needs = [need(_scenario(query.format(cost))).drafters[0].without.acceptance for cost in (0, 0.01, 0.1, 0.3, 0.9)]
    for cheap, dear in pairwise(needs):
        # What can never pay needs more than anything.
        assert np.all(np.nan_to_num(cheap, nan=np.inf) < np.nan_to_num(dear, nan=2e308))


@pytest.mark.parametrize("cost", [0.02, 0.25, 0.9])
def test_where_verifying_is_free_a_draft_pays_above_its_cost(cost: float) -> None:
    # Leviathan et al. 2023, corollary 3.9: with an acceptance above the cost coefficient there is an improvement.
    lengths = np.arange(1, 9)
    tokens = needed_tokens(lambda _: 1.0 + cost * lengths[np.newaxis], np.array([[1.0]]), lengths)
    acceptance, place = needed_acceptance(tokens, lambda chance: 1.0 + np.cumsum(chance**lengths, axis=-1))
    assert acceptance[0] == pytest.approx(cost, rel=EXACT)
    assert place[0] == 0


def test_a_round_that_grows_with_what_it_commits_is_solved_where_both_agree() -> None:
    lengths = np.array([3, 6])
    found = needed_tokens(
        lambda tokens: np.array([[1.5, 2.0]]) + np.maximum(0.3 * tokens, 0.7), np.array([[1.0]]), lengths
    )
    # 1.5 + 0.7 is below the kink of 0.7 / 0.3, so that 0.3 a token does not count yet; 2 / (1 - 0.3) lies above it.
    assert found[0] == pytest.approx([2.2, 2.0 / 0.7], rel=EXACT)


def test_what_costs_more_than_every_token_it_could_commit_never_pays() -> None:
    line = need(_scenario("model=qwen3-8b&gpus=1&cap=8&drafter=mtp,cost=2")).drafters[0]
    assert not line.pays.any()
    assert np.isnan(line.without.acceptance).all()
    assert np.isnan(line.without.tokens_per_round).all()
    assert not line.without.draft_tokens.any()


@pytest.mark.parametrize(("topk", "verified"), [(2, 0), (3, 7), (4, 40), (8, 60), (1, 0)])
def test_trees_of_one_chance_are_those_of_their_survival(topk: int, verified: int) -> None:
    chances, ranks, depth = (0.0, 0.2, 0.63, 0.99, 1.0), (0.24, 0.12, 0.08), 7
    tree = {"topk": topk, "verified": verified}
    together = constant_tree_tokens(np.array(chances)[:, np.newaxis], ranks, depth=depth, **tree)
    for row, chance in zip(together, chances, strict=True):
        alone = tree_survival(constant_survival(chance, depth), ranks, **tree)
        assert row == pytest.approx(1.0 + alone.sum(axis=-1), rel=1e-12)


@each_setting
def test_a_line_needs_more_against_a_faster_one_than_against_none(query: str) -> None:
    def filled(one: NeededAcceptance) -> np.ndarray:  # type: ignore[type-arg]
        return np.nan_to_num(one.acceptance, nan=2.0)

    found = need(_scenario(query))
    for one in found.drafters:
        assert [other.name for other in one.against] == [line.name for line in found.drafters if line is not one]
        for other in one.against:
            assert np.all(filled(other) >= filled(one.without))


def test_it_is_printed_where_it_is_asked_for_only(capsys: pytest.CaptureFixture[str]) -> None:
    def printed(*arguments: str) -> dict[str, object]:
        assert main(["evaluate", *arguments]) == 0
        found: dict[str, object] = json.loads(capsys.readouterr().out)
        return found

    assert "need" not in printed("")
    asked = printed("--with", "need", "drafter=mtp,cost=2&cap=2")["need"]
    for figure in ("figure", "figures"):
        assert printed(f"{figure}=need&drafter=mtp,cost=2&cap=2")["need"] == asked
    assert isinstance(asked, dict)
    (line,) = asked["drafters"]
    assert set(line["without"]["acceptance"]) == {None}
    assert main(["evaluate", "--with", "needs", ""]) == 2
    assert "--with: 'needs' is not one of adaptive, need" in capsys.readouterr().err
    whole = export.as_json(evaluate(Scenario()), further=["need"])
    assert [one["name"] for one in whole["need"]["drafters"]] == ["Ideal", "MTP", "Block"]


def test_the_acceptance_that_a_tree_needs_is_that_at_which_it_pays() -> None:
    query = "model=llama-3.1-8b&gpu=h100-sxm&gpus=1&batch=64&context=2048&cap=6&drafter=eagle3,{},cost=0.3"
    for tree in ("topk=1", "topk=4,verified=12", "topk=3"):
        found = need(decode(query.format(f"acceptance=0.5,{tree}")).scenario, everywhere=False).drafters[0]
        needed = float(found.without.acceptance[0])
        for off, pays in ((-0.02, False), (0.02, True)):
            line = evaluate(decode(query.format(f"acceptance={needed + off},{tree}")).scenario).drafters[0]
            assert (line.best.speedup > 1.0) == pays


def test_a_chain_of_layers_needs_more_where_longer_drafts_are_none() -> None:
    query = "model=step-3.7-flash&gpu=h100-sxm&gpus=8&batch=4&drafter={},cost=0.3"
    chain, one = (
        float(need(decode(query.format(kind)).scenario, everywhere=False).drafters[0].without.acceptance[0])
        for kind in ("mtp-chain", "mtp")
    )
    assert chain >= one
