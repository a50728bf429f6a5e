"""Nodes for a target: each number is a whole evaluation's, no other batch is cheaper, and what is out has a reason."""

from __future__ import annotations

import json
from dataclasses import replace
from urllib.parse import unquote

import pytest

from roofline_app.__main__ import main
from roofline_app.evaluation import evaluate
from roofline_app.evaluation.planning import nodes
from roofline_app.query import decode, encode
from roofline_app.results.nodes import NodePoint, Nodes
from roofline_app.scenario import Scenario

EXACT = 1e-12
SMALL = "model=qwen3-8b&gpu=h100-sxm&gpus=1&context=8k"
CALIBRATED = "model=qwen3-30b-a3b&gpu=b200&gpus=2&profile=calibrated&drafter=eagle3,cost=physical&drafter=mtp"
SEPARATE = f"{SMALL}&drafter=draft,placement=separate&drafter=ngram"
TIMED = f"{SMALL}&prompt=2k&output=512&profile=calibrated&drafter=eagle3,cost=physical"
TREES = f"{SMALL}&drafter=eagle3,topk=4,verified=24,cost=physical&cap=8"
SETTINGS = (
    f"{SMALL}&target=user:120",
    f"{SMALL}&target=user:120,usd:0.05&electricity=0.12",
    f"{CALIBRATED}&target=user:90",
    f"{SEPARATE}&target=user:150&nodes=h100-sxm,b200@1-2",
    f"{TIMED}&target=user:60,ttft:0.4&nodes=h100-sxm,mi300x",
    f"{TIMED.replace('&context=8k', '')}&context=9000&target=ttft:0.3&nodes=h100-sxm@1-2",
    f"{TREES}&target=user:200&nodes=b200,l40s",
    "target=user:60&nodes=b200,b300&prices=b300:4",
)
each_setting = pytest.mark.parametrize("link", SETTINGS)


def _scenario(link: str) -> Scenario:
    decoded = decode(link)
    assert decoded.notices == ()
    return decoded.scenario


def _points(found: Nodes) -> list[NodePoint]:
    ranked = [point for node in found.ranked for point in (node.best, node.without) if point]
    near = [one.nearest for one in found.left_out if one.nearest]
    return [*ranked, *found.frontier, *found.frontier_without, *near]


def _same(one: float | None, other: float | None) -> None:
    assert (one is None) == (other is None)
    assert one is None or one == pytest.approx(other, rel=EXACT)


@each_setting
def test_each_number_is_that_of_the_evaluation_of_the_link_it_names(link: str) -> None:
    found = nodes(_scenario(link))
    for point in _points(found)[::7]:
        decoded = decode(point.query)
        assert decoded.notices == ()
        whole = evaluate(decoded.scenario)
        assert (whole.node.id, whole.node.gpus, whole.batch) == (point.gpu, point.gpus, point.batch)
        lines = {"": whole.economics.without} | {one.name: one for one in whole.economics.drafters}
        rates = lines[point.drafter]
        assert point.tokens_per_second_per_user == pytest.approx(rates.tokens_per_second_per_user, rel=EXACT)
        assert point.usd_per_million_tokens == pytest.approx(rates.usd_per_million_tokens, rel=EXACT)
        assert point.tokens_per_second_per_node == pytest.approx(rates.tokens_per_second_per_node, rel=EXACT)
        _same(point.joules_per_token, rates.joules_per_token)
        _same(point.electricity_usd_per_million_tokens, rates.electricity_usd_per_million_tokens)
        if point.drafter:
            (line,) = (one for one in whole.drafters if one.name == point.drafter)
            assert point.draft_tokens == line.best.draft_tokens
        assert whole.memory.fits
        assert point.batch <= whole.memory.largest_batch
        if whole.end_to_end is not None:
            timed = {"": whole.end_to_end.without} | {one.name: one for one in whole.end_to_end.drafters}
            assert point.first_token_seconds == pytest.approx(timed[point.drafter].first_token_seconds, rel=EXACT)


