"""vLLM: a server's log, whose engine lines tell speed and running requests, and whose lines behind them acceptance.

Both are written together every few seconds. Intervals of the same number of running requests and of the same draft
length are one point; where the log has no engine lines, or nothing ran steadily, the acceptance is all that it tells.

Source:
    vllm-project/vllm: vllm/v1/metrics/loggers.py, `LoggingStatLogger.log`; vllm/v1/spec_decode/metrics.py,
    `SpecDecodingLogging.log`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod

from roofline_app.calibration.benchmarks.log_lines import middle, steady
from roofline_app.calibration.benchmarks.points import MeasuredPoint, Pace, Rounds, Run, measured_point
from roofline_app.calibration.benchmarks.remarks import Remark, UnusableError, remark
from roofline_app.calibration.benchmarks.rounds import MOST_DRAFT_TOKENS, mean_draft_tokens, rounds_of, survival_of
from roofline_app.scenario import LARGEST_BATCH, LARGEST_GPUS

MARK = "SpecDecoding metrics:"
SPEED_MARK = "Avg generation throughput:"
_MARKS = re.compile(f"{MARK}|{SPEED_MARK}")
_MEAN_LENGTH, _PER_POSITION, _RUNNING_LABEL = "Mean acceptance length", "Per-position acceptance rate", "Running"
# A round drafts fewer tokens near the end of a request; beyond this share, rates at later positions are diluted.
_EVEN = 0.98
_LONGEST_LINE, _LONGEST_SPEED, _LONGEST_BEFORE = 16_384, 256, 256
_NUMBER = r"(\d{1,15}(?:\.\d{1,15})?)"
_MEAN = re.compile(_MEAN_LENGTH + ": " + _NUMBER)
_ACCEPTED = re.compile(r"Accepted: " + _NUMBER)
_DRAFTED = re.compile(r"Drafted: " + _NUMBER)
_POSITIONS = re.compile(_PER_POSITION + r": \[?([\d., ]{0,8192})")
_RATE = re.compile(r"[0-9]+\.?[0-9]*")
_SPEED = re.compile(" ?" + _NUMBER)
_RUNNING = re.compile(_RUNNING_LABEL + r": (\d{1,9}) reqs?\b")
_ENGINE = re.compile(r"Engine (\d{1,4}): [^\n]{0,128}\Z")
_MODEL = re.compile(r"with config: model='([^']{1,200})'")
_RANKS = re.compile(r"\b(?:tensor|pipeline|data)_parallel_size=(\d{1,3})\b")
_STAGES = re.compile(r"\bpipeline_parallel_size=(?!1\b)(\d{1,3})\b")
_LONGEST_CONFIG = 8_192
_FORMATS = re.compile(r"\b(quantization|kv_cache_dtype)=([\w.-]{1,40})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """What one interval of the log tells.

    Attributes:
        line: Line of the acceptance, or of the speed where nothing was drafted.
        rounds: Rounds, worked out from the accepted tokens.
        accepted: Accepted draft tokens.
        drafted: Draft tokens.
        rates: By position.
        running: Requests running at its end; 0 where the log does not say.
        speed: Output tokens per second; 0 likewise.
        engine: Which of several engines.
    """

    line: int
    rounds: float = 0.0
    accepted: float = 0.0
    drafted: float = 0.0
    rates: tuple[float, ...] = ()
    running: int = 0
    speed: float = 0.0
    engine: int = 0

    @property
    def is_timed(self) -> bool:
        """Whether requests ran, and how fast is known."""
        return self.running > 0 and self.speed > 0


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


def _speed(line: int, before: str, text: str) -> Interval:
    """Return an engine line's figures; no request runs in an interval without any output."""
    speed, running = _SPEED.match(text), _RUNNING.search(text)
    if speed is None:
        raise UnusableError("missing", field=SPEED_MARK.rstrip(":"))
    if running is None:
        raise UnusableError("missing", field=_RUNNING_LABEL)
    if int(running[1]) > LARGEST_BATCH:
        raise UnusableError("impossible_size", field=_RUNNING_LABEL, given=float(running[1]))
    engine = _ENGINE.search(before)
    output = float(speed[1])
    return Interval(
        line=line,
        running=int(running[1]) if output else 0,
        speed=output,
        engine=int(engine[1]) if engine else 0,
    )


def _marked_lines(text: str) -> Iterator[tuple[int, str, str, str]]:
    """Yield number, text before the mark, mark, and text behind it of each line with a mark, cut to a sane length."""
    line, counted, position = 1, 0, 0
    while found := _MARKS.search(text, position):
        start, position = found.start(), found.end()
        line += text.count("\n", counted, start)
        counted = start
        before = text[max(start - _LONGEST_BEFORE, 0) : start].rpartition("\n")[2]
        behind = text[position : position + (_LONGEST_LINE if found[0] == MARK else _LONGEST_SPEED)]
        # Terminals wrap lines, but nothing of an engine line is beyond the mark that comes next.
        behind = behind.partition("\n")[0] if found[0] == MARK else " ".join(behind.partition(MARK)[0].split())
        yield line, before, found[0], behind


def _intervals(text: str, most_lines: int, notices: list[Remark]) -> list[Interval]:
    """Return the intervals in their order; acceptance goes with the engine line right before it."""
    found: list[Interval] = []
    open_speed: Interval | None = None
    for index, (line, before, mark, rest) in enumerate(_marked_lines(text)):
        if index >= most_lines:
            notices.append(remark("too_many_rows", most=most_lines, line=line))
            break
        try:
            if mark == SPEED_MARK:
                found += [open_speed] if open_speed else []
                open_speed = _speed(line, before, rest)
                continue
            interval = _interval(line, rest)
        except UnusableError as error:
            notices.append(error.at_line(line))
            continue
        if interval is not None and open_speed is not None:
            interval = replace(interval, running=open_speed.running, speed=open_speed.speed, engine=open_speed.engine)
        found += [one for one in (interval or open_speed,) if one]
        open_speed = None
    return found + ([open_speed] if open_speed else [])


