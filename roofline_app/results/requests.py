"""Whole requests: prompts are read in beside the decoding of others, as benchmarks of servers measure it."""

from __future__ import annotations

from dataclasses import dataclass

from roofline_app.results.rates import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestRates:
    """Whole requests without speculation, or with one drafter at its best draft length.

    Attributes:
        name: Name of the line; empty without speculation.
        draft_tokens: Draft length; 0 without speculation.
        prefill_seconds: By which one prompt delays the node, the drafter's own prefill included.
        first_token_seconds: Mean time to the first token.
        seconds_per_output_token: Mean time between tokens after the first.
        end_to_end_seconds: Mean latency of a request.
        end_to_end_seconds_per_token: The same per output token.
        end_to_end_seconds_per_token_p90: Nine of ten requests stay below, as others' prompts come by chance.
        tokens_per_second_per_user: Output tokens over the latency.
        tokens_per_second_per_gpu: Output tokens of all requests over time and accelerators.
        seconds: From the first request's start to the last one's end; None where no number of requests is stated.
        speedup: Of decoding alone, at the context of the requests.
        reported_speedup: Of the throughput of whole requests, as a benchmark reports it.
        reported_by_draft_length: The same at draft lengths 0..cap; shape (cap + 1,), of 1 entry without speculation.
    """

    name: str
    draft_tokens: int
    prefill_seconds: float
    first_token_seconds: float
    seconds_per_output_token: float
    end_to_end_seconds: float
    end_to_end_seconds_per_token: float
    end_to_end_seconds_per_token_p90: float
    tokens_per_second_per_user: float
    tokens_per_second_per_gpu: float
    seconds: float | None
    speedup: float
    reported_speedup: float
    reported_by_draft_length: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class EndToEnd:
    """Whole requests of one length, so many in flight at any time.

    Attributes:
        prompt_tokens: Of each request.
        output_tokens: Of each request.
        requests: Requests of the benchmark, whose first wave begins at once and whose last one thins out; None for a
            steady state, both left out.
        concurrency: Requests in flight: the batch, or the requests where there are fewer.
        context: Tokens in each sequence's cache on average over its output, at which rounds are timed.
        without: Plain decoding.
        drafters: By line, in the scenario's order.
    """

    prompt_tokens: int
    output_tokens: int
    requests: int | None
    concurrency: int
    context: int
    without: RequestRates
    drafters: tuple[RequestRates, ...]

    def waiting_seconds(self, prefill_seconds: Floats | float) -> Floats | float:
        """Return the seconds by which others' prompts delay each token, from those of one prompt."""
        return (self.concurrency - 1) / self.output_tokens * prefill_seconds
