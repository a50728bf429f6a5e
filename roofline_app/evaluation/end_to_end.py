"""Whole requests: what a benchmark of a server measures, from the rounds of decoding and the prefill of prompts.

Derived, with C requests in flight, a prompt's prefill of t seconds and O output tokens at s seconds each while nobody's
prompt is read in: a request's own prompt and, while it is in flight, C - 1 others delay it, so that it takes
O s + C t seconds, and C requests end in that time. A drafter shortens s alone: the longer the prompts and the more
requests are in flight, the less of its speedup a benchmark reports.
Assumed: all requests are alike; others' prompts come by chance (Poisson) in a request's life, and before its own as in
a queue with constant service (M/D/1). A benchmark of N requests begins with C prompts at once and ends with C requests
whose remaining lengths are spread evenly, so that its last wave thins out over one request's output.

Source:
    Little, A proof for the queuing formula L = λW, 1961; Pollaczek and Khinchine's mean wait of M/G/1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from roofline_app.economics import gpus_in_use
from roofline_app.evaluation.passes import BATCHES
from roofline_app.model.terms import Transformer
from roofline_app.resolved import ResolvedDrafter, ResolvedScenario, resolve, sharded_terms
from roofline_app.results import DrafterResult, EndToEnd, Evaluation, Floats, RequestRates
from roofline_app.scenario import Scenario, middle_context
from roofline_app.timing.prefill import Prefill

_LIKELY = 0.9
_THINNING_POINTS = 16


def request_scenario(scenario: Scenario) -> Scenario | None:
    """Return the setting of decoding that whole requests are made of; None where no prompt and output are stated.

    Args:
        scenario: The choices.

    Returns:
        The setting at the context in the middle of the output, with no more sequences than there are requests.
    """
    if scenario.prompt is None or scenario.output is None:
        return None
    return replace(
        scenario,
        context=middle_context(scenario.prompt, scenario.output),
        batch=min(scenario.batch, scenario.requests or scenario.batch),
        prompt=None,
        output=None,
        requests=None,
    )


def likely_prompts(mean: float, share: float = _LIKELY) -> int:
    """Return a number of others' prompts that a share of all requests does not exceed.

    Args:
        mean: Prompts that come in a request's life on average, by chance.
        share: Of requests.

    Returns:
        The share's quantile of the Poisson distribution.

    Examples:
        >>> likely_prompts(0.0), likely_prompts(1.0), likely_prompts(31.0)
        (0, 2, 38)
    """
    if mean <= 0.0:
        return 0
    counts = np.arange(math.ceil(mean + 12.0 * math.sqrt(mean) + 12.0))
    logarithms = np.concatenate(([0.0], np.cumsum(np.log(counts[1:]))))
    chances = np.exp(counts * math.log(mean) - mean - logarithms)
    return int(np.searchsorted(np.cumsum(chances), share))


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """Requests of one length on a node.

    Attributes:
        output: Output tokens of a request.
        concurrency: Requests in flight.
        requests: Of the benchmark, or None.
    """

    output: int
    concurrency: int
    requests: int | None

    def latency(self, token: Floats, prompt: Floats) -> Floats:
        """Return a request's seconds from those of a token, any shape, and of a prompt."""
        return self.output * token + self.concurrency * prompt

    def first_token(self, token: float, prompt: float, round_seconds: float) -> float:
        """Return the mean seconds to the first token: the prompts before it, its own, and a pass."""
        ahead = (self.concurrency - 1) / 2.0
        queued = min(self.concurrency * prompt / (2.0 * self.output * token), ahead)
        if self.requests is not None:
            first_wave = self.concurrency / self.requests
            queued = first_wave * ahead + (1.0 - first_wave) * queued
        return (1.0 + queued) * prompt + round_seconds

    def thinned(self, token: Floats) -> float:
        """Return the mean seconds of a token while the requests in flight go from all to none.

        Args:
            token: Seconds of a token at each of `BATCHES`, shape (batches,).
        """
        shares = (np.arange(_THINNING_POINTS) + 0.5) / _THINNING_POINTS
        left = np.log(np.maximum(shares * self.concurrency, 1.0))
        return float(np.mean(np.exp(np.interp(left, np.log(BATCHES), np.log(token)))))

    def whole(self, token: Floats, thinned: Floats, prompt: Floats) -> Floats:
        """Return the seconds of the whole benchmark; of one request in flight where none is stated.

        Args:
            token: Seconds of a token with all requests in flight, any shape.
            thinned: The same while the last wave thins out.
            prompt: Seconds of a prompt, of the same shape.
        """
        if self.requests is None:
            return self.latency(token, prompt)
        full = (self.requests - self.concurrency / 2.0) / self.concurrency
        return self.requests * prompt + full * self.output * token + self.output * thinned


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """Decoding with one line, or plain: seconds of tokens and prompts at draft lengths 0..cap, shape (cap + 1,)."""

    name: str
    draft_tokens: int
    token: Floats
    thinned: Floats
    round_seconds: float
    prompt: Floats
    gpus: int