def _rounds(intervals: Sequence[Interval]) -> Rounds:
    rounds = sum(interval.rounds for interval in intervals)
    if not rounds:
        return Rounds(tokens_per_round=1.0, draft_tokens=0, assumptions=(remark("plain", field=_MEAN_LENGTH),))
    positions = len(intervals[0].rates)
    means = [sum(one.rates[at] * one.rounds for one in intervals) / rounds for at in range(positions)]
    drafted = sum(interval.drafted for interval in intervals)
    draft_tokens = positions or mean_draft_tokens(drafted, rounds)
    uneven = draft_tokens is None or (positions and drafted < _EVEN * positions * rounds)
    return rounds_of(
        1 + sum(interval.accepted for interval in intervals) / rounds,
        draft_tokens,
        _MEAN_LENGTH,
        survival=survival_of(means, _PER_POSITION),
        assumptions=(remark("uneven_drafts"),) if uneven else (),
    )


def _server(text: str) -> Run:
    """Return what the engine's first line says of the server."""
    found = _MODEL.search(text)
    if found is None:
        return Run(file_format="vllm_log", source_line=1, engine="vLLM")
    config = text[found.start() : found.start() + _LONGEST_CONFIG].partition("\n")[0]
    ranks = [int(count) for count in _RANKS.findall(config)]
    formats = {name: value for name, value in _FORMATS.findall(config) if value != "None"}
    gpus = prod(ranks) if ranks else 0
    stages = _STAGES.search(config)
    return Run(
        file_format="vllm_log",
        source_line=1,
        engine="vLLM",
        model=found[1],
        gpus=gpus if 1 <= gpus <= LARGEST_GPUS else None,
        weights=formats.get("quantization", ""),
        kv=formats.get("kv_cache_dtype", ""),
        assumptions=(remark("pipeline", stages=stages[1]),) if stages else (),
    )


def _pooled(intervals: Sequence[Interval], server: Run, engines: int, *, are_steady: bool) -> MeasuredPoint:
    pooled = "pooled" if intervals[0].rounds else "pooled_lines"
    told = [
        remark(pooled, intervals=len(intervals), lines=len(intervals), last=intervals[-1].line),
        *server.assumptions,
    ]
    run = replace(server, source_line=intervals[0].line)
    if not intervals[0].is_timed:
        run = replace(run, assumptions=(*told, remark("log_only")))
        return measured_point(run, Pace(seconds_per_token=None), _rounds(intervals))
    told += [remark("log_speed")] if are_steady else [remark("log_speed"), remark("unsteady")]
    told += [remark("ranks", ranks=engines)] if engines > 1 else []
    running, speed = intervals[0].running, middle([interval.speed for interval in intervals])
    pace = Pace(seconds_per_token=running / speed, tokens_per_second=speed * engines, field=SPEED_MARK.rstrip(":"))
    run = replace(run, batch=float(running * engines), assumptions=tuple(told))
    return measured_point(run, pace, _rounds(intervals))


def _groups(intervals: Sequence[Interval]) -> tuple[list[list[Interval]], bool]:
    """Return intervals that are one point, by running requests and drafts.

    Returns:
        Groups of each engine's steady intervals; of all, and False, where none is. Where any interval drafted, those
        without drafts are in no group.
    """
    speculates = any(interval.rounds for interval in intervals)
    usable = [interval for interval in intervals if interval.rounds or (not speculates and interval.is_timed)]
    timed = [interval for interval in usable if interval.is_timed]
    by_engine: dict[int, list[Interval]] = {}
    for interval in intervals:
        by_engine.setdefault(interval.engine, []).append(interval)
    kept = [
        own[place]
        for own in by_engine.values()
        for place in steady([interval.running for interval in own])
        if own[place].is_timed and (own[place].rounds or not speculates)
    ]
    groups: dict[tuple[int, int], list[Interval]] = {}
    for interval in kept or timed or usable:
        groups.setdefault((interval.running, len(interval.rates)), []).append(interval)
    return list(groups.values()), bool(kept)


def running_requests(text: str, most_lines: int) -> list[tuple[int, float]]:
    """Return running requests of each interval that is not idle, and its weight: all intervals take as long.

    Args:
        text: The log, other lines and all.
        most_lines: How many lines with figures are read.
    """
    timed = [interval for interval in _intervals(text, most_lines, []) if interval.is_timed]
    engines = len({interval.engine for interval in timed})
    return [(interval.running * engines, 1.0) for interval in timed]


def log_points(text: str, most_lines: int) -> tuple[list[MeasuredPoint], list[Remark]]:
    """Return what a server's log tells: a point per draft length and number of running requests.

    Args:
        text: The log, other lines and all.
        most_lines: How many lines with figures are read.

    Returns:
        Points in the order of their first lines, without times where the log has no engine lines, and what was left
        out. Where any interval drafted, those that did not are no plain decoding and count for nothing.
    """
    notices: list[Remark] = []
    intervals = _intervals(text, most_lines, notices)
    server = _server(text)
    engines = len({interval.engine for interval in intervals}) or 1
    points: list[MeasuredPoint] = []
    groups, are_steady = _groups(intervals)
    for group in groups:
        try:
            points.append(_pooled(group, server, engines, are_steady=are_steady))
        except UnusableError as error:
            notices.append(error.at_line(group[0].line))
    return sorted(points, key=lambda point: point.source_line), notices
