"""Rates and prices: what a batch earns is what it would earn as the setting's own."""

import numpy as np
import pytest

from roofline_app.evaluation import evaluate
from roofline_app.query import decode
from roofline_app.results import Evaluation, Payoff


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


def _payoff(link: str) -> Payoff:
    payoff = _evaluation(link).payoff
    assert payoff
    return payoff


def test_without_tokens_per_round_after_training_there_is_no_payoff() -> None:
    assert _evaluation("traffic=1e9&training=1000").payoff is None


def test_training_that_changes_nothing_saves_nothing() -> None:
    now = _evaluation("drafter=mtp").drafters[0].best.tokens_per_round
    payoff = _payoff(f"drafter=mtp&traffic=1e9&training=1000&after={now!r}")
    assert payoff.usd_saved_per_day == pytest.approx(0.0, abs=1e-6)
    assert payoff.speedup[0] == pytest.approx(payoff.speedup[1])


def test_twice_the_tokens_per_round_halve_the_gpus_and_the_bill() -> None:
    now = _evaluation("drafter=block").drafters[0].best.tokens_per_round
    payoff = _payoff(f"drafter=block&traffic=1e9&training=1000&after={2 * now!r}")
    assert payoff.gpus
    assert payoff.usd_per_day
    assert payoff.usd_saved_per_day
    assert payoff.gpus[1] == pytest.approx(payoff.gpus[0] / 2)
    assert payoff.usd_saved_per_day == pytest.approx(payoff.usd_per_day[0] / 2)
    assert payoff.break_even_days == pytest.approx(1000 / payoff.usd_saved_per_day)


def test_now_is_what_the_evaluation_says() -> None:
    evaluation = _evaluation("drafter=block&after=9&traffic=1e9&price=2")
    payoff = evaluation.payoff
    assert payoff
    assert payoff.speedup[0] == pytest.approx(evaluation.drafters[0].best.speedup, rel=1e-12)
    rates = evaluation.economics.drafters[0]
    assert payoff.tokens_per_second_per_gpu[0] == pytest.approx(rates.tokens_per_second_per_gpu, rel=1e-12)
    assert payoff.usd_per_day
    assert rates.usd_per_million_tokens
    assert payoff.usd_per_day[0] == pytest.approx(1000 * rates.usd_per_million_tokens, rel=1e-12)


def test_no_training_commits_more_than_the_draft_and_the_bonus_token() -> None:
    payoff = _payoff("drafter=mtp&after=60")
    assert payoff.tokens_per_round[1] == payoff.draft_tokens + 1


def test_where_drafting_does_not_pay_plain_decoding_serves_until_training_makes_it_pay() -> None:
    link = "model=qwen3-32b&gpu=h100-sxm&gpus=8&batch=1024&context=512&drafter=draft,acceptance=0.6,cost=0.2"
    payoff = _payoff(f"{link}&after=1.01&traffic=1e9")
    assert payoff.speedup == (1.0, 1.0)
    assert payoff.usd_saved_per_day == 0.0
    assert payoff.break_even_days is None


@pytest.mark.parametrize("batch", [1, 64, 1024])
def test_gpus_that_only_draft_are_paid_for(batch: int) -> None:
    link = "model=qwen3.5-27b&gpu=h100-sxm&gpus=2&context=30000&drafter=draft,placement=separate&after=6&traffic=1e9"
    evaluation = _evaluation(f"{link}&batch={batch}")
    (line,), (rates,), payoff = evaluation.drafters, evaluation.economics.drafters, evaluation.payoff
    assert line.separate is not None
    gpus = 2 + line.separate.gpus if line.best.draft_tokens else 2
    assert rates.tokens_per_second_per_gpu == pytest.approx(rates.tokens_per_second_per_node / gpus)
    price = evaluation.economics.usd_per_gpu_hour
    assert price is not None
    assert rates.usd_per_million_tokens == pytest.approx(price * 1e6 / 3600 / rates.tokens_per_second_per_gpu)
    curve, row = evaluation.best_by_batch.drafters[0].rates, evaluation.best_by_batch.batch.tolist().index(batch)
    assert curve.tokens_per_second_per_gpu[row] == pytest.approx(rates.tokens_per_second_per_gpu, rel=1e-12)
    assert payoff is not None
    assert payoff.tokens_per_second_per_gpu[0] == pytest.approx(rates.tokens_per_second_per_gpu, rel=1e-12)
