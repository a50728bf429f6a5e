"""vLLM: `vllm bench serve` results, and "SpecDecoding metrics" lines of a server's log.

Source:
    vllm-project/vllm: vllm/benchmarks/serve.py, vllm/v1/spec_decode/metrics.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from roofline_app.calibration.benchmarks.points import MeasuredPoint, Pace, Rounds, Run, measured_point
from roofline_app.calibration.benchmarks.remarks import Remark, UnusableError, remark
from roofline_app.calibration.benchmarks.rounds import MOST_DRAFT_TOKENS, mean_draft_tokens, rounds_of, survival_of
from roofline_app.calibration.benchmarks.run_fields import Row
from roofline_app.calibration.benchmarks.serving import engine_of, pace_of, with_batch, with_lengths
from roofline_app.calibration.benchmarks.streams import with_stream

MARK = "SpecDecoding metrics:"
_RATES = "spec_decode_per_position_acceptance_rates"
_LENGTH = "spec_decode_acceptance_length"
_MEAN_LENGTH, _PER_POSITION = "Mean acceptance length", "Per-position acceptance rate"
# A round drafts fewer tokens near the end of a request; beyond this share, rates at later positions are diluted.
_EVEN = 0.98
_LONGEST_LINE = 16_384
_NUMBER = r"(\d{1,15}(?:\.\d{1,15})?)"
_MEAN = re.compile(_MEAN_LENGTH + ": " + _NUMBER)
_ACCEPTED = re.compile(r"Accepted: " + _NUMBER)
_DRAFTED = re.compile(r"Drafted: " + _NUMBER)
_POSITIONS = re.compile(_PER_POSITION + r": \[?([\d., ]{0,8192})")
_RATE = re.compile(r"[0-9]+\.?[0-9]*")
_MODEL = re.compile(r"with config: model='([^']{1,200})'")


def _rounds(row: Row) -> Rounds:
    rates = survival_of(row.numbers(_RATES), row.named(_RATES))
    rounds, drafted = row.positive("spec_decode_num_drafts"), row.positive("spec_decode_draft_tokens")
    length = row.positive(_LENGTH)
    accepted = row.finite("spec_decode_accepted_tokens")
    if length is None and rounds is not None and accepted is not None:
        length = 1 + accepted / rounds
    if length is None:
        return Rounds(tokens_per_round=1.0, draft_tokens=0, assumptions=(remark("plain", field=_LENGTH),))
    draft_tokens = len(rates) or (mean_draft_tokens(drafted, rounds) if drafted and rounds else None)
    assumptions = () if draft_tokens else (remark("no_draft_length"),)
    return rounds_of(length, draft_tokens, row.named(_LENGTH), survival=rates, assumptions=assumptions)


def serving(row: Row) -> MeasuredPoint:
    """Return the point of one `vllm bench serve` result.

    Args:
        row: The result, of any version.

    Returns:
        The point; survival by position where the server told it.

    Raises:
        UnusableError: When a needed field is missing or impossible.
    """
    engine, assumptions = engine_of(row.text("backend", "endpoint_type"), "vLLM")
    run = Run(
        file_format="vllm_serving",
        source_line=row.line,
        engine=engine,
        model=row.text("model_id", "tokenizer_id"),
        gpu=row.text("gpu"),
        label=row.text("label"),
        assumptions=assumptions,
    )
    run = with_batch(with_lengths(run, row), row)
    rounds = _rounds(row)
    run = with_stream(run, row)
    return measured_point(run, pace_of(row, run, rounds), rounds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """What one log line tells: rounds of the interval, tokens accepted and drafted, rates by position."""

    line: int
    rounds: float
    accepted: float
    drafted: float
    rates: tuple[float, ...]


def _stated(pattern: re.Pattern[str], text: str, field: str) -> float:
    found = pattern.search(text)
    if found is None:
        raise UnusableError("missing", field=field)
    return float(found[1])


def _interval(line: int, text: str) -> Interval | None:
    """Return one line's figures, the number of rounds worked out from them; None for an idle interval."""
    accepted, drafted = _stated(_ACCEPTED, text, "Accepted"), _stated(_DRAFTED, text, "Drafted")
    length = _stated(_MEAN, text, _MEAN_LENGTH)
    found = _POSITIONS.search(text)
    pieces = [piece.strip() for piece in found[1].split(",") if piece.strip()] if found else []
    if len(pieces) > MOST_DRAFT_TOKENS or not all(_RATE.fullmatch(piece) for piece in pieces):
        raise UnusableError("not_a_list", field=_PER_POSITION, given=", ".join(pieces))
    rates = survival_of([float(piece) for piece in pieces], _PER_POSITION)
    if drafted <= 0:
        return None
    if accepted > drafted:
        raise UnusableError("contradiction", field="Accepted", given=accepted, other="Drafted")
    # Rates have three decimals where the mean has two, so that they tell the number of rounds better.
    if sum(rates) > 0 and accepted > 0:
        rounds = accepted / sum(rates)
    elif length > 1 and accepted > 0:
        rounds = accepted / (length - 1)
    elif rates:
        rounds = drafted / len(rates)
    else:
        raise UnusableError("missing", field=_PER_POSITION)
    rounds_of(1 + accepted / rounds, len(rates) or None, _MEAN_LENGTH)
    return Interval(line=line, rounds=rounds, accepted=accepted, drafted=drafted, rates=rates)


