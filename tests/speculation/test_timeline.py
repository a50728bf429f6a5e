"""The race: its rates are the evaluation's, its bursts are rounds, and a seed is a race."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st

from roofline_app.evaluation import evaluate
from roofline_app.scenario import ConstantAcceptance, Drafter, Scenario
from roofline_app.speculation.timeline import SHORTEST_SECONDS, race, replay, sampled_bursts

EVALUATION = evaluate(Scenario())
LOSES = evaluate(
    Scenario(drafters=(Drafter(kind="mtp", acceptance=ConstantAcceptance(acceptance=0.05), cost=0.5),), batch=1)
)
BLOCK = 2
seeds = st.integers(0, 2**32 - 1)
survivals = st.lists(st.floats(0, 1), max_size=16).map(lambda rates: np.array(sorted(rates, reverse=True), dtype=float))


@pytest.mark.parametrize("drafter", range(3))
def test_rates_tend_to_those_of_the_evaluation(drafter: int) -> None:
    run = race(EVALUATION, drafter, seconds=200.0, seed=0)
    line = EVALUATION.drafters[drafter]
    expected = line.tokens_per_second_per_user[line.best.draft_tokens]
    assert run.plain_seconds.size / 200.0 == pytest.approx(1 / EVALUATION.step.seconds, rel=1e-3)
    assert run.speculative_seconds.size / 200.0 == pytest.approx(expected, rel=0.02)


def test_each_position_commits_as_often_as_its_survival_says() -> None:
    survival = np.array([0.9, 0.5, 0.5, 0.1, 0.0])
    bursts = sampled_bursts(survival, 100_000, seed=1)
    committed = [(bursts > position).mean() for position in range(1, survival.size + 1)]
    assert committed == pytest.approx(survival, abs=0.01)


@given(survivals, st.integers(0, 500), seeds)
def test_a_round_commits_the_bonus_token_and_at_most_all_drafts(
    survival: np.typing.NDArray[np.float64], rounds: int, seed: int
) -> None:
    bursts = sampled_bursts(survival, rounds, seed)
    assert bursts.shape == (rounds,)
    assert np.all((bursts >= 1) & (bursts <= survival.size + 1))
    assert np.all(bursts > np.count_nonzero(survival == 1.0))
    assert np.all(bursts <= 1 + np.count_nonzero(survival > 0.0))


@given(seeds, st.floats(0, 5), st.floats(0, 5))
def test_a_seed_is_a_race_and_a_longer_one_begins_with_it(seed: int, first: float, second: float) -> None:
    short, long = (race(EVALUATION, BLOCK, seconds=seconds, seed=seed) for seconds in sorted((first, second)))
    assert np.array_equal(long.burst_tokens[: short.burst_tokens.size], short.burst_tokens)
    assert np.array_equal(long.speculative_seconds[: short.speculative_seconds.size], short.speculative_seconds)
    assert np.array_equal(long.plain_seconds[: short.plain_seconds.size], short.plain_seconds)


@given(seeds)
def test_a_short_race_keeps_the_rate(seed: int) -> None:
    line = EVALUATION.drafters[BLOCK]
    run = race(EVALUATION, BLOCK, seconds=32.5 * line.best.seconds_per_round, seed=seed)
    assert run.burst_tokens.mean() == pytest.approx(line.best.tokens_per_round, rel=0.1)


def test_other_seeds_are_other_races() -> None:
    bursts = {race(EVALUATION, BLOCK, seconds=2.0, seed=seed).burst_tokens.tobytes() for seed in range(20)}
    assert len(bursts) == 20


@given(seeds, st.floats(0, 3))
def test_tokens_come_in_order_within_the_time_and_bursts_share_it(seed: int, seconds: float) -> None:
    run = race(EVALUATION, BLOCK, seconds=seconds, seed=seed)
    times, counts = np.unique(run.speculative_seconds, return_counts=True)
    assert np.array_equal(counts, run.burst_tokens)
    assert times == pytest.approx(run.seconds_per_round * np.arange(1, times.size + 1))
    for tokens in (run.plain_seconds, run.speculative_seconds):
        assert np.all(np.diff(tokens) >= 0)
        assert np.all((tokens > 0) & (tokens <= seconds * (1 + 1e-12)))


def test_without_a_gain_both_sides_are_alike() -> None:
    assert LOSES.drafters[0].best.draft_tokens == 0
    run = race(LOSES, 0, seconds=1.0, seed=3)
    assert np.array_equal(run.plain_seconds, run.speculative_seconds)
    assert set(run.burst_tokens.tolist()) == {1}


def test_certain_drafts_come_in_full_rounds() -> None:
    certain = replace(
        Scenario(), drafters=(Drafter(kind="ideal", acceptance=ConstantAcceptance(acceptance=1.0), cost=0.0),)
    )
    evaluation = evaluate(certain)
    run = race(evaluation, 0, seconds=1.0, seed=0)
    assert set(run.burst_tokens.tolist()) == {evaluation.drafters[0].best.draft_tokens + 1}


@pytest.mark.parametrize("seconds", [-1.0, float("nan"), float("inf")])
def test_an_impossible_length_is_refused(seconds: float) -> None:
    with pytest.raises(ValueError, match="cannot last"):
        race(EVALUATION, BLOCK, seconds=seconds, seed=0)


pauses_of = (
    st.lists(st.floats(0, 10), min_size=1, max_size=200)
    .map(np.array)
    .filter(lambda pauses: pauses.sum() >= SHORTEST_SECONDS)
)


@given(pauses_of, st.integers(1, 1000))
def test_a_replay_holds_every_token_and_every_second_of_the_stream(
    pauses: np.typing.NDArray[np.float64], tokens: int
) -> None:
    run = replay(pauses, tokens)
    assert run.burst_tokens.sum() == tokens
    assert run.burst_tokens.max() - run.burst_tokens.min() <= 1
    assert run.tokens_per_second == pytest.approx(tokens / pauses.sum())


def test_equal_pauses_in_a_row_are_one_burst_where_a_client_has_shared_them_out() -> None:
    run = replay(np.array([0.004, 0.004, 0.004, 0.0125, 0.006, 0.006]), 6, shared=True)
    assert run.burst_tokens.tolist() == [3, 1, 2]
    assert run.pauses == pytest.approx([0.012, 0.0125, 0.012])


@given(pauses_of)
def test_bursts_that_are_put_together_again_keep_tokens_and_time(pauses: np.typing.NDArray[np.float64]) -> None:
    run = replay(np.repeat(pauses, 3), 3 * pauses.size, shared=True)
    assert run.burst_tokens.sum() == 3 * pauses.size
    assert run.pauses.sum() == pytest.approx(3 * pauses.sum())


@pytest.mark.parametrize(
    ("pauses", "tokens"),
    [
        pytest.param([], 1, id="no pause"),
        pytest.param([0.0, 0.0], 2, id="no time"),
        pytest.param([5e-324], 1, id="no time that a rate could be of"),
        pytest.param([0.1, -0.1], 2, id="negative"),
        pytest.param([0.1, float("nan")], 2, id="not a number"),
        pytest.param([float("inf")], 2, id="infinite"),
        pytest.param([0.1], 0, id="no token"),
    ],
)
def test_an_impossible_stream_is_refused(pauses: list[float], tokens: int) -> None:
    with pytest.raises(ValueError, match="a stream takes pauses"):
        replay(np.array(pauses, dtype=np.float64), tokens)
