"""From a file's bytes to measured points: recognise, read row by row, keep what can be used, say what cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain

from roofline_app.calibration.benchmarks import csv_table, sglang_bench, trtllm_bench, vllm_bench
from roofline_app.calibration.benchmarks.content import documents, text_of
from roofline_app.calibration.benchmarks.points import Imported, MeasuredPoint
from roofline_app.calibration.benchmarks.remarks import LEFT_OUT, MeasurementError, Remark, UnusableError, remark
from roofline_app.calibration.benchmarks.run_fields import Row
from roofline_app.query.notices import shortened

MOST_POINTS = 5_000
MOST_ROWS = 20_000
_MOST_NOTICES = 40
# What can be the reason that a file holds nothing, where other notices are asides.
_REASONS = frozenset({LEFT_OUT, "not_json", "too_deep", "too_many_tables"})
Reader = Callable[[Row], MeasuredPoint]

# Fields that only one kind of file has, in any version; the first match counts.
_SGLANG_BATCH = ("median_decode_latency", "prefill_latency")
_SGLANG_BATCH_SERVER = ("acc_length", "last_ttft", "last_gen_throughput")
_VLLM = ("endpoint_type", "tokenizer_id", "total_token_throughput", "mean_e2el_ms", "spec_decode_acceptance_length")
_SGLANG = (
    "accept_length",
    "mean_e2e_latency_ms",
    "median_e2e_latency_ms",
    "total_output_tokens_retokenized",
    "output_throughput_retokenized",
    "server_info",
    "random_input_len",
)
_EITHER = ("mean_tpot_ms", "median_tpot_ms")


def recognised(row: Row) -> Reader | None:
    """Return the function that reads a JSON object, chosen by its fields.

    Args:
        row: The object.

    Returns:
        The reader, or None where no engine's benchmark is recognised.
    """
    if row.is_table("performance") and (row.is_table("request_info") or row.is_table("engine")):
        return trtllm_bench.report
    by_fields: tuple[tuple[tuple[str, ...], Reader], ...] = (
        ((*_SGLANG_BATCH,) if row.has("batch_size") else (), sglang_bench.batch),
        ((*_SGLANG_BATCH_SERVER,) if row.has("batch_size") else (), sglang_bench.batch_server),
        (_VLLM, vllm_bench.serving),
        (_SGLANG, sglang_bench.serving),
        (_EITHER, sglang_bench.serving if row.text("backend").startswith("sglang") else vllm_bench.serving),
    )
    return next((reader for names, reader in by_fields if row.has(*names)), None)


def _json_points(text: str) -> Iterator[MeasuredPoint | Remark]:
    read = 0
    try:
        for line, value in documents(text):
            read += 1
            if read > MOST_ROWS:
                yield remark("too_many_rows", most=MOST_ROWS, line=line)
                return
            if isinstance(value, UnusableError):
                yield value.at_line(line)
            elif isinstance(value, Mapping):
                row = Row(value, line)
                yield _point(row, recognised(row))
            else:
                yield UnusableError("no_table").at_line(line)
    except UnusableError as error:
        if not read:
            raise
        yield error.remark()


def _table_points(text: str) -> Iterator[MeasuredPoint | Remark]:
    found, notices = csv_table.rows(text)
    yield from notices
    for index, (line, row) in enumerate(found):
        if index >= MOST_ROWS:
            yield remark("too_many_rows", most=MOST_ROWS, line=line)
            return
        yield row.at_line(line) if isinstance(row, UnusableError) else _point(row, csv_table.point)


def _log_points(text: str) -> Iterator[MeasuredPoint | Remark]:
    points, notices = vllm_bench.log_points(text, MOST_ROWS)
    yield from points
    yield from notices


def _point(row: Row, reader: Reader | None) -> MeasuredPoint | Remark:
    if reader is None:
        return UnusableError("unknown_fields").at_line(row.line)
    try:
        return reader(row)
    except UnusableError as error:
        return error.at_line(row.line)


def _found(text: str) -> Iterable[MeasuredPoint | Remark]:
    """Return points and notices by the kind of text: JSON, a table, or a log."""
    if text.lstrip()[:1] in {"{", "["}:
        items = _json_points(text)
        try:
            first = next(items, None)
        except UnusableError:
            # A log can start with a bracket too.
            if vllm_bench.MARK not in text:
                raise
            return _log_points(text)
        return () if first is None else chain((first,), items)
    if csv_table.is_table(text):
        return _table_points(text)
    if vllm_bench.MARK in text:
        return _log_points(text)
    raise UnusableError("unknown_format")


def _imported(file_name: str, content: bytes) -> Imported:
    points: list[MeasuredPoint] = []
    notices: list[Remark] = []
    more = 0
    for item in _found(text_of(content)):
        if isinstance(item, Remark):
            more += len(notices) >= _MOST_NOTICES
            notices += [item] if len(notices) < _MOST_NOTICES else []
        elif len(points) >= MOST_POINTS:
            notices.append(remark("too_many_rows", most=MOST_POINTS, line=item.source_line))
            break
        else:
            points.append(item)
    if not points:
        reason = next((notice for notice in notices if notice.name in _REASONS), remark("no_rows"))
        raise MeasurementError(file_name, reason)
    if more:
        notices.append(remark("more_notices", more=more))
    return Imported(file_name=file_name, points=tuple(points), notices=tuple(notices))


def import_file(file_name: str, content: bytes) -> Imported:
    """Return the measured points of a benchmark file of any kind that is understood.

    Args:
        file_name: For messages only.
        content: The file, at most `LARGEST_BYTES`.

    Returns:
        At least one point, at most `MOST_POINTS`, and a notice for each row that could not be used.

    Raises:
        MeasurementError: When the file is too large, no text, of no known kind, or holds no row that can be used.
    """
    shown = shortened(file_name) or "file"
    try:
        return _imported(shown, content)
    except UnusableError as error:
        raise MeasurementError(shown, error.remark()) from None