def marked_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield line number and rest of line behind each mark, cut to a sane length.

    Args:
        text: A server's log.

    Yields:
        Number of the line, from 1, and the text behind the mark.
    """
    line, counted, start = 1, 0, text.find(MARK)
    while start >= 0:
        line += text.count("\n", counted, start)
        counted = start
        start += len(MARK)
        rest, _, _ = text[start : start + _LONGEST_LINE].partition("\n")
        yield line, rest
        start = text.find(MARK, start)


def _pooled(intervals: list[Interval], model: str) -> MeasuredPoint:
    rounds = sum(interval.rounds for interval in intervals)
    positions = len(intervals[0].rates)
    means = [sum(one.rates[at] * one.rounds for one in intervals) / rounds for at in range(positions)]
    drafted = sum(interval.drafted for interval in intervals)
    draft_tokens = positions or mean_draft_tokens(drafted, rounds)
    assumptions = [remark("pooled", intervals=len(intervals), last=intervals[-1].line), remark("log_only")]
    if draft_tokens is None or (positions and drafted < _EVEN * positions * rounds):
        assumptions.append(remark("uneven_drafts"))
    length = 1 + sum(interval.accepted for interval in intervals) / rounds
    survival = survival_of(means, _PER_POSITION)
    found = rounds_of(length, draft_tokens, _MEAN_LENGTH, survival=survival, assumptions=tuple(assumptions))
    run = Run(file_format="vllm_log", source_line=intervals[0].line, engine="vLLM", model=model)
    return measured_point(run, Pace(seconds_per_token=None), found)


def log_points(text: str, most_lines: int) -> tuple[list[MeasuredPoint], list[Remark]]:
    """Return the acceptance that a server's log tells: one point per draft length, intervals weighted by rounds.

    Args:
        text: The log, other lines and all.
        most_lines: How many metrics lines are read.

    Returns:
        Points without times, and what was left out.
    """
    by_positions: dict[int, list[Interval]] = {}
    notices: list[Remark] = []
    for index, (line, rest) in enumerate(marked_lines(text)):
        if index >= most_lines:
            notices.append(remark("too_many_rows", most=most_lines, line=line))
            break
        try:
            interval = _interval(line, rest)
        except UnusableError as error:
            notices.append(error.at_line(line))
            continue
        if interval is not None:
            by_positions.setdefault(len(interval.rates), []).append(interval)
    found = _MODEL.search(text)
    model = found[1] if found else ""
    return [_pooled(intervals, model) for intervals in by_positions.values()], notices
