"""SGLang: the "Decode batch" lines of a server's log, one every few dozen rounds.

A line tells how many requests run, how many tokens their caches hold, the tokens per round and the tokens per second
since the line before. Lines of the same number of requests are one point. The server's arguments, printed when it
starts, tell model, GPUs and draft length where the log still has them.

Source:
    sgl-project/sglang: python/sglang/srt/managers/scheduler_metrics_mixin.py, `log_decode_stats`;
    python/sglang/srt/server_args.py.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from roofline_app.calibration.benchmarks.log_lines import entries_with, middle, steady
from roofline_app.calibration.benchmarks.points import MeasuredPoint, Pace, Rounds, Run, measured_point
from roofline_app.calibration.benchmarks.remarks import Remark, UnusableError, remark
from roofline_app.calibration.benchmarks.rounds import rounds_of
from roofline_app.calibration.benchmarks.run_fields import Row
from roofline_app.calibration.benchmarks.sglang_bench import draft_of, gpus_of
from roofline_app.scenario import LARGEST_BATCH

MARK = "Decode batch"
_SPEED_LABEL = "gen throughput (token/s)"
# Where the next entry of the log starts, however a terminal has wrapped this one.
_NEXT = ("Decode batch", "Prefill batch", "\n[")
_NUMBER = r"(\d{1,12}(?:\.\d{1,6})?)"
_RUNNING = re.compile(r"#running-req: (\d{1,9})\b")
# Models with windows count the cache of their full layers apart.
_TOKENS = re.compile(r"#(?:full )?token: (\d{1,12})\b")
_ACCEPTED = re.compile(r"accept len: " + _NUMBER)
_SPEED = re.compile(re.escape(_SPEED_LABEL) + r": {0,4}" + _NUMBER)
# Data-parallel attention: each rank logs its own requests.
_RANK = re.compile(r"\bDP(\d{1,4})\b")
_ARGUMENTS = "ServerArgs("
_LONGEST_ARGUMENTS = 32_768
_ARGUMENT = re.compile(r"\b([a-z_]{2,60})=('[^']{0,300}'|None|True|False|-?\d{1,12})")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Interval:
    """What one line tells; `accepted` is 0 without speculation."""

    line: int
    rank: int
    running: int
    tokens: int
    accepted: float
    speed: float


def _interval(line: int, text: str) -> _Interval:
    """Return one line's figures; no request runs in an interval without any output."""
    speed, running = _SPEED.search(text), _RUNNING.search(text)
    if running is None:
        raise UnusableError("missing", field="#running-req")
    if speed is None:
        raise UnusableError("missing", field=_SPEED_LABEL)
    if int(running[1]) > LARGEST_BATCH:
        raise UnusableError("impossible_size", field="#running-req", given=float(running[1]))
    tokens, accepted, rank = _TOKENS.search(text), _ACCEPTED.search(text), _RANK.search(text)
    return _Interval(
        line=line,
        rank=int(rank[1]) if rank else 0,
        running=int(running[1]) if float(speed[1]) else 0,
        tokens=int(tokens[1]) if tokens else 0,
        accepted=float(accepted[1]) if accepted else 0.0,
        speed=float(speed[1]),
    )


def _server(text: str) -> Row:
    """Return the arguments that the server printed when it started, as far as they are needed."""
    start = text.find(_ARGUMENTS)
    if start < 0:
        return Row({}, 1)
    values: dict[str, object] = {}
    for name, value in _ARGUMENT.findall(text[start : start + _LONGEST_ARGUMENTS].partition("\n")[0]):
        if value.startswith("'"):
            values.setdefault(name, value[1:-1])
        elif value.lstrip("-").isdigit():
            values.setdefault(name, float(value))
    return Row(values, text.count("\n", 0, start) + 1)


