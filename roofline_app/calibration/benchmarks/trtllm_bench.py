"""TensorRT-LLM: the report of `trtllm-bench` (`--report_json`), and what its serving benchmark saves, one JSON object.

Source:
    NVIDIA/TensorRT-LLM: tensorrt_llm/bench/dataclasses/reporting.py, `ReportUtility.get_statistics_dict`;
    tensorrt_llm/serve/scripts/benchmark_serving.py, `benchmark` and `main`.
"""

from __future__ import annotations

from roofline_app.calibration.benchmarks.points import MeasuredPoint, Pace, Rounds, Run, measured_point
from roofline_app.calibration.benchmarks.remarks import UnusableError, remark
from roofline_app.calibration.benchmarks.rounds import mean_draft_tokens, rounds_of, unknown_rounds
from roofline_app.calibration.benchmarks.run_fields import Row
from roofline_app.calibration.benchmarks.serving import pace_of, with_batch, with_lengths
from roofline_app.calibration.benchmarks.streams import with_stream
from roofline_app.scenario import LARGEST_BATCH, LARGEST_GPUS

_LENGTH = "acceptance_length_percentiles"
_DECODED = "avg_decoded_tokens_per_iter"
# Only the serving benchmark of this engine writes them.
SERVING_FIELDS = (_DECODED, f"mean_{_DECODED}", "user_throughput")
_NAME = "TensorRT-LLM"


def _rounds(row: Row, output_tokens: float | None) -> Rounds:
    """Return the measured rounds of speculation.

    The report counts, per request and over all of its rounds, drafted tokens and accepted ones (output - rounds), so
    that output - accepted is the number of rounds.
    """
    if not row.is_table("decoding_stats"):
        return Rounds(tokens_per_round=1.0, draft_tokens=0, assumptions=(remark("plain", field="decoding_stats"),))
    stats = row.table("decoding_stats")
    length = stats.table(_LENGTH).positive("average")
    drafted = stats.table("num_draft_tokens_percentiles").positive("average")
    accepted = stats.table("num_accepted_draft_tokens_percentiles").finite("average")
    rounds = output_tokens - accepted if output_tokens is not None and accepted is not None else 0.0
    draft_tokens = mean_draft_tokens(drafted, rounds) if drafted is not None and rounds >= 1 else None
    if length is None and rounds >= 1 and output_tokens is not None:
        length = output_tokens / rounds
    if length is None:
        return unknown_rounds(draft_tokens)
    told = (remark("first_round"),) if draft_tokens else (remark("first_round"), remark("no_draft_length"))
    return rounds_of(length, draft_tokens, stats.named(_LENGTH), assumptions=told)


def _pace(row: Row, run: Run) -> Pace:
    performance = row.table("performance")
    throughput = performance.positive("system_output_throughput_tok_s")
    streaming = row.table("streaming_metrics")
    seconds = streaming.seconds("avg_tpot_ms")
    if seconds is not None:
        mixed = (remark("prefill_mixed"),) if run.batch is not None and run.batch > 1 else ()
        return Pace(
            seconds_per_token=seconds,
            tokens_per_second=throughput,
            field=streaming.named("avg_tpot_ms"),
            assumptions=mixed,
        )
    field = "output_throughput_per_user_tok_s"
    per_user = performance.positive(field)
    if per_user is None and throughput is not None and run.batch is not None:
        field, per_user = "system_output_throughput_tok_s", throughput / run.batch
    if per_user is None:
        raise UnusableError("missing", field=streaming.named("avg_tpot_ms"))
    return Pace(
        seconds_per_token=1 / per_user,
        tokens_per_second=throughput,
        field=performance.named(field),
        assumptions=(remark("from_throughput", field=field),),
    )


def report(row: Row) -> MeasuredPoint:
    """Return the point of one `trtllm-bench` report.

    Args:
        row: The report.

    Returns:
        The point; without `--streaming` the time per token includes the first token's, which a remark says.

    Raises:
        UnusableError: When a needed field is missing or impossible.
    """
    engine, requests = row.table("engine"), row.table("request_info")
    batch = requests.positive("avg_num_concurrent_requests")
    if batch is None:
        raise UnusableError("missing", field=requests.named("avg_num_concurrent_requests"))
    if batch > LARGEST_BATCH:
        raise UnusableError("impossible_size", field=requests.named("avg_num_concurrent_requests"), given=batch)
    run = Run(
        file_format="tensorrt_llm",
        source_line=row.line,
        engine=_NAME,
        model=engine.text("model", "model_path"),
        weights=engine.text("quantization", "dtype"),
        kv=engine.text("kv_cache_dtype"),
        gpu=row.table("machine").text("name"),
        gpus=row.table("world_info").count("world_size", LARGEST_GPUS, least=1),
        batch=max(batch, 1.0),
        input_tokens=requests.positive("avg_input_length"),
        output_tokens=requests.positive("avg_output_length"),
        assumptions=(remark("mean_in_flight"),),
    )
    return measured_point(run, _pace(row, run), _rounds(row, run.output_tokens))


def _served_rounds(row: Row) -> Rounds:
    """Return what speculation did: the mean over requests of output tokens per iteration of the engine.

    The client writes 0 where the server did not say, and 1 where every iteration decoded one token.
    """
    within = row.table(_DECODED)
    stated = within.positive("mean")
    length, field = (stated, within.named("mean")) if stated else (row.positive(f"mean_{_DECODED}"), f"mean_{_DECODED}")
    if length is None:
        return Rounds(tokens_per_round=1.0, draft_tokens=0, assumptions=(remark("plain", field=_DECODED),))
    if length <= 1:
        return Rounds(tokens_per_round=1.0, draft_tokens=0)
    return rounds_of(length, None, field, assumptions=(remark("no_draft_length"),))


def serving(row: Row) -> MeasuredPoint:
    """Return the point of one run of `tensorrt_llm.serve.scripts.benchmark_serving`.

    Args:
        row: What `--save-result` wrote; its `backend` is the protocol, `openai`, never the engine.

    Returns:
        The point; a run that speculated does not say its draft length.

    Raises:
        UnusableError: When a needed field is missing or impossible.
    """
    run = Run(
        file_format="tensorrt_llm_serving",
        source_line=row.line,
        engine=_NAME,
        model=row.text("model_id", "tokenizer_id"),
        gpu=row.text("gpu"),
    )
    run = with_batch(with_lengths(run, row), row)
    rounds = _served_rounds(row)
    run = with_stream(run, row)
    return measured_point(run, pace_of(row, run, rounds), rounds)
