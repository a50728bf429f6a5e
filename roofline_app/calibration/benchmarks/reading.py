"""From a file's bytes to measured points: read row by row, keep what can be used, say what cannot."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain

from roofline_app.calibration.benchmarks import (
    csv_table,
    llama_bench,
    llama_server,
    printed_results,
    sglang_log,
    vllm_log,
    vllm_metrics,
)
from roofline_app.calibration.benchmarks.content import documents, text_of, without_prompts
from roofline_app.calibration.benchmarks.points import Imported, MeasuredPoint
from roofline_app.calibration.benchmarks.recognition import Reader, recognised
from roofline_app.calibration.benchmarks.remarks import LEFT_OUT, MeasurementError, Remark, UnusableError, remark
from roofline_app.calibration.benchmarks.run_fields import Row
from roofline_app.query.notices import shortened

MOST_POINTS = 5_000
MOST_ROWS = 20_000
_MOST_NOTICES = 40
# What can be the reason that a file holds nothing, where other notices are asides.
_REASONS = frozenset({LEFT_OUT, "not_json", "too_deep", "too_many_tables"})
_JSON_START = re.compile(r"^[ \t]{0,64}[\[{]", re.MULTILINE)
_OTHER_BRACKET = re.compile(r"\[\s{0,64}[^\s\[{\]]")
Item = MeasuredPoint | Remark


def _json_points(text: str, first_line: int = 1) -> Iterator[Item]:
    read = 0
    try:
        for place, value in documents(text):
            line = place + first_line - 1
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


def _csv_points(rows: Iterable[tuple[int, Row | UnusableError]], reader: Reader) -> Iterator[Item]:
    for index, (line, row) in enumerate(rows):
        if index >= MOST_ROWS:
            yield remark("too_many_rows", most=MOST_ROWS, line=line)
            return
        yield row.at_line(line) if isinstance(row, UnusableError) else _point(row, reader)


def _table_points(text: str) -> Iterator[Item]:
    found, notices = csv_table.rows(text)
    yield from notices
    yield from _csv_points(found, csv_table.point)


def _point(row: Row, reader: Reader | None) -> Item:
    if reader is None:
        return UnusableError("unknown_fields").at_line(row.line)
    try:
        return reader(row)
    except UnusableError as error:
        return error.at_line(row.line)


def _printed(text: str) -> Iterator[Item]:
    rows = printed_results.printed_rows(text)
    return (row if isinstance(row, Remark) else _point(row, recognised(row)) for row in rows)


def _of(points_of: Callable[[str, int], tuple[list[MeasuredPoint], list[Remark]]]) -> Callable[[str], Iterator[Item]]:
    def items(text: str) -> Iterator[Item]:
        points, notices = points_of(text, MOST_ROWS)
        return chain(points, notices)

    return items


# What a terminal or a log can hold, each by a mark of its own; a text can hold several.
_IN_TEXT: tuple[tuple[tuple[str, ...], Callable[[str], Iterator[Item]]], ...] = (
    ((printed_results.MARK,), _printed),
    ((vllm_log.MARK, vllm_log.SPEED_MARK), _of(vllm_log.log_points)),
    ((sglang_log.MARK,), _of(sglang_log.log_points)),
    ((vllm_metrics.MARK,), _of(vllm_metrics.metrics_points)),
    ((llama_bench.TABLE_MARK,), lambda text: llama_bench.table_points(text, MOST_ROWS)),
    ((llama_server.MARK,), _of(llama_server.log_points)),
)


def _text_points(text: str) -> Iterator[Item] | None:
    """Return what lines of a terminal or a log hold; None where they have no mark of any kind."""
    readers = [reader for marks, reader in _IN_TEXT if any(mark in text for mark in marks)]
    return chain.from_iterable(reader(text) for reader in readers) if readers else None


def _json_or_text(text: str, start: int) -> Iterable[Item]:
    """Return what JSON from a place on holds; a log can start with a bracket too."""
    items = _json_points(text[start:], text.count("\n", 0, start) + 1)
    try:
        first = next(items, None)
    except UnusableError:
        found = _text_points(text)
        if found is None:
            raise
        return found
    return () if first is None else chain((first,), items)


def _found(text: str) -> Iterable[Item]:
    """Return points and notices by the kind of text: JSON, a table, or lines of a terminal or a log."""
    pasted, text = text, without_prompts(text)
    blank = len(text) - len(text.lstrip())
    if text[blank : blank + 1] in {"{", "["}:
        # Lists of runs hold tables; what else begins with a bracket can be a log's date or a launcher's rank.
        found = _text_points(pasted) if _OTHER_BRACKET.match(text, blank) else None
        return _json_or_text(text, blank) if found is None else found
    if csv_table.is_table(text):
        return _table_points(text)
    if llama_bench.is_csv(text):
        return _csv_points(llama_bench.csv_rows(text), llama_bench.bench)
    found = _text_points(pasted)
    if found is not None:
        return found
    start = _JSON_START.search(text)
    if start is None:
        raise UnusableError("unknown_format")
    return _json_or_text(text, start.end() - 1)


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
        content: The file, or what was pasted, at most `LARGEST_BYTES`.

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
