"""The numbers of the lesson, all of them from the library, as text; and the rows of its tables."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from roofline_app import format as fmt
from roofline_app.evaluation import evaluate
from roofline_app.results import Evaluation
from roofline_app.scenario import Scenario
from roofline_app.speculation.acceptance import constant_survival, tokens_per_round
from roofline_app.timing.experts import distinct_experts

ARTICLE = Scenario()
DENSE = Scenario(model="qwen3.5-27b", gpus=1, batch=1)
MTP, BLOCK = 1, 2  # positions of the default's drafters
DRAFTS = 3
BATCHES = tuple(2**power for power in range(13))
TABLE_BATCHES = BATCHES[::2]
LONGEST = 12
PROMPT, OUTPUT = 4096, 1024


@cache
def article(batch: int = ARTICLE.batch) -> Evaluation:
    """Return the article's setting at a batch."""
    return evaluate(Scenario(batch=batch))


@cache
def dense(batch: int = 1) -> Evaluation:
    """Return a dense model on one GPU at a batch."""
    return evaluate(Scenario(model=DENSE.model, gpus=1, batch=batch))


def verify_steps(evaluation: Evaluation, draft_tokens: int = DRAFTS) -> float:
    """Return what verifying so many draft tokens costs, in plain steps."""
    return float(evaluation.drafters[MTP].verifying_seconds[draft_tokens] / evaluation.step.seconds)


def experts_of(evaluation: Evaluation, draft_tokens: int) -> float:
    """Return the experts of a layer that a pass over so many draft tokens of each sequence touches."""
    model, tokens = evaluation.model, evaluation.batch * (draft_tokens + 1)
    return float(distinct_experts(model.experts, model.experts_per_token, tokens))


def _number(value: float) -> str:
    return f"{value:.2f}"


def _dense() -> dict[str, str]:
    shown = dense()
    step = shown.step
    read, computed = (sum(getattr(part, what) for part in step.components) for what in ("bytes", "flops"))
    peak, bandwidth = shown.node.flops_per_second["bf16"], shown.node.memory_bytes_per_second
    weights = next(part for part in step.components if part.name == "feed_forward")
    return {
        "dense_name": shown.model.name,
        "dense_gpu": shown.node.name,
        "dense_bytes": fmt.bytes_(read),
        "dense_bandwidth": fmt.scaled(bandwidth, "B/s"),
        "dense_step": fmt.seconds(step.seconds),
        "dense_rate": fmt.rate(1 / step.seconds),
        "dense_flops": fmt.scaled(computed, "FLOP"),
        "dense_arithmetic": fmt.seconds(computed / peak),
        # Tokens whose arithmetic takes as long as reading the weights of the largest component.
        "dense_ridge": fmt.significant(weights.bytes / bandwidth * peak / weights.flops, 2),
        "dense_verify": _number(verify_steps(shown)),
        "dense_verify_32": _number(verify_steps(dense(32))),
        "dense_verify_256": _number(verify_steps(dense(256))),
    }


def _round() -> dict[str, str]:
    shown = article()
    mtp, block, step = shown.drafters[MTP], shown.drafters[BLOCK], shown.step.seconds
    drafting = float(mtp.drafting_seconds[DRAFTS] / step)
    return {
        "model": shown.model.name,
        "gpus": fmt.count(shown.node.gpus),
        "gpu": shown.node.name,
        "batch": fmt.count(shown.batch),
        "alpha": fmt.decimal(float(mtp.survival[0])),
        "three_tokens": _number(mtp.tokens_per_round[DRAFTS]),
        "three_verify": _number(verify_steps(shown)),
        "three_draft": _number(drafting),
        "three_round": _number(verify_steps(shown) + drafting),
        "three_speedup": fmt.speedup(mtp.speedup[DRAFTS]),
        "best_length": str(mtp.best.draft_tokens),
        "best_speedup": fmt.speedup(mtp.best.speedup),
        "block_length": str(block.best.draft_tokens),
        "block_draft": _number(block.best.drafting_steps),
        "mtp_long_draft": _number(mtp.drafting_seconds[block.best.draft_tokens] / step),
    }


