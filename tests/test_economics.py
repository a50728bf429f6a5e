"""Rates and prices: what a batch earns is what it would earn as the setting's own."""

import numpy as np
import pytest

from roofline_app.evaluation import evaluate
from roofline_app.query import decode
from roofline_app.results import Evaluation


def _evaluation(link: str) -> Evaluation:
    return evaluate(decode(link).scenario)


@pytest.mark.parametrize("batch", [1, 32, 4096])
@pytest.mark.parametrize("link", ["", "model=qwen3-8b&gpus=1&gpu=h100-sxm&drafter=ngram"])
def test_rates_by_batch_are_the_economics_of_that_batch(link: str, batch: int) -> None:
    by_batch = _evaluation(link).best_by_batch
    economics = _evaluation(f"{link}&batch={batch}").economics
    row = by_batch.batch.tolist().index(batch)
    pairs = [(by_batch.without, economics.without)]
    pairs += [(line.rates, rates) for line, rates in zip(by_batch.drafters, economics.drafters, strict=True)]
    for curve, rates in pairs:
        assert curve.tokens_per_second_per_user[row] == pytest.approx(rates.tokens_per_second_per_user, rel=1e-12)
        assert curve.tokens_per_second_per_gpu[row] == pytest.approx(rates.tokens_per_second_per_gpu, rel=1e-12)
        assert curve.usd_per_million_tokens is not None
        assert curve.usd_per_million_tokens[row] == pytest.approx(rates.usd_per_million_tokens, rel=1e-12)


def test_a_larger_batch_serves_each_user_slower_and_each_gpu_better() -> None:
    without = _evaluation("").best_by_batch.without
    assert np.all(np.diff(without.tokens_per_second_per_user) < 0)
    assert np.all(np.diff(without.tokens_per_second_per_gpu) > 0)


def test_the_best_draft_length_never_serves_a_user_slower_than_plain_decoding() -> None:
    by_batch = _evaluation("").best_by_batch
    for line in by_batch.drafters:
        assert np.all(line.rates.tokens_per_second_per_user >= by_batch.without.tokens_per_second_per_user)
