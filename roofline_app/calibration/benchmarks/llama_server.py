"""llama.cpp's `llama-server`: the timings of a request, in its answer (`timings`) and in its log.

Source:
    ggml-org/llama.cpp: tools/server/server-task.cpp, `result_timings::to_json`; tools/server/server-context.cpp,
    `print_timings`, in whose older versions the last line reads "draft acceptance rate".
"""

from __future__ import annotations

import re

from roofline_app.calibration.benchmarks.llama_bench import ENGINE, quantised, stem
from roofline_app.calibration.benchmarks.log_lines import entries_with
from roofline_app.calibration.benchmarks.points import MeasuredPoint, Pace, Rounds, Run, measured_point
from roofline_app.calibration.benchmarks.remarks import Remark, UnusableError, remark
from roofline_app.calibration.benchmarks.rounds import mean_draft_tokens, rounds_of
from roofline_app.calibration.benchmarks.run_fields import Row

TIMINGS = "timings"
MARK = "prompt eval time"
_TIMED = ("predicted_n", "predicted_ms")
_NUMBER = r"(\d{1,12}(?:\.\d{1,6})?)"
_EVAL = re.compile(r"(?<!prompt) eval time = {0,16}" + _NUMBER + r" ms / {0,12}(\d{1,9}) (?:tokens|runs)")
_PROMPT = re.compile(r"prompt eval time = {0,16}[\d.]{1,20} ms / {0,12}(\d{1,9}) tokens")
_DRAFTED = re.compile(r"\( {0,12}(\d{1,9}) accepted / {0,12}(\d{1,9}) generated\)")


def is_timed(row: Row) -> bool:
    """Whether a JSON object is an answer of `llama-server`, or the timings in it."""
    return row.has(*_TIMED) or (row.is_table(TIMINGS) and row.table(TIMINGS).has(*_TIMED))


def _drafted(row: Row, generated: float) -> Rounds:
    """Return what speculation did: every round commits what was accepted and one token more."""
    drafted, accepted = row.positive("draft_n"), row.finite("draft_n_accepted")
    if drafted is None:
        return Rounds(tokens_per_round=1.0, draft_tokens=0, assumptions=(remark("plain", field="draft_n"),))
    if accepted is None:
        raise UnusableError("missing", field=row.named("draft_n_accepted"))
    if not 0 <= accepted <= min(drafted, generated - 1):
        raise UnusableError("contradiction", field=row.named("draft_n_accepted"), given=accepted, other="draft_n")
    rounds = generated - accepted
    draft_tokens = mean_draft_tokens(drafted, rounds)
    told = () if draft_tokens else (remark("varying_drafts"), remark("no_draft_length"))
    length = generated / rounds
    return rounds_of(length, draft_tokens, row.named("draft_n_accepted"), assumptions=(remark("first_round"), *told))


def timed(row: Row) -> MeasuredPoint:
    """Return the point of one request that `llama-server` timed.

    Args:
        row: Its answer, or the timings alone.

    Returns:
        The point, of a request that is taken to have decoded alone.

    Raises:
        UnusableError: When a needed field is missing or impossible.
    """
    timings = row.table(TIMINGS) if row.is_table(TIMINGS) else row
    generated, seconds = timings.positive("predicted_n"), timings.seconds("predicted_ms")
    if generated is None or seconds is None:
        raise UnusableError("missing", field=timings.named(_TIMED[generated is not None]))
    cached = [timings.positive(name) for name in ("prompt_n", "cache_n")]
    run = Run(
        file_format="llama_server",
        source_line=row.line,
        engine=ENGINE,
        model=stem(row.text("model")),
        weights=quantised(row.text("model")),
        batch=1.0,
        input_tokens=sum(count or 0.0 for count in cached) or None,
        output_tokens=generated,
        assumptions=(remark("alone"),),
    )
    pace = Pace(
        seconds_per_token=seconds / generated,
        tokens_per_second=generated / seconds,
        field=timings.named("predicted_ms"),
    )
    return measured_point(run, pace, _drafted(timings, generated))


def log_points(text: str, most_lines: int) -> tuple[list[MeasuredPoint], list[Remark]]:
    """Return the points of the requests that a `llama-server` or `llama-cli` log times.

    Args:
        text: The log, other lines and all.
        most_lines: How many requests are read.

    Returns:
        Points, and what was left out.
    """
    points: list[MeasuredPoint] = []
    notices: list[Remark] = []
    for index, (line, entry) in enumerate(entries_with(text, MARK, (MARK,))):
        if index >= most_lines:
            notices.append(remark("too_many_rows", most=most_lines, line=line))
            break
        spent, prompt, drafted = _EVAL.search(entry), _PROMPT.search(entry), _DRAFTED.search(entry)
        if spent is None:
            notices.append(UnusableError("missing", field="eval time").at_line(line))
            continue
        fields = {"predicted_ms": float(spent[1]), "predicted_n": float(spent[2])}
        fields |= {"prompt_n": float(prompt[1])} if prompt else {}
        fields |= {"draft_n_accepted": float(drafted[1]), "draft_n": float(drafted[2])} if drafted else {}
        try:
            points.append(timed(Row(fields, line)))
        except UnusableError as error:
            notices.append(error.at_line(line))
    return points, notices