def turns(speedups: Sequence[float]) -> tuple[int, int]:
    """Return where a curve that falls, rises and falls turns: positions of its valley and of the peak after it."""
    valley = next(place for place in range(len(speedups) - 1) if speedups[place + 1] > speedups[place])
    return valley, valley + int(np.argmax(speedups[valley:]))


def _batches() -> dict[str, str]:
    lines = article().best_by_batch
    block = lines.drafters[BLOCK].speedup
    valley, top = turns(block.tolist())
    costs = [verify_steps(article(batch)) for batch in BATCHES]
    dearest = int(np.argmax(costs[: top + 1]))
    first, high, last = (article(batch) for batch in (BATCHES[0], BATCHES[top], BATCHES[-1]))
    return {
        "experts": fmt.count(first.model.experts),
        "experts_per_token": fmt.count(first.model.experts_per_token),
        "experts_step_1": fmt.significant(experts_of(first, 0), 2),
        "experts_verify_1": fmt.significant(experts_of(first, DRAFTS), 2),
        "verify_1": _number(costs[0]),
        "peak_batch": fmt.count(BATCHES[dearest]),
        "verify_peak": _number(costs[dearest]),
        "valley_batch": fmt.count(BATCHES[valley]),
        "valley_speedup": fmt.speedup(block[valley]),
        "top_batch": fmt.count(BATCHES[top]),
        "top_speedup": fmt.speedup(block[top]),
        "experts_step_top": fmt.count(experts_of(high, 0)),
        "verify_top": _number(costs[top]),
        "verify_last": _number(verify_steps(last)),
        "last_speedup": fmt.speedup(block[-1]),
    }


def _requests() -> dict[str, str]:
    shown = evaluate(Scenario(prompt=PROMPT, output=OUTPUT)).end_to_end
    if shown is None:
        message = "requests of a prompt and an output have rates"
        raise ValueError(message)
    line = shown.drafters[BLOCK]
    return {
        "prompt": fmt.count(PROMPT),
        "output": fmt.count(OUTPUT),
        "decoding_speedup": fmt.speedup(line.speedup),
        "reported_speedup": fmt.speedup(line.reported_speedup),
    }


def _exercises() -> dict[str, str]:
    few, many = (float(distinct_experts(128, 8, tokens)) for tokens in (16, 64))
    model, drafter = np.array([0.6, 0.3, 0.1]), np.array([0.4, 0.5, 0.1])
    prompt, decoding = 2.0, 10.0
    return {
        "exercise_tokens": _number(float(tokens_per_round(constant_survival(0.8, 4))[-1])),
        "exercise_needed": _number(1.5 + 0.1 - 1.0),
        "exercise_step_experts": fmt.count(few),
        "exercise_verify_experts": fmt.count(many),
        "exercise_expert_ratio": _number(many / few),
        "exercise_sampled": _number(float(np.minimum(model, drafter).sum())),
        "exercise_whole": fmt.speedup((prompt + decoding) / (prompt + decoding / 3)),
    }


@cache
def values() -> dict[str, str]:
    """Return every number of the lesson by the name that its text gives it."""
    return {**_dense(), **_round(), **_batches(), **_requests(), **_exercises()}


def length_rows() -> list[list[str]]:
    """Return a round of MTP by draft length: tokens, costs in steps, speedup."""
    shown = article()
    mtp, step = shown.drafters[MTP], shown.step.seconds
    verify, drafts = mtp.verifying_seconds / step, mtp.drafting_seconds / step
    columns = (mtp.tokens_per_round, verify, drafts, verify + drafts)
    return [
        [str(length), *(_number(column[length]) for column in columns), fmt.speedup(mtp.speedup[length])]
        for length in range(LONGEST + 1)
    ]


def batch_rows() -> list[list[str]]:
    """Return experts, the cost of a verify and the block drafter's best, by batch."""
    best = article().best_by_batch.drafters[BLOCK]
    rows = list[list[str]]()
    for batch in TABLE_BATCHES:
        shown, place = article(batch), BATCHES.index(batch)
        experts = (fmt.count(experts_of(shown, drafts)) for drafts in (0, DRAFTS))
        reached = (fmt.speedup(best.speedup[place]), str(best.draft_tokens[place]))
        rows.append([fmt.count(batch), *experts, _number(verify_steps(shown)), *reached])
    return rows
