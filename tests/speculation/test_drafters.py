"""Drafters with weights: their published sizes, and what drafting with them costs."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from reference_data import config_facts

from roofline_app import registry
from roofline_app.evaluation import evaluate
from roofline_app.evaluation.memory import drafter_memory
from roofline_app.model.config_json import read_config
from roofline_app.query import decode
from roofline_app.resolved import ChosenDrafter, chosen_drafter, resolve
from roofline_app.results import DrafterResult, Evaluation, Floats, PhysicalDrafter
from roofline_app.speculation.drafting import Round, physical_drafting_seconds
from roofline_app.timing.pass_time import pass_time
from roofline_app.timing.workload import ComponentWork
from roofline_app.verdict import answer


def _evaluated(query: str) -> Evaluation:
    decoded = decode(query)
    assert decoded.notices == ()
    return evaluate(decoded.scenario)


def _drafter(query: str) -> DrafterResult:
    return _evaluated(query).drafters[0]


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
    ("model", "parameters"),
    [
        # Text, vision tower and this layer add up to the checkpoint's total, to the last parameter.
        pytest.param("qwen3.5-9b", 243_290_624, id="Qwen3.5 9B, safetensors total"),
        pytest.param("qwen3.5-27b", 424_699_392, id="Qwen3.6 27B, safetensors total"),
        pytest.param("qwen3.5-4b", 120_599_552, id="Qwen3.5 4B"),
    ],
)
def test_a_next_token_layer_has_the_published_parameters(model: str, parameters: int) -> None:
    assert _physical(f"model={model}&drafter=mtp").parameters == parameters


@pytest.mark.parametrize(
    ("model", "parameters", "active"),
    [
        ("qwen3.5-35b-a3b", 0.845e9, 0.064e9),
        ("qwen3.5-122b-a10b", 2.524e9, 0.183e9),
        ("qwen3.5-397b-a17b", 6.596e9, 0.279e9),
    ],
)
def test_a_next_token_layer_of_experts_has_the_published_parameters(
    model: str, parameters: float, active: float
) -> None:
    found = _named(f"model={model}&drafter=mtp").terms
    assert found.parameters == pytest.approx(parameters, abs=0.5e6)
    block = registry.model(model).dimensions.layers[0].feed_forward
    (experts,) = (term for term in found.body.layers[0].feed_forward)
    assert block is not None
    idle = (experts.experts - experts.experts_per_token) * experts.parameters_per_expert  # type: ignore[union-attr]
    assert found.parameters - idle == pytest.approx(active, abs=0.6e6)


@pytest.mark.parametrize(
    ("file", "layers", "parameters", "kv_bytes_per_token"),
    [
        ("qwen3.5-4b-dflash", 5, 0.537e9, 20480),
        ("qwen3.5-35b-a3b-dflash", 8, 0.474e9, 16384),
        ("qwen3.6-27b-dflash", 5, 1.730e9, 20480),
        ("qwen3-8b-dflash", 5, 1.049e9, 20480),
        ("qwen3-4b-dflash", 5, 0.537e9, 20480),
    ],
)
def test_a_dflash_drafter_has_the_derived_parameters_and_cache(
    file: str, layers: int, parameters: float, kv_bytes_per_token: int
) -> None:
    model = registry.drafter(file)
    found = _named(f"model={model.targets[0]}&drafter=block").terms
    assert sum(group.count for group in model.layers) == layers
    assert found.parameters == pytest.approx(parameters, abs=0.5e6)
    # Every layer writes each token once; where a layer keeps a window only, its cache does not grow.
    (written,) = (cache.bytes_written_per_token for cache in found.intake.layers[0].memory)  # type: ignore[union-attr]
    assert written == kv_bytes_per_token
    windows = any(group.mixer.limit for group in model.layers)  # type: ignore[union-attr]
    assert (found.kv_bytes_per_token < kv_bytes_per_token) == windows


def test_the_released_drafter_of_the_122b_model_takes_1_5_gb() -> None:
    assert _physical("model=qwen3.5-122b-a10b&drafter=block").weight_bytes == pytest.approx(1.55e9, rel=0.01)


def test_a_dflash_pass_of_the_27b_model_costs_11_7_percent_of_a_step() -> None:
    # (1.73 + 1.27) / 25.6 billion parameters: drafter and shared head over what a step reads.
    found = _drafter("model=qwen3.5-27b&gpus=1&batch=1&context=1&drafter=block,cost=physical")
    assert found.physical is not None
    assert found.physical.cost == pytest.approx(0.117, abs=0.001)


def test_a_dflash_pass_of_the_35b_model_costs_a_third_of_a_step_at_batch_1() -> None:
    found = _physical("model=qwen3.5-35b-a3b&gpus=1&batch=1&context=1&drafter=block,cost=physical")
    assert found.cost == pytest.approx(0.33, abs=0.01)


def test_doublewords_drafting_times_come_out() -> None:
    # Qwen3.6 35B-A3B on a B200 of 8 TB/s, batch 1, no caches: 141 µs for an MTP draft token, 245 µs for a block.
    query = "model=qwen3.6-35b-a3b&gpus=1&gpu.bandwidth=8e12&batch=1&context=1"
    assert _physical(f"{query}&drafter=mtp").seconds[2] / 2 == pytest.approx(141e-6, rel=0.05)
    assert _physical(f"{query}&drafter=block").seconds[15] == pytest.approx(245e-6, rel=0.02)


@pytest.mark.parametrize("kind", ["eagle3", "block", "draft", "mtp"])
def test_a_model_without_a_drafter_gets_a_generic_one_that_is_named(kind: str) -> None:
    evaluation = _evaluated(f"model=minimax-m2&batch=8&drafter={kind},cost=physical")
    (drafter,) = evaluation.drafters
    assert drafter.physical is not None
    generic = kind != "mtp"
    assert drafter.physical.generic == generic
    assert any(drafter.physical.name in notice for notice in answer(evaluation).notices) == generic
    assert bool(drafter.physical.assumed) == generic


def test_a_model_whose_config_states_no_next_token_layer_gets_one_of_its_last() -> None:
    found = _physical("model=llama-3.1-8b&drafter=mtp")
    assert found.generic
    layer = 32 / 32 * (registry.model("llama-3.1-8b").parameters - 2 * 128256 * 4096) / 32
    assert found.parameters == pytest.approx(layer + 2 * 4096**2, rel=0.01)


def test_a_readers_own_file_of_a_known_model_gets_its_drafters() -> None:
    text = json.dumps(config_facts()["Qwen__Qwen3-8B"])
    scenario = replace(decode("drafter=block,cost=physical").scenario, model="custom", config=text)
    assert read_config(text).dimensions == registry.model("qwen3-8b").dimensions
    found = chosen_drafter(scenario.drafters[0], scenario)
    assert found is not None
    assert found.id == "qwen3-8b-dflash"


def test_a_draft_model_can_be_chosen() -> None:
    chosen = _physical("model=llama-3.1-405b&drafter=draft,model=llama-3.3-70b")
    assert (chosen.id, chosen.generic) == ("llama-3.3-70b", False)
    assert chosen.seconds[1] > 5 * _physical("model=llama-3.1-405b&drafter=draft").seconds[1]


def test_a_drafter_of_the_registry_can_be_chosen_by_id() -> None:
    chosen = _physical("model=qwen3-8b&drafter=block,model=qwen3-8b-dspark")
    assert (chosen.id, chosen.draft_tokens_per_pass) == ("qwen3-8b-dspark", 6)


def test_a_draft_model_that_is_the_target_takes_a_step_per_further_token() -> None:
    evaluation = _evaluated("model=qwen3-8b&gpus=1&batch=4&drafter=draft,model=qwen3-8b")
    seconds = evaluation.drafters[0].drafting_seconds
    assert seconds[3] - seconds[2] == pytest.approx(evaluation.step.seconds, rel=0.05)
    assert evaluation.drafters[0].best.draft_tokens == 0


def test_a_block_takes_as_many_passes_as_its_checkpoint_needs() -> None:
    seconds = _drafter("model=qwen3.5-27b&cap=32&drafter=block,cost=physical").drafting_seconds
    assert seconds[0] == 0.0
    assert seconds[1] == pytest.approx(seconds[15], rel=0.01)
    assert seconds[16] / seconds[15] == pytest.approx(2, rel=0.03)
    assert seconds[31] / seconds[15] == pytest.approx(3, rel=0.03)


def test_a_checkpoints_block_drafts_one_token_fewer_than_it_has_positions() -> None:
    for line in ("cost=physical", "preset=qwen3.6-35b-a3b-dflash"):
        evaluation = _evaluated(f"model=qwen3.5-27b&gpus=1&cap=15&drafter=block,{line}")
        assert evaluation.drafters[0].block == 15
        assert answer(evaluation).notices == ()
    assert _drafter("drafter=block").block == 16


@pytest.mark.parametrize("block", [16, 32])
def test_a_block_longer_than_the_checkpoints_is_said_to_be_clamped(block: int) -> None:
    query = "model=qwen3.5-27b&gpus=1&drafter=block,cost=physical"
    evaluation = _evaluated(f"{query},block={block}")
    (notice,) = answer(evaluation).notices
    assert f"block={block}" in notice
    assert "15" in notice
    np.testing.assert_array_equal(evaluation.drafters[0].drafting_seconds, _drafter(query).drafting_seconds)


def test_ideal_and_n_gram_drafters_have_no_weights_and_take_no_time() -> None:
    for drafter in _evaluated("drafter=ideal&drafter=ngram").drafters:
        assert drafter.physical is None
        assert not drafter.drafting_seconds.any()


def test_a_relative_cost_shows_the_physical_one_beside_it_and_does_not_use_it() -> None:
    both = _drafter("model=qwen3.5-27b&gpus=1&drafter=block,cost=0.1")
    alone = _drafter("model=qwen3.5-27b&gpus=1&drafter=block,cost=physical")
    assert both.physical is not None
    np.testing.assert_array_equal(both.physical.seconds, alone.drafting_seconds)
    assert (both.cost, alone.cost) == (0.1, None)
    assert both.drafting_seconds[1] == pytest.approx(0.1 * both.verify.seconds / both.verify.steps)


def test_the_largest_drafter_counts_in_memory() -> None:
    query = "model=qwen3.5-27b&gpus=1&batch=4&context=1000"
    block = 2 * 1_730_208_000 + 4 * 1000 * 20480
    parts = _evaluated(f"{query}&drafter=mtp,cost=physical&drafter=block,cost=physical").memory.parts
    assert parts.drafter == block
    assert _evaluated(f"{query}&drafter=block,cost=0.1").memory.parts.drafter == block
    assert _evaluated(f"{query}&drafter=block,cost=physical,placement=separate").memory.parts.drafter == 0.0


def test_states_of_a_recurrent_draft_model_count_in_memory() -> None:
    query = "model=qwen3.5-27b&drafter=draft"
    draft = registry.model("qwen3.5-4b")
    more = drafter_memory(_named(query).terms, 10).bytes_per_sequence
    assert draft.dimensions.layers
    assert more > 50e6


def test_a_chosen_cache_format_is_the_drafters_too() -> None:
    query = "model=qwen3.5-27b&drafter=block,cost=physical"
    assert _physical(f"{query}&kv=fp8").kv_bytes_per_token == _physical(query).kv_bytes_per_token / 2


def test_a_larger_batch_and_more_committed_tokens_never_draft_faster() -> None:
    scenario = decode("model=qwen3.5-35b-a3b&drafter=mtp").scenario
    setting = resolve(scenario)

    def seconds(parts: list[ComponentWork]) -> Floats:
        return pass_time(parts, setting.roof).seconds

    terms = _named("model=qwen3.5-35b-a3b&drafter=mtp").terms
    draft_tokens = np.arange(17)
    shapes = [
        Round(batch=batch, draft_tokens=draft_tokens, committed_tokens=committed, context_tokens=context)
        for batch, committed, context in ((1, 1.0, 10), (8, 1.0, 10), (8, 4.0, 10), (8, 4.0, 10_000))
    ]
    grids = [physical_drafting_seconds(terms, shape, seconds) for shape in shapes]
    for less, more in pairwise(grids):
        assert np.all(more >= less)
    whole = physical_drafting_seconds(terms, replace(shapes[0], batch=np.array([[1], [8]])), seconds)
    np.testing.assert_array_equal(whole[0], grids[0])
    np.testing.assert_array_equal(whole[1], grids[1])


def test_a_drafter_on_its_own_gpus_never_pays_under_the_ideal_profile() -> None:
    # Short enough for one GPU to hold the drafter at every batch.
    query = "model=qwen3.5-27b&gpus=1&batch=8&context=256&drafter=block,cost=physical,placement=separate"
    evaluation = _evaluated(query)
    assert "moving it pays at no batch" in answer(evaluation).verdict
    (drafter,) = evaluation.drafters
    assert drafter.separate is not None
    assert not drafter.separate.pays
    assert drafter.separate.pays_at_batch.size == 0
    assert drafter.separate.speedup_same > drafter.best.speedup
    # One GPU either way: only the link is added.
    np.testing.assert_allclose(drafter.drafting_seconds, drafter.separate.same_seconds + drafter.separate.link_seconds)


def test_the_link_carries_hidden_states_of_the_committed_tokens() -> None:
    query = "model=qwen3.5-27b&gpus=1&batch=8&drafter=block,acceptance=1,cost=physical,placement=separate"
    drafter = _drafter(f"{query},link.latency=0.001,link.bandwidth=1000000")
    assert drafter.separate is not None
    hidden, tokens = 5 * 5120 * 2, 4
    sent = 8 * (4 * (hidden + tokens) + 3 * tokens)
    assert drafter.separate.link_seconds[3] == pytest.approx(2 * 0.001 + sent / 1e6)
    assert drafter.separate.link_seconds[0] == 0.0


def test_a_free_link_changes_nothing_on_one_gpu() -> None:
    query = "model=qwen3.5-27b&gpus=1&batch=8&drafter=block,cost=physical"
    free = _drafter(f"{query},placement=separate,link.latency=0,link.bandwidth=1e24")
    np.testing.assert_allclose(free.speedup, _drafter(query).speedup)


def test_draft_models_too_large_for_one_gpu_get_several() -> None:
    drafter = _drafter("model=llama-3.1-405b&batch=1&drafter=draft,model=llama-3.3-70b,placement=separate&gpu=l40s")
    assert drafter.separate is not None
    assert drafter.separate.gpus == 4
