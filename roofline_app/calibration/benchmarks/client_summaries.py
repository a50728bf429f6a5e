"""AIPerf and GenAI-Perf: the summary of a run (`profile_export_aiperf.json`, `profile_export_genai_perf.json`).

Both write each metric as a table with its unit and mean, and the settings of the run as `input_config`. Neither knows
the engine. A stream's chunks tell speculation: engines send what a round commits as one chunk.

Source:
    ai-dynamo/aiperf: aiperf/common/models/export_models.py, aiperf/metrics/types/, aiperf/common/config/;
    triton-inference-server/perf_analyzer: genai-perf/genai_perf/export_data/json_exporter.py,
    genai-perf/genai_perf/metrics/llm_metrics.py, genai-perf/genai_perf/config/input/.
"""

from __future__ import annotations

from dataclasses import replace

from roofline_app.calibration.benchmarks.points import FileFormat, MeasuredPoint, Pace, Rounds, Run, measured_point
from roofline_app.calibration.benchmarks.remarks import UnusableError, remark
from roofline_app.calibration.benchmarks.rounds import MOST_DRAFT_TOKENS, rounds_of
from roofline_app.calibration.benchmarks.run_fields import Row
from roofline_app.query.notices import shortened
from roofline_app.scenario import LARGEST_BATCH

# Metrics that only these clients write, each as a table with its unit.
FIELDS = ("inter_token_latency", "output_token_throughput_per_user", "output_sequence_length", "request_latency")
_LATENCY, _CHUNKS, _PER_USER = "inter_token_latency", "inter_chunk_latency", "output_token_throughput_per_user"
_THROUGHPUT = "output_token_throughput"
_SECONDS = {"ms": 1e-3, "s": 1.0, "sec": 1.0, "us": 1e-6, "ns": 1e-9}
# Chunks of one token each take as long as a token, but for rounding and a first chunk without text.
_ONE_TOKEN = 1.1


def is_summary(row: Row) -> bool:
    """Whether a JSON object is a summary of one of the two clients."""
    return any(row.is_table(name) and row.table(name).has("unit", "avg") for name in FIELDS)


def _mean(row: Row, name: str) -> float | None:
    return row.table(name).positive("avg")


def _seconds(row: Row, name: str) -> float | None:
    table = row.table(name)
    mean = table.positive("avg")
    if mean is None:
        return None
    unit = table.text("unit") or "ms"
    if unit not in _SECONDS:
        raise UnusableError("unknown_unit", field=table.named("unit"), given=unit)
    return mean * _SECONDS[unit]


def _concurrency(settings: Row) -> tuple[float | None, str]:
    """Return the client's limit of requests in flight, and where it is stated."""
    # Older GenAI-Perf writes its options side by side.
    for table in (settings.table("loadgen"), settings.table("perf_analyzer").table("stimulus"), settings):
        limit = table.positive("concurrency")
        if limit is not None:
            return limit, table.named("concurrency")
    return None, "input_config.loadgen.concurrency"


def _model(settings: Row) -> str:
    for table, field in ((settings.table("endpoint"), "model_names"), (settings, "model_names"), (settings, "model")):
        names = table.entries(field)
        if names and isinstance(names[0], str):
            return shortened(names[0])
    return ""


def _with_batch(run: Run, row: Row, settings: Row) -> Run:
    limit, field = _concurrency(settings)
    rate, latency = _mean(row, "request_throughput"), _seconds(row, "request_latency")
    batch = limit if limit is not None else rate * latency if rate and latency else None
    if batch is None:
        raise UnusableError("missing", field=field)
    if batch > LARGEST_BATCH or (limit is not None and limit < 1):
        raise UnusableError("impossible_size", field=field, given=batch)
    told = () if limit is not None else (remark("mean_in_flight"),)
    return replace(
        run,
        batch=max(batch, 1.0),
        input_tokens=_mean(row, "input_sequence_length"),
        output_tokens=_mean(row, "output_sequence_length"),
        assumptions=run.assumptions + told,
    )


def _gpu(row: Row) -> str:
    """Return the accelerator's name where the client watched it."""
    gpus = (gpu for endpoint in row.table("telemetry_data").tables("endpoints") for gpu in endpoint.tables("gpus"))
    return next((gpu.text("gpu_name") for gpu in gpus), "")


def _pace(row: Row, run: Run) -> Pace:
    """Return the time per token; without a stream it includes reading the prompt."""
    throughput = _mean(row, _THROUGHPUT)
    mixed = (remark("prefill_mixed"),) if run.batch is not None and run.batch > 1 else ()
    seconds, field, told = _seconds(row, _LATENCY), f"{_LATENCY}.avg", mixed
    if seconds is None and (per_user := _mean(row, _PER_USER)) is not None:
        seconds, field = 1 / per_user, f"{_PER_USER}.avg"
    elif seconds is None and throughput is not None and run.batch is not None:
        seconds, field = run.batch / throughput, f"{_THROUGHPUT}.avg"
        told = (remark("from_throughput", field=_THROUGHPUT),)
    if seconds is None:
        raise UnusableError("missing", field=field)
    return Pace(seconds_per_token=seconds, tokens_per_second=throughput, field=field, assumptions=told)


def _rounds(row: Row, per_token: float | None) -> Rounds:
    """Return what speculation did: stated by an engine that the client drove itself, else told by the chunks."""
    length = _mean(row, "overall_acceptance_length") or _mean(row, "acceptance_length")
    if length is not None:
        share = _mean(row, "overall_draft_acceptance_rate") or _mean(row, "draft_acceptance_rate")
        drafted = round((length - 1) / share) if share else 0
        draft_tokens = drafted if 1 <= drafted <= MOST_DRAFT_TOKENS else None
        told = () if draft_tokens else (remark("no_draft_length"),)
        return rounds_of(length, draft_tokens, "acceptance_length.avg", assumptions=(remark("first_round"), *told))
    per_chunk = _seconds(row, _CHUNKS)
    if per_chunk is None or per_token is None:
        return Rounds(tokens_per_round=1.0, draft_tokens=0, assumptions=(remark("plain", field="acceptance_length"),))
    if per_chunk <= _ONE_TOKEN * per_token:
        return Rounds(tokens_per_round=1.0, draft_tokens=0, assumptions=(remark("one_token_chunks"),))
    chunks = (remark("from_chunks"), remark("no_draft_length"))
    return rounds_of(per_chunk / per_token, None, f"{_CHUNKS}.avg", assumptions=chunks)


def summary(row: Row) -> MeasuredPoint:
    """Return the point of one summary.

    Args:
        row: The summary, of either client.

    Returns:
        The point; its engine is unknown.

    Raises:
        UnusableError: When a needed field is missing or impossible.
    """
    settings = row.table("input_config")
    own = row.has("aiperf_version", "schema_version") or settings.is_table("loadgen")
    file_format: FileFormat = "aiperf" if own else "genai_perf"
    run = Run(file_format=file_format, source_line=row.line, engine="", model=_model(settings), gpu=_gpu(row))
    run = _with_batch(run, row, settings)
    return measured_point(run, _pace(row, run), _rounds(row, _seconds(row, _LATENCY)))
