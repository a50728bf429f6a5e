"""vLLM: the text of a server's `/metrics`, whose counters tell acceptance since the server started.

Two texts after one another, before and after a run, tell the acceptance of what lies between them.

Source:
    vllm-project/vllm: vllm/v1/spec_decode/metrics.py, `SpecDecodingProm`; the text format is that of Prometheus.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from roofline_app.calibration.benchmarks.points import MeasuredPoint, Pace, Run, measured_point
from roofline_app.calibration.benchmarks.remarks import Remark, UnusableError, remark
from roofline_app.calibration.benchmarks.rounds import MOST_DRAFT_TOKENS, mean_draft_tokens, rounds_of, survival_of

MARK = "vllm:spec_decode_num_"
_DRAFTS, _DRAFTED, _ACCEPTED, _BY_POSITION = "drafts", "draft_tokens", "accepted_tokens", "accepted_tokens_per_pos"
_SERIES = re.compile(
    re.escape(MARK) + rf"({_BY_POSITION}|{_DRAFTED}|{_DRAFTS}|{_ACCEPTED})(?:_total)?(?:\{{([^{{}}\n]{{0,2048}}+)\}})?"
    r" {1,8}([0-9][0-9.eE+-]{0,30})(?=[\s]|\Z)"
)
_LABEL = re.compile(r'(\w{1,60})="([^"\n]{0,400})"')


@dataclass(slots=True)
class _Counters:
    """The counters of one model at one moment."""

    line: int
    values: dict[tuple[str, str, str], float] = field(default_factory=dict)

    def total(self, name: str) -> float:
        """Return a counter, summed over engines."""
        return sum(value for (own, _, _), value in self.values.items() if own == name)

    def by_position(self) -> list[float]:
        """Return accepted tokens by position, from the first; positions between that are missing end the list."""
        sums: dict[int, float] = {}
        for (name, _, position), value in self.values.items():
            if name == _BY_POSITION and position.isdecimal():
                sums[int(position)] = sums.get(int(position), 0.0) + value
        found = list[float]()
        while len(found) in sums and len(found) < MOST_DRAFT_TOKENS:
            found.append(sums[len(found)])
        return found


def _scrapes(text: str, most: int) -> Iterator[tuple[str, _Counters]]:
    """Yield model and counters of each text that was saved; a series that comes again starts another."""
    now: dict[str, _Counters] = {}
    line, counted = 1, 0
    for index, found in enumerate(_SERIES.finditer(text)):
        if index >= most:
            break
        line += text.count("\n", counted, found.start())
        counted = found.start()
        labels = dict(_LABEL.findall(found[2] or ""))
        key = (found[1], labels.get("engine", ""), labels.get("position", ""))
        model = labels.get("model_name", "")
        try:
            value = float(found[3])
        except ValueError:
            continue
        if model in now and key in now[model].values:
            yield model, now.pop(model)
        now.setdefault(model, _Counters(line)).values[key] = value
    yield from now.items()


def _between(first: _Counters, last: _Counters) -> _Counters:
    """Return what was counted from one moment to another; the last alone where the server was restarted."""
    grown = {key: value - first.values.get(key, 0.0) for key, value in last.values.items()}
    return last if any(value < 0 for value in grown.values()) else _Counters(last.line, grown)


def _point(model: str, counters: _Counters, told: Remark) -> MeasuredPoint:
    rounds, accepted = counters.total(_DRAFTS), counters.total(_ACCEPTED)
    if rounds <= 0:
        raise UnusableError("missing", field=f"{MARK}{_DRAFTS}")
    by_position = counters.by_position()
    survival = survival_of([count / rounds for count in by_position], f"{MARK}{_BY_POSITION}")
    if not counters.total(_ACCEPTED) and survival:
        accepted = sum(survival) * rounds
    draft_tokens = len(survival) or mean_draft_tokens(counters.total(_DRAFTED), rounds)
    assumptions = (remark("metrics_only"),) + (() if draft_tokens else (remark("no_draft_length"),))
    found = rounds_of(
        1 + accepted / rounds, draft_tokens, f"{MARK}{_ACCEPTED}", survival=survival, assumptions=assumptions
    )
    run = Run(file_format="vllm_metrics", source_line=counters.line, engine="vLLM", model=model, assumptions=(told,))
    return measured_point(run, Pace(seconds_per_token=None), found)


def metrics_points(text: str, most_series: int) -> tuple[list[MeasuredPoint], list[Remark]]:
    """Return the acceptance that counters tell: of the whole text, or of what lies between two texts in a row.

    Args:
        text: One or more texts of `/metrics`.
        most_series: How many values are read.

    Returns:
        One point per model, or one less than its texts where there are several, without times; and a notice that
        counters run since the server's start.
    """
    notices: list[Remark] = []
    points: list[MeasuredPoint] = []
    scrapes: dict[str, list[_Counters]] = {}
    for model, counters in _scrapes(text, most_series):
        scrapes.setdefault(model, []).append(counters)
    for model, moments in scrapes.items():
        pairs = [(_between(*pair), remark("between_metrics")) for pair in pairwise(moments)]
        for counters, told in pairs or [(moments[0], remark("cumulative"))]:
            try:
                points.append(_point(model, counters, told))
            except UnusableError as error:
                notices.append(error.at_line(counters.line))
    if any(len(moments) == 1 for moments in scrapes.values()):
        notices.append(remark("cumulative"))
    return points, notices
