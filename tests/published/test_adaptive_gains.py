"""What others measured of adaptive verification, beside what follows here, and where the two differ.

D-Cut (AngelSlim, https://angelslim.readthedocs.io/zh-cn/latest/dcut.html): DFlash drafters with 15 drafts a block on
H20, vLLM, temperature 0, mean output rate over GSM8K, MATH-500, HumanEval, MBPP and MT-Bench. Tokens of the whole
batch are ranked by the drafter's confidence in each, and a quarter, a half, three quarters or all of them are
verified. On Hy3 under live traffic (AngelSlim's README) it adds up to 15.7 % past concurrency 48, tokens per round
2.50 -> 2.46.

vLLM (its blog of 14 August 2026, https://github.com/vllm-project/vllm-project.github.io/pull/296, and pull requests
47808 and 52362): DSpark with 7 drafts. The blog draws its rates without numbers; pull request 52362 has them, of
DeepSeek-V4 on AMD Instinct, 880 ShareGPT requests of 512 output tokens. Checkpoint and number of accelerators are not
known here: V4-Flash on four MI355X, with acceptance 0.7, stands for them.

Where they differ from this model: their confidence is one per token and round, not one per request, which knows more,
so that their choices stand between what is adaptive here and the oracle. Theirs never verifies less than a quarter,
while here nothing may be drafted at all. Scoring costs time at small batches, and leaving the captured CUDA graphs
costs a jump at large ones: neither is counted here.
"""

from __future__ import annotations

import numpy as np
import pytest

from roofline_app.evaluation import adaptive, evaluate
from roofline_app.query import decode
from roofline_app.results import Floats
from roofline_app.speculation.adaptive_verification import adaptive_plans
from roofline_app.speculation.request_acceptance import request_survival, spread_survival

BATCHES = (4, 8, 16, 32, 64)
# Tokens accepted of 32 requests by verified tokens per request, the verified token among both: the same number for each
# request, and by confidence over the batch.
UNIFORM = {4: 101.4, 8: 152.9, 12: 183.0, 16: 201.2}
RANKED = {4: 124.6, 8: 190.8, 12: 200.9}
# Output rate with the drafts chosen, over that with all 15 verified, at `BATCHES`.
DENSE = (1864.063 / 1681.400, 2560.444 / 1904.860, 2967.737 / 2064.072, 3209.052 / 2137.384, 3349.553 / 2226.804)
SPARSE = (712.204 / 663.022, 1020.642 / 1000.440, 1623.313 / 1536.752, 2397.292 / 2271.395, 3257.695 / 2908.526)
# Output tokens per second without speculation, with 7 drafts, and with those chosen, by concurrency.
DSPARK = {
    4: (381.53, 970.33, 902.37),
    16: (1342.83, 2909.52, 2773.69),
    64: (4094.75, 6712.35, 7144.12),
    128: (6340.78, 8778.87, 10356.48),
    256: (8878.57, 7852.42, 13324.67),
}
DCUT = "gpu=h20&layout=tp&profile=calibrated&engine=vllm&context=1024&drafter=block,cost=physical"
HY3 = f"model=hy3&gpus=8&cap=7&{DCUT},length=2.5@7"


def _gain(query: str, drafts: int, batches: tuple[int, ...]) -> Floats:
    """Return the speed of adaptive verification over that of a fixed draft length."""
    (line,) = (found := adaptive(decode(query).scenario)).drafters
    assert line.adaptive is not None
    fixed = [evaluate(decode(f"{query}&batch={batch}").scenario).drafters[0].speedup[drafts] for batch in batches]
    return np.asarray(line.adaptive.speedup[np.searchsorted(found.batch, batches)] / fixed)


def test_one_acceptance_and_a_small_spread_are_what_was_accepted_at_each_length() -> None:
    survival = spread_survival(0.835, 0.04, 15)
    for tokens, accepted in UNIFORM.items():
        assert 1.0 + survival[: tokens - 1].sum() == pytest.approx(accepted / 32, rel=0.015)


@pytest.mark.parametrize("tokens", RANKED)
def test_knowing_each_token_is_worth_more_than_knowing_each_request(tokens: int) -> None:
    requests = request_survival(spread_survival(0.835, 0.04, 15), 0.04)
    plans = adaptive_plans(requests, 1.0)
    whole = plans.draft_tokens == 15
    known = 32 * np.interp(tokens, plans.query_tokens[whole], plans.tokens_per_round[whole])
    fate = 32 * min(tokens, 1.0 + requests.mean.sum())
    assert UNIFORM[tokens] < known < RANKED[tokens] < fate * 1.001


def test_a_dense_model_gains_more_than_a_sparse_one_and_more_at_larger_batches() -> None:
    dense = _gain(f"model=qwen3-8b&gpus=1&cap=15&{DCUT},model=qwen3-8b-dflash,length=6.3@15,spread=0.04", 15, BATCHES)
    sparse = _gain(f"model=qwen3.5-35b-a3b&gpus=4&cap=15&{DCUT},length=6.3@15,spread=0.04", 15, BATCHES)
    for measured, computed in ((DENSE, dense), (SPARSE, sparse)):
        assert measured[-1] > measured[1]
        assert computed[-1] > computed[1]
    # From batch 8 on a dense model gains a third and more, a sparse one a few percent to a quarter.
    for one, other in ((DENSE, SPARSE), (dense, sparse)):
        assert all(high > low for high, low in zip(one[1:], other[1:], strict=True))
        assert min(one[1:]) > 1.2
        assert max(other[1:]) < 1.3
    # Within a quarter while both speculate; at 32 and 64 plain decoding is best here and not a choice there.
    assert dense[:3] == pytest.approx(np.array(DENSE[:3]), rel=0.25)
    assert sparse == pytest.approx(np.array(SPARSE), rel=0.25)


def test_the_gain_under_live_traffic_is_that_of_requests_that_differ_little() -> None:
    alike, spread = (_gain(f"{HY3},spread={spread}", 7, (48, 64)).max() - 1.0 for spread in (0.0, 0.2))
    assert 0.05 < alike < 0.157 < spread < 0.25


def test_seven_drafts_lose_at_large_batches_and_those_chosen_do_not() -> None:
    without, fixed, chosen = DSPARK[256]
    assert fixed < without < chosen
    gains = np.array([chosen / fixed for _, fixed, chosen in DSPARK.values()])
    batches = tuple(DSPARK)
    query = "model=deepseek-v4-flash&gpu=mi355x&gpus=4&context=1024&cap=7&profile=calibrated&engine=vllm"
    computed = _gain(f"{query}&drafter=dspark,cost=physical,acceptance=0.7,spread=0.1", 7, batches)
    # Both rise with the batch; scoring costs up to 8 % of it there, and the last batch leaves the captured graphs.
    assert np.all(np.diff(gains) > 0.0)
    assert np.all(np.diff(computed) > 0.0)
    assert computed[:-1] == pytest.approx(gains[:-1], rel=0.15)
    assert 1.1 < computed[-1] < gains[-1]