def _rates(line: _Line, plain: _Line, load: Load) -> RequestRates:
    at = line.draft_tokens
    whole, plain_whole = (load.whole(one.token, one.thinned, one.prompt) for one in (line, plain))
    reported = float(plain_whole[0]) / whole
    token, prompt = float(line.token[at]), float(line.prompt[at])
    latency = float(load.latency(line.token, line.prompt)[at])
    others = load.concurrency - 1
    late = load.output * token + (1 + likely_prompts(others)) * prompt
    in_flight = load.concurrency if load.requests is None else load.requests
    return RequestRates(
        name=line.name,
        draft_tokens=at,
        prefill_seconds=prompt,
        first_token_seconds=load.first_token(token, prompt, line.round_seconds),
        seconds_per_output_token=token + others * prompt / load.output,
        end_to_end_seconds=latency,
        end_to_end_seconds_per_token=latency / load.output,
        end_to_end_seconds_per_token_p90=late / load.output,
        tokens_per_second_per_user=load.output / latency,
        tokens_per_second_per_gpu=in_flight * load.output / float(whole[at]) / line.gpus,
        seconds=None if load.requests is None else float(whole[at]),
        speedup=float(plain.token[0]) / token,
        reported_speedup=float(reported[at]),
        reported_by_draft_length=reported,
    )


def _plain(decoding: Evaluation, load: Load, prompt: float) -> _Line:
    rates = decoding.best_by_batch.without.tokens_per_second_per_user
    seconds = decoding.step.seconds
    return _Line(
        name="",
        draft_tokens=0,
        token=np.array([seconds]),
        thinned=np.array([load.thinned(1.0 / rates)]),
        round_seconds=seconds,
        prompt=np.array([prompt]),
        gpus=decoding.node.gpus,
    )


def own_prompt_seconds(drafter: ResolvedDrafter, resolved: ResolvedScenario, prompt: int, concurrency: int) -> float:
    """Return the seconds by which a drafter's own reading of a prompt delays the node."""
    chosen, line = drafter.chosen, drafter.line
    if chosen is None or line.cost is not None or line.placement != "same":
        return 0.0
    terms = chosen.terms
    parts = (terms.intake,) if terms.intake_alone else (terms.body, terms.intake)
    sharded = (sharded_terms(part, resolved.layout, resolved.roof.gpus) for part in parts if part.layers)
    return sum(prompt_seconds(replace(part, head=()), resolved, prompt, concurrency) for part in sharded)


def prompt_seconds(terms: Transformer, resolved: ResolvedScenario, prompt: int, concurrency: int) -> float:
    """Return the seconds by which a prompt's prefill delays the node."""
    prefill = Prefill(
        transformer=terms,
        roof=resolved.roof,
        constants=resolved.profile.constants,
        kv_read=resolved.scenario.kv_read,
        routing=resolved.routing,
    )
    return prefill.seconds(prompt, concurrency)


def _line(result: DrafterResult, by_batch: Floats, drafter_prompt: float, plain: _Line, load: Load) -> _Line:
    """Return a line; its last wave thins out as at its best draft length, at the others in proportion."""
    at, token = result.best.draft_tokens, 1.0 / result.tokens_per_second_per_user
    thinning = float(load.thinned(by_batch)) / token[at] if load.requests else 1.0
    return _Line(
        name=result.name,
        draft_tokens=at,
        token=token,
        thinned=thinning * token,
        round_seconds=result.best.seconds_per_round if at else plain.round_seconds,
        prompt=plain.prompt + np.where(result.draft_tokens > 0, drafter_prompt, 0.0),
        gpus=gpus_in_use(result, plain.gpus, at),
    )


def end_to_end(scenario: Scenario, decoding: Evaluation) -> EndToEnd | None:
    """Return whole requests, with and without each drafter.

    Args:
        scenario: The choices.
        decoding: The evaluation of `request_scenario(scenario)`.

    Returns:
        Latencies, rates and speedups; None where no prompt and output are stated.
    """
    if scenario.prompt is None or scenario.output is None:
        return None
    resolved = resolve(decoding.scenario)
    load = Load(output=scenario.output, concurrency=decoding.batch, requests=scenario.requests)
    plain = _plain(decoding, load, prompt_seconds(resolved.sharded, resolved, scenario.prompt, load.concurrency))
    by_batch = decoding.best_by_batch
    lines = []
    for result, over_batch, drafter in zip(decoding.drafters, by_batch.drafters, resolved.drafters, strict=True):
        own = own_prompt_seconds(drafter, resolved, scenario.prompt, load.concurrency)
        tokens = 1.0 / by_batch.without.tokens_per_second_per_user / over_batch.speedup_at_this_draft_length
        lines.append(_line(result, tokens, own, plain, load))
    return EndToEnd(
        prompt_tokens=scenario.prompt,
        output_tokens=scenario.output,
        requests=scenario.requests,
        concurrency=load.concurrency,
        context=decoding.context,
        without=_rates(plain, plain, load),
        drafters=tuple(_rates(line, plain, load) for line in lines),
    )
