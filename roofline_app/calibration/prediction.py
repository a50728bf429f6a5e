"""A user's measured points beside a setting's predictions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from roofline_app import query, registry
from roofline_app.calibration.benchmarks import MeasuredPoint
from roofline_app.calibration.benchmarks.points import ALONE
from roofline_app.calibration.differences import counted
from roofline_app.evaluation import evaluate
from roofline_app.evaluation.end_to_end import end_to_end
from roofline_app.resolved import real_drafters
from roofline_app.results import Evaluation
from roofline_app.scenario import (
    LARGEST_BATCH,
    LARGEST_CAP,
    LARGEST_CONTEXT,
    LARGEST_GPUS,
    MOST_BRANCHES,
    MOST_VERIFIED,
    Drafter,
    Scenario,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """Plain decoding beside a speculative run, where nobody measured it: the predicted step, as slow as the round was.

    Attributes:
        seconds_per_token: Of one sequence, prefill of others left out.
        low: Nine tenths of such inferences are between this and `high`: the profile's error of speedups.
        high: See `low`.
        speedup: Of the run, against it.
    """

    seconds_per_token: float
    low: float
    high: float
    speedup: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """What a setting predicts for one measured point.

    Attributes:
        query: Canonical link of the setting as predicted: the point's batch, context and GPUs, where it states them.
        drafter: Name of the line whose costs were taken; empty for plain decoding.
        seconds_per_token: Of one sequence; with the prefill of other requests where the point states the lengths of
            its prompts and outputs, as its own time between tokens is.
        error: Predicted over measured, minus 1.
        baseline: Plain decoding as inferred from a speculative run under a calibrated profile; None otherwise.
    """

    query: str
    drafter: str
    seconds_per_token: float
    error: float
    baseline: Baseline | None = None


def _drafting_line(scenario: Scenario) -> Drafter:
    """Return the setting's first line that stands for a real drafter; the first line where none does."""
    return real_drafters(scenario.drafters)[0]


def _evaluated(point: MeasuredPoint, scenario: Scenario, draft_tokens: int) -> Evaluation:
    drafter = replace(_drafting_line(scenario), topk=point.topk or 1, verified=point.verified or 0)
    return evaluate(
        replace(
            scenario,
            batch=counted(point.batch, scenario.batch, LARGEST_BATCH),
            context=counted(point.context_tokens, scenario.context, LARGEST_CONTEXT),
            gpus=counted(point.gpus, scenario.gpus, LARGEST_GPUS),
            cap=max(draft_tokens, 1),
            drafters=(drafter,),
            prompt=None,
            output=None,
            requests=None,
        )
    )


def _can_branch(point: MeasuredPoint, scenario: Scenario) -> bool:
    """Return whether the setting's drafter can draft a point's tree, and a tree of its size is evaluated."""
    within = (point.topk or 1) <= MOST_BRANCHES and (point.verified or 0) <= MOST_VERIFIED
    return within and registry.drafter_kind(_drafting_line(scenario).kind).trees


def _waiting(point: MeasuredPoint, evaluation: Evaluation, *, drafting: bool) -> float:
    """Return the seconds by which others' prompts delay a token; 0 where the point's figures are of decoding alone."""
    if point.file_format in ALONE or not (point.input_tokens and point.output_tokens):
        return 0.0
    prompt, output = (counted(tokens, 1, LARGEST_CONTEXT) for tokens in (point.input_tokens, point.output_tokens))
    requests = end_to_end(replace(evaluation.scenario, prompt=prompt, output=output), evaluation)
    if requests is None:
        return 0.0
    one = requests.drafters[0] if drafting else requests.without
    return float(requests.waiting_seconds(one.prefill_seconds))


def _baseline(evaluation: Evaluation, slower: float, seconds: float) -> Baseline | None:
    """Return plain decoding beside a speculative run that took so many times its predicted seconds per token."""
    if evaluation.uncertainty is None:
        return None
    band, step = evaluation.uncertainty.speedup, evaluation.step.seconds * slower
    # The band is of measured over predicted speedups, which err as the inferred step does.
    return Baseline(
        seconds_per_token=step, low=step * band.low, high=step * band.high, speedup=step / (seconds * slower)
    )


def predicted(point: MeasuredPoint, scenario: Scenario) -> Prediction | None:
    """Return a setting's prediction for a measured point.

    A round's seconds are the setting's; how many tokens it commits is the point's own, so that the error is that of
    the times alone.

    Args:
        point: A run; its batch, context and GPUs replace the setting's where it states them.
        scenario: Model, accelerator, formats, profile and drafter.

    Returns:
        The prediction, or None where the point states no time, or a speculative one neither draft length nor
        tokens per round, or a draft longer than any that is evaluated, or a tree that the drafter cannot draft.
    """
    draft_tokens, tokens = point.draft_tokens, point.tokens_per_round
    if point.topk and not _can_branch(point, scenario):
        return None
    if point.seconds_per_token is None or draft_tokens is None or draft_tokens > LARGEST_CAP or not tokens:
        return None
    evaluation = _evaluated(point, scenario, draft_tokens)
    line = evaluation.drafters[0]
    seconds = evaluation.step.seconds
    if draft_tokens:
        seconds = float(line.verifying_seconds[draft_tokens] + line.drafting_seconds[draft_tokens]) / tokens
    seconds += _waiting(point, evaluation, drafting=draft_tokens > 0)
    return Prediction(
        query=query.encode(evaluation.scenario),
        drafter=line.name if draft_tokens else "",
        seconds_per_token=seconds,
        error=seconds / point.seconds_per_token - 1.0,
        baseline=_baseline(evaluation, point.seconds_per_token / seconds, seconds) if draft_tokens else None,
    )


def all_predicted(points: Iterable[MeasuredPoint], scenario: Scenario) -> tuple[Prediction | None, ...]:
    """Return the predictions of points, in their order."""
    return tuple(predicted(point, scenario) for point in points)
