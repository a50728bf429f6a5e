"""Curves over batches are what separate evaluations at those batches give, under every profile, layout and drafter."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from roofline_app.evaluation import BATCHES, evaluate
from roofline_app.query import decode

EXACT = 1e-12
SETTINGS = (
    "model=deepseek-v4-pro&drafter=ideal&drafter=mtp,cost=physical&drafter=block&drafter=block,cost=physical,passes=2",
    "model=llama-3.1-405b&gpu=h100-sxm&gpus=2&batch=4096&context=8200&profile=vllm-hopper"
    "&drafter=draft,placement=separate&drafter=eagle3,cost=physical&drafter=eagle3,placement=separate,cost=0.05",
    "model=deepseek-v3.2&gpu=mi325x&batch=600&context=20000&profile=pooled&layout=dp+ep&experts=correlated"
    "&drafter=block,cost=physical,placement=separate&drafter=mtp,cost=physical&drafter=ngram",
    "model=qwen3.6-35b-a3b&gpus=1&batch=5&profile=calibrated&kv-read=add&drafter=mtp,mix=0.5:coding;0.5:qa,cost=physical"
    "&drafter=block,preset=qwen3.6-35b-a3b-dflash,cost=physical,relax=0.1&drafter=draft",
)


@pytest.mark.parametrize("query", SETTINGS, ids=lambda query: query.split("&")[0])
def test_each_batch_of_the_curves_is_an_evaluation_of_its_own(query: str) -> None:
    decoded = decode(query)
    assert decoded.notices == ()
    together = evaluate(decoded.scenario)
    for row, batch in enumerate(BATCHES):
        alone = evaluate(replace(decoded.scenario, batch=int(batch)))
        pairs = zip(together.best_by_batch.drafters, together.drafters, alone.drafters, strict=True)
        for (curve, here, single), rates in zip(pairs, alone.economics.drafters, strict=True):
            assert curve.draft_tokens[row] == single.best.draft_tokens
            assert curve.speedup[row] == pytest.approx(single.best.speedup, rel=EXACT)
            same_length = single.speedup[here.best.draft_tokens]
            assert curve.speedup_at_this_draft_length[row] == pytest.approx(same_length, rel=EXACT)
            per_gpu = curve.rates.tokens_per_second_per_gpu[row]
            assert per_gpu == pytest.approx(rates.tokens_per_second_per_gpu, rel=EXACT)
            if single.separate and here.separate:
                assert bool(single.separate.pays) == (batch in here.separate.pays_at_batch)


@pytest.mark.parametrize("query", SETTINGS, ids=lambda query: query.split("&")[0])
def test_an_empty_draft_is_plain_decoding_and_more_work_takes_no_less_time(query: str) -> None:
    scenario = decode(query).scenario
    before = evaluate(scenario)
    after = [evaluate(replace(scenario, batch=scenario.batch + 1)), evaluate(replace(scenario, context=30_000))]
    for drafter in before.drafters:
        assert (drafter.speedup[0], drafter.tokens_per_round[0], drafter.drafting_seconds[0]) == (1.0, 1.0, 0.0)
        assert np.all(np.diff(drafter.verifying_seconds) >= 0.0)
        assert np.all(np.diff(drafter.drafting_seconds) >= 0.0)
    for more in after:
        assert more.step.seconds >= before.step.seconds
        assert np.all(more.drafters[0].verifying_seconds >= before.drafters[0].verifying_seconds)
