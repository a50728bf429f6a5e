"""Common parts of SGLang's and vLLM's serving benchmarks: lengths, concurrency, time per token."""

from __future__ import annotations

from dataclasses import replace

from roofline_app.calibration.benchmarks.points import Pace, Rounds, Run
from roofline_app.calibration.benchmarks.remarks import Remark, UnusableError, remark
from roofline_app.calibration.benchmarks.run_fields import Row
from roofline_app.scenario import LARGEST_BATCH

_ENGINES = {
    "sglang": "SGLang",
    "vllm": "vLLM",
    "trt": "TensorRT-LLM",
    "tensorrt-llm": "TensorRT-LLM",
    "lmdeploy": "LMDeploy",
    "tgi": "TGI",
}
# The mean in flight is this much below the client's limit: worth saying.
_FAR_BELOW = 0.8


def engine_of(backend: str, default: str) -> tuple[str, tuple[Remark, ...]]:
    """Return the engine behind a client's backend name, and what was assumed.

    Args:
        backend: Such as `sglang-oai-chat`, `vllm`, `openai`; may be empty.
        default: The engine that the client belongs to.

    Returns:
        The engine's name, and a remark where the backend is a protocol rather than an engine.
    """
    for start, engine in _ENGINES.items():
        if backend.lower().startswith(start):
            return engine, ()
    return default, (remark("engine", engine=default),)


def with_lengths(run: Run, row: Row) -> Run:
    """Return a run with its mean lengths: totals over completed requests, else the lengths asked for.

    Args:
        run: The run so far.
        row: Its fields.

    Returns:
        The run, with `input_tokens` and `output_tokens` where the file tells them.
    """
    completed = row.positive("completed")
    total_input = row.positive("total_input_tokens", "total_input")
    total_output = row.positive("total_output_tokens", "total_output")
    asked_input, asked_output = row.positive("random_input_len"), row.positive("random_output_len")
    asked = completed is None or total_input is None or total_output is None
    return replace(
        run,
        input_tokens=asked_input if completed is None or total_input is None else total_input / completed,
        output_tokens=asked_output if completed is None or total_output is None else total_output / completed,
        assumptions=run.assumptions + ((remark("asked_lengths"),) if asked and asked_input else ()),
    )


def _in_flight(row: Row, run: Run) -> float | None:
    """Return the mean number of requests in flight: stated, or by Little's law."""
    stated = row.positive("concurrency")
    if stated is not None:
        return stated
    completed, duration = row.positive("completed"), row.positive("duration")
    latency = row.seconds("mean_e2el_ms", "mean_e2e_latency_ms")
    if latency is None:
        first, each = row.seconds("mean_ttft_ms"), row.seconds("mean_tpot_ms")
        if first is not None and each is not None and run.output_tokens is not None:
            latency = first + each * max(run.output_tokens - 1, 0.0)
    if completed is None or duration is None or latency is None:
        return None
    return completed * latency / duration


def with_batch(run: Run, row: Row) -> Run:
    """Return a run with its batch: the client's limit, else the mean in flight.

    Args:
        run: The run, lengths filled in.
        row: Its fields.

    Returns:
        The run with `batch`.

    Raises:
        UnusableError: When the file tells neither, or an impossible number.
    """
    limit, mean = row.positive("max_concurrency"), _in_flight(row, run)
    batch = limit or mean
    field = row.named("concurrency" if limit is None else "max_concurrency")
    if batch is None:
        raise UnusableError("missing", field=row.named("max_concurrency"))
    if batch > LARGEST_BATCH or (limit is not None and limit < 1):
        raise UnusableError("impossible_size", field=field, given=batch)
    if limit is None:
        return replace(run, batch=max(batch, 1.0), assumptions=(*run.assumptions, remark("mean_in_flight")))
    below = mean is not None and mean < _FAR_BELOW * limit
    told = (remark("limit_not_reached", limit=limit, mean=mean),) if below else ()
    return replace(run, batch=limit, assumptions=run.assumptions + told)


def pace_of(row: Row, run: Run, rounds: Rounds) -> Pace:
    """Return the measured speed of a served run.

    Args:
        row: Its fields.
        run: Its setting, batch filled in.
        rounds: What speculation did: with speculation a chunk of the stream holds several tokens, so that the time
            between chunks is no time per token.

    Returns:
        Mean time per output token, else the median, else a coarser figure with a remark.

    Raises:
        UnusableError: When no field tells a time.
    """
    throughput = row.positive("output_throughput")
    mixed = (remark("prefill_mixed"),) if run.batch is not None and run.batch > 1 else ()
    candidates: list[tuple[str, tuple[Remark, ...]]] = [("mean_tpot_ms", mixed)]
    candidates.append(("median_tpot_ms", (*mixed, remark("median"))))
    if rounds.tokens_per_round == 1:
        candidates += [("mean_itl_ms", (*mixed, remark("between_chunks")))]
        candidates += [("median_itl_ms", (*mixed, remark("between_chunks"), remark("median")))]
    for field, assumptions in candidates:
        seconds = row.seconds(field)
        if seconds is not None:
            return Pace(
                seconds_per_token=seconds,
                tokens_per_second=throughput,
                field=row.named(field),
                assumptions=assumptions,
            )
    if throughput is None or run.batch is None:
        raise UnusableError("missing", field=row.named("mean_tpot_ms"))
    return Pace(
        seconds_per_token=run.batch / throughput,
        tokens_per_second=throughput,
        field=row.named("output_throughput"),
        assumptions=(remark("from_throughput", field="output_throughput"),),
    )