def _rounds(intervals: list[_Interval], server: Row) -> Rounds:
    lengths = [one.accepted for one in intervals]
    if not any(lengths):
        return Rounds(tokens_per_round=1.0, draft_tokens=0, assumptions=(remark("plain", field="accept len"),))
    draft = draft_of(server)
    # Every line covers the same number of rounds of the same number of requests.
    return draft.placed(rounds_of(sum(lengths) / len(lengths), draft.draft_tokens, "accept len"))


def _pooled(intervals: list[_Interval], ranks: int, server: Row, *, are_steady: bool) -> MeasuredPoint:
    running = intervals[0].running
    speed = middle([one.speed for one in intervals])
    cached = [one.tokens / one.running for one in intervals if one.tokens]
    told = [remark("pooled_lines", lines=len(intervals), last=intervals[-1].line)]
    if not are_steady:
        told.append(remark("unsteady"))
    if ranks > 1:
        told.append(remark("ranks", ranks=ranks))
    if cached:
        told.append(remark("cached_context"))
    run = Run(
        file_format="sglang_log",
        source_line=intervals[0].line,
        engine="SGLang",
        model=server.text("model_path", "served_model_name"),
        gpus=gpus_of(server),
        weights=server.text("quantization"),
        kv=server.text("kv_cache_dtype"),
        batch=float(running * ranks),
        context_tokens=middle(cached) if cached else None,
        assumptions=tuple(told),
    )
    pace = Pace(seconds_per_token=running / speed, tokens_per_second=speed * ranks, field=_SPEED_LABEL)
    return measured_point(run, pace, _rounds(intervals, server))


def _groups(intervals: Sequence[_Interval]) -> tuple[list[list[_Interval]], bool]:
    """Return intervals that are one point, by running requests and by whether the server speculated.

    Returns:
        Groups of steady intervals; of all, and False, where none is.
    """
    by_rank: dict[int, list[_Interval]] = {}
    for interval in intervals:
        by_rank.setdefault(interval.rank, []).append(interval)
    kept = [own[place] for own in by_rank.values() for place in steady([interval.running for interval in own])]
    groups: dict[tuple[int, bool], list[_Interval]] = {}
    for interval in kept or [interval for interval in intervals if interval.running]:
        groups.setdefault((interval.running, interval.accepted > 0), []).append(interval)
    return list(groups.values()), bool(kept)


def running_requests(text: str, most_lines: int) -> list[tuple[int, float]]:
    """Return running requests of each line that is not idle, and its time: of the same number of rounds in all.

    Args:
        text: The log, other lines and all.
        most_lines: How many "Decode batch" lines are read.
    """
    intervals = [one for one in _intervals(text, most_lines, []) if one.running]
    ranks = len({interval.rank for interval in intervals})
    return [(one.running * ranks, one.running * (one.accepted or 1.0) / one.speed) for one in intervals]


def _intervals(text: str, most_lines: int, notices: list[Remark]) -> list[_Interval]:
    """Return what the lines tell, in their order; what cannot be used is said."""
    intervals: list[_Interval] = []
    for index, (line, rest) in enumerate(entries_with(text, MARK, _NEXT)):
        if index >= most_lines:
            notices.append(remark("too_many_rows", most=most_lines, line=line))
            break
        try:
            intervals.append(_interval(line, rest))
        except UnusableError as error:
            notices.append(error.at_line(line))
    return intervals


def log_points(text: str, most_lines: int) -> tuple[list[MeasuredPoint], list[Remark]]:
    """Return a point for each number of running requests that a server's log holds.

    Args:
        text: The log, other lines and all.
        most_lines: How many "Decode batch" lines are read.

    Returns:
        Points in the order of their first lines, and what was left out.
    """
    notices: list[Remark] = []
    intervals = _intervals(text, most_lines, notices)
    ranks = len({interval.rank for interval in intervals})
    server = _server(text)
    points: list[MeasuredPoint] = []
    groups, are_steady = _groups(intervals)
    for group in groups:
        try:
            points.append(_pooled(group, ranks, server, are_steady=are_steady))
        except UnusableError as error:
            notices.append(error.at_line(group[0].line))
    return sorted(points, key=lambda point: point.source_line), notices