@each_setting
def test_what_is_listed_reaches_the_target_in_order_of_cost(link: str) -> None:
    scenario = _scenario(link)
    found, target = nodes(scenario), scenario.target
    assert target is not None
    costs = [node.cheapest.usd_per_million_tokens for node in found.ranked]
    assert costs == sorted(costs)
    for node in found.ranked:
        for point in filter(None, (node.best, node.without)):
            assert target.user is None or point.tokens_per_second_per_user >= target.user * (1 - 1e-9)
            assert target.usd is None or point.usd_per_million_tokens <= target.usd * (1 + 1e-9)
            assert target.ttft is None or (point.first_token_seconds or 0) <= target.ttft * (1 + 1e-9)


@pytest.mark.parametrize("link", [SETTINGS[0], f"{CALIBRATED}&target=user:150&nodes=b200@2-4,published"])
def test_no_other_batch_is_cheaper(link: str) -> None:
    scenario = _scenario(link)
    assert scenario.target is not None
    assert scenario.target.user is not None
    (node, *_) = (one for one in nodes(scenario).ranked if one.best and one.best.batch > 3)
    assert node.best is not None
    setting = decode(node.best.query).scenario
    for batch in {1, 2, node.best.batch // 2, node.best.batch - 1, node.best.batch + 1, node.best.batch * 2}:
        whole = evaluate(replace(setting, batch=batch))
        for rates, result in zip(whole.economics.drafters, whole.drafters, strict=True):
            usd = rates.usd_per_million_tokens
            assert usd is not None
            reached = rates.tokens_per_second_per_user >= scenario.target.user and whole.memory.fits
            assert not reached or result.hypothetical or usd >= node.best.usd_per_million_tokens * (1 - EXACT)


@each_setting
def test_nothing_that_was_found_beats_the_frontier(link: str) -> None:
    found = nodes(_scenario(link))
    for points, others in ((found.frontier, found.frontier), (found.frontier_without, found.frontier_without)):
        for one in points:
            for other in others:
                faster = other.tokens_per_second_per_user > one.tokens_per_second_per_user
                assert not (faster and other.usd_per_million_tokens <= one.usd_per_million_tokens)
    # With speculation one may do without it, so that its frontier is never behind.
    for plain in found.frontier_without:
        assert any(
            one.tokens_per_second_per_user >= plain.tokens_per_second_per_user * (1 - EXACT)
            and one.usd_per_million_tokens <= plain.usd_per_million_tokens * (1 + EXACT)
            for one in found.frontier
        )
    for node in found.ranked:
        point = node.cheapest
        assert any(
            one.tokens_per_second_per_user >= point.tokens_per_second_per_user * (1 - EXACT)
            and one.usd_per_million_tokens <= point.usd_per_million_tokens * (1 + EXACT)
            for one in found.frontier
        )


def test_without_a_target_it_is_what_this_setting_reaches_without_speculation() -> None:
    scenario = _scenario(f"{SMALL}&batch=16")
    found = nodes(scenario)
    assert not found.stated
    plain = evaluate(scenario).economics.without
    assert found.target.user == plain.tokens_per_second_per_user
    # This very node reaches it, at no less than this batch.
    (own,) = (
        node
        for node in found.ranked
        if (node.gpu, node.gpus, node.weights) == (scenario.gpu, scenario.gpus, "published")
    )
    assert own.without is not None
    assert own.without.batch >= scenario.batch


def test_an_impossible_target_says_what_comes_nearest() -> None:
    found = nodes(_scenario(f"{SMALL}&target=user:999999"))
    assert found.ranked == ()
    assert found.smallest is None
    assert found.nearest is not None
    assert found.nearest.tokens_per_second_per_user == max(one.tokens_per_second_per_user for one in found.frontier)
    assert {one.reason for one in found.left_out if one.nearest} == {"target"}


def test_what_is_left_out_has_its_reason() -> None:
    found = nodes(_scenario("model=llama-3.1-405b&target=user:5&nodes=h20,a100-80gb,h100-sxm,rtx-5090"))
    reasons = {(one.gpu, one.reason) for one in found.left_out}
    assert {("h20", "price"), ("rtx-5090", "price"), ("a100-80gb", "format"), ("h100-sxm", "memory")} <= reasons
    assert ("h100-sxm", "domain") in reasons
    (small,) = (one for one in found.left_out if (one.gpu, one.reason) == ("h100-sxm", "memory"))
    # 405 billion parameters of two bytes are more than the 85.5 GB that each of eight has.
    assert set(small.gpus) >= {1, 2, 4, 8}


def test_a_price_of_ones_own_lists_a_node_without_one() -> None:
    link = "model=qwen3-8b&target=user:50&nodes=h20@1"
    assert nodes(_scenario(link)).ranked == ()
    (dear, *_), (cheap, *_) = (nodes(_scenario(f"{link}&prices=h20:{usd}")).ranked for usd in (4, 2))
    assert dear.price_date == ""
    assert dear.cheapest.usd_per_million_tokens == pytest.approx(2 * cheap.cheapest.usd_per_million_tokens, rel=EXACT)


def test_more_memory_and_bandwidth_never_cost_more_to_reach_a_target() -> None:
    link = f"{SMALL}&target=user:100&nodes=h100-sxm@1&price=3"
    first = nodes(_scenario(link)).ranked[0].cheapest
    better = nodes(_scenario(f"{link}&gpu.bandwidth=6e12&gpu.memory=2e11")).ranked[0].cheapest
    assert better.usd_per_million_tokens < first.usd_per_million_tokens


def test_a_looser_target_never_costs_more() -> None:
    costs = [
        nodes(_scenario(f"{SMALL}&target=user:{rate}")).ranked[0].cheapest.usd_per_million_tokens
        for rate in (50, 100, 200, 400)
    ]
    assert costs == sorted(costs)


def test_the_command_prints_them_where_they_are_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    link = f"{SMALL}&target=user:100&nodes=h100-sxm@1-2"
    assert main(["evaluate", "--with", "nodes", link]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["nodes"]["target"] == {"user": 100.0, "usd": None, "ttft": None}
    assert printed["nodes"]["ranked"][0]["best"]["query"] == nodes(_scenario(link)).ranked[0].cheapest.query
    assert main(["evaluate", link]) == 0
    assert "nodes" not in json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("target=usd:.8,USER:50", "target=user:50,usd:0.8"),
        ("nodes=B200,h200-sxm@1-8,@2,fp8,tp+ep,tp ep,b200", "nodes=b200,h200-sxm@1-8,@2,fp8,tp+ep"),
        ("prices=h200-sxm:3.20,b200:5.5", "prices=b200:5.5,h200-sxm:3.2"),
        ("electricity=.1", "electricity=0.1"),
    ],
)
def test_a_link_says_it_in_one_form(written: str, read: str) -> None:
    decoded = decode(written)
    assert decoded.notices == ()
    assert f"&{read}&" in unquote(encode(decoded.scenario))
    assert decode(encode(decoded.scenario)) == decoded


@pytest.mark.parametrize(
    ("link", "key"),
    [
        ("target=user:fast", "target.user"),
        ("target=50", "target"),
        ("target=ttft:0.5", "target.ttft"),
        ("nodes=b2000", "nodes"),
        ("nodes=b200@8-1", "nodes"),
        ("nodes=b200@1-900", "nodes"),
        ("prices=b200", "prices"),
        ("prices=b200:cheap", "prices.b200"),
        ("prices=x<b>:1", "prices"),
        ("electricity=-1", "electricity"),
    ],
)
def test_a_bad_value_is_named(link: str, key: str) -> None:
    decoded = decode(link)
    assert [notice.key for notice in decoded.notices] == [key]
    assert decode(encode(decoded.scenario)).notices == ()
