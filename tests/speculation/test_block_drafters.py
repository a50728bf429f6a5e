"""Drafters of blocks besides DFlash, parallel heads, chains of next-token layers: published sizes, and their passes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from roofline_app import registry
from roofline_app.evaluation import evaluate
from roofline_app.model.to_terms import weight_bytes
from roofline_app.query import decode
from roofline_app.resolved import ChosenDrafter, chosen_drafter
from roofline_app.results import DrafterResult, PhysicalDrafter
from roofline_app.verdict import answer

H100 = "&gpu=h100-sxm&gpus=1&batch=1&context=1&cap=20&drafter="


def _drafter(query: str) -> DrafterResult:
    decoded = decode(query)
    assert decoded.notices == ()
    return evaluate(decoded.scenario).drafters[0]


def _physical(query: str) -> PhysicalDrafter:
    found = _drafter(query).physical
    assert found is not None
    return found


def _named(query: str) -> ChosenDrafter:
    scenario = decode(query).scenario
    found = chosen_drafter(scenario.drafters[0], scenario)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("model", "kind", "parameters"),
    [
        # Backbone, Markov table and matrix, confidence head.
        pytest.param("kimi-k3", "dspark", 2_165_396_096 + 2 * 41_943_040 + 7_425, id="Kimi-K3 DSpark"),
        pytest.param("qwen3-8b", "domino", 1_048_626_432 + 15_728_640 + 1_310_720 + 38_895_616, id="Qwen3-8B Domino"),
        pytest.param("qwen3-8b", "peagle", 847_302_656 + 131_072_000, id="Qwen3-8B P-EAGLE"),
        pytest.param("qwen3-30b-a3b", "eagle3,model=qwen3-30b-a3b-eagle3.1", 117_454_848 + 65_536_000, id="EAGLE-3.1"),
    ],
)
def test_a_drafter_has_the_published_parameters(model: str, kind: str, parameters: int) -> None:
    assert _physical(f"model={model}{H100}{kind}").parameters == parameters


def test_the_released_dflash2_drafter_is_as_large_as_its_file() -> None:
    # Its safetensors: DFlash's tensors and ten convolutions, two codebooks of 248320 x 256, a projection of 256 x 5120.
    assert _physical(f"model=qwen3.8-27b{H100}dflash2").weight_bytes == pytest.approx(3.85e9, rel=1e-3)


def test_step_keeps_three_next_token_layers_with_a_head_each() -> None:
    assert _physical(f"model=step-3.7-flash{H100}mtp").parameters == 809_390_336
    chain = _physical(f"model=step-3.7-flash{H100}mtp-chain")
    assert (chain.parameters, chain.longest_draft, chain.generic) == (3 * 809_390_336, 3, False)


@pytest.mark.parametrize(
    ("model", "kind", "cache"),
    [("kimi-k3", "dspark", 20480), ("qwen3-8b", "domino", 20480), ("qwen3-8b", "peagle", 16384)],
)
def test_a_drafters_cache_has_the_derived_bytes(model: str, kind: str, cache: int) -> None:
    assert _physical(f"model={model}{H100}{kind}").kv_bytes_per_token == cache


@pytest.mark.parametrize(
    ("model", "kind", "drafts"),
    [("qwen3-8b", "dspark", 7), ("kimi-k3", "dspark", 7), ("qwen3-8b", "domino", 15), ("qwen3.6-27b", "dflash2", 7)],
)
def test_a_checkpoints_block_drafts_what_its_kind_makes_of_its_positions(model: str, kind: str, drafts: int) -> None:
    found = _drafter(f"model={model}{H100}{kind},cost=physical")
    assert found.block == drafts
    assert found.physical is not None
    assert found.physical.draft_tokens_per_pass == drafts
    # One pass up to the block's last draft, and a second one from the next on.
    assert found.drafting_seconds[drafts] == pytest.approx(found.drafting_seconds[1], rel=0.02)
    assert found.drafting_seconds[drafts + 1] > 1.5 * found.drafting_seconds[drafts]


def _read_bytes(model: str, kind: str) -> float:
    """Return the bytes of one draft pass without a context, as its time at the full bandwidth gives them."""
    drafter = _drafter(f"model={model}{H100}{kind},cost=physical")
    return float(drafter.drafting_seconds[1]) * registry.gpu("h100-sxm").memory_bytes_per_second


@pytest.mark.parametrize(
    ("model", "kind", "weights"),
    [
        # Backbone, the target's head, and the same matrix at each of seven steps.
        pytest.param("kimi-k3", "dspark", 2_165_396_096 + 1_174_405_120 + 7 * 41_943_040, id="DSpark"),
        # Fourteen corrections: cell and projection each, 2048 candidates once.
        pytest.param(
            "qwen3-8b",
            "domino",
            1_048_626_432 + 622_329_856 + 14 * (15_728_640 + 1_310_720) + 2048 * 256,
            id="Domino",
        ),
        pytest.param("qwen3-8b", "peagle", 847_302_656 + 131_072_000, id="P-EAGLE"),
    ],
)
def test_a_draft_pass_reads_what_the_models_code_reads(model: str, kind: str, weights: int) -> None:
    assert _read_bytes(model, kind) == pytest.approx(2 * weights, rel=2e-3)


def test_the_sequential_part_takes_a_step_per_token_and_nothing_where_there_is_none() -> None:
    whole = _drafter(f"model=qwen3-8b{H100}dspark,cost=physical")
    half = _drafter(f"model=qwen3-8b{H100}dspark,cost=physical,block=3")
    step = 256 * 151_936 * 2 / registry.gpu("h100-sxm").memory_bytes_per_second
    assert whole.drafting_seconds[1] - half.drafting_seconds[1] == pytest.approx(4 * step, rel=0.01)
    plain = _named(f"model=qwen3-8b{H100}block")
    assert weight_bytes(plain.terms.step) == 0.0


def test_a_parallel_head_drafts_all_tokens_in_one_pass_over_no_more_positions_than_they_are() -> None:
    few, many = (
        _drafter(f"model=qwen3-8b&gpu=h100-sxm&gpus=1&batch={n}&drafter=peagle,cost=physical") for n in (1, 512)
    )
    assert few.drafting_seconds[8] == pytest.approx(few.drafting_seconds[1], rel=0.01)
    assert few.drafting_seconds[9] > 1.5 * few.drafting_seconds[8]
    # Where arithmetic takes longest, eight tokens take longer than one.
    assert many.drafting_seconds[8] > 1.5 * many.drafting_seconds[1]
    assert np.all(np.diff(many.drafting_seconds) > 0)


def test_a_chain_drafts_as_many_tokens_as_it_has_layers() -> None:
    query = f"model=step-3.7-flash{H100}mtp-chain,acceptance=0.9,cost=physical"
    found = _drafter(query)
    np.testing.assert_allclose(found.tokens_per_round[:4], [1, 1.9, 2.71, 3.439])
    assert set(found.tokens_per_round[4:]) == {found.tokens_per_round[3]}
    assert found.best.draft_tokens <= 3
    # Each layer reads weights and a head of its own, and takes the committed tokens in.
    assert found.drafting_seconds[3] == pytest.approx(3 * found.drafting_seconds[1], rel=0.01)
    assert found.drafting_seconds[3] == found.drafting_seconds[20]
    assert any("at most 3 tokens" in notice for notice in answer(evaluate(decode(query).scenario)).notices)


def test_a_chain_of_a_model_without_one_is_named_as_a_stand_in() -> None:
    for model in ("qwen3-8b", "deepseek-v3"):
        found = _physical(f"model={model}{H100}mtp-chain,cost=physical")
        assert (found.generic, found.longest_draft) == (True, 3)
        assert found.assumed.startswith("3 more of ")


def test_a_chains_caches_all_count_in_memory() -> None:
    query = "model=deepseek-v3&gpus=8&batch=4&context=1000&drafter="
    one, three = (evaluate(decode(query + kind).scenario).memory.parts.drafter for kind in ("mtp", "mtp-chain"))
    assert three == pytest.approx(3 * one)


def test_dspark_weights_in_a_block_line_are_run_as_a_plain_block() -> None:
    # As they were before DSpark was a kind of its own: seven positions, of which the first is the verified token's.
    query = f"model=qwen3-8b{H100}block,model=qwen3-8b-dspark,cost=physical"
    found = _physical(query)
    assert (found.draft_tokens_per_pass, found.parameters) == (6, 1_048_622_336)
    assert "without what it has besides its layers" in found.assumed
    dflash = _named(f"model=qwen3-8b{H100}block").terms
    dspark = _named(query).terms
    assert replace(dspark, block=dflash.block) == dflash


@pytest.mark.parametrize("kind", ["dspark", "dflash2", "domino"])
def test_what_a_block_runs_is_refused_elsewhere(kind: str) -> None:
    decoded = decode("model=qwen3-8b&drafter=eagle3,model=qwen3-8b-dspark")
    assert [notice.key for notice in decoded.notices] == ["drafter.model"]
    assert kind in registry.drafter_kind("block").runs


def test_what_lies_beyond_a_drafters_or_a_measurements_context_is_said() -> None:
    def said(query: str) -> str:
        return " ".join(answer(evaluate(decode(query).scenario)).notices)

    long = "model=llama-3.1-8b&gpu=h100-sxm&gpus=1&context=8192&drafter=eagle3"
    assert "contexts of up to 2k tokens" in said(f"{long},cost=physical")
    assert "made for" not in said(long)
    assert "made for" not in said(f"{long.replace('8192', '1024')},cost=physical")
