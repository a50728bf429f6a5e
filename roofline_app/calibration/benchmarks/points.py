"""A measured point, and what an import gives."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from roofline_app.calibration.benchmarks.remarks import Remark, UnusableError, remark
from roofline_app.scenario import LARGEST_CONTEXT

FileFormat = Literal[
    "sglang_serving",
    "sglang_batch_server",
    "sglang_batch",
    "sglang_log",
    "vllm_serving",
    "vllm_log",
    "vllm_metrics",
    "tensorrt_llm",
    "tensorrt_llm_serving",
    "aiperf",
    "genai_perf",
    "llama_bench",
    "llama_server",
    "csv",
]
# Runs without a server's scheduler: no other prompt is read between two of their tokens.
ALONE: frozenset[FileFormat] = frozenset({"sglang_batch", "sglang_batch_server", "llama_bench", "llama_server"})
# Times outside of this are no measurement of a language model, whatever the unit was.
SHORTEST_SECONDS, LONGEST_SECONDS = 2.0**-24, 2.0**14
_NO_LETTERS = re.compile(r"[^a-z0-9.]+")


def as_id(name: str) -> str:
    """Return a file's own name of a model, GPU or engine as ids are written: without its path, lower case, hyphens."""
    return _NO_LETTERS.sub("-", name.rsplit("/", 1)[-1].lower()).strip("-")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """One request as its tokens came; `timeline.replay` takes it.

    Attributes:
        pauses: Seconds before each chunk after the first token.
        tokens: Tokens in these chunks.
        shared: Whether a chunk's time is shared out among its tokens, as equal pauses.
        request: Which of the run's requests it is, from 1: the one of median speed.
        requests: How many requests took time.
    """

    pauses: tuple[float, ...]
    tokens: int
    shared: bool
    request: int
    requests: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredPoint:
    """One run, in this project's conventions. None and empty texts mean that the file does not say.

    Attributes:
        file_format: Kind of file that it was read from.
        source_line: Line of the file on which the run starts, from 1.
        engine: Engine's name.
        model: Model as the file states it.
        gpu: Accelerator as the file states it.
        gpus: Accelerators in the node.
        weights: Format of the weights as the file states it.
        kv: Format of the cache as the file states it.
        label: The run's own name.
        batch: Sequences decoded together: the client's concurrency, or the mean in flight.
        input_tokens: Mean prompt length.
        output_tokens: Mean generated length.
        context_tokens: Mean tokens in the cache while decoding: the prompt and half of the output.
        draft_tokens: Draft tokens per round, neither root nor bonus token counted; 0 for plain decoding. Of a tree, its
            depth.
        topk: Branches of a node, where a tree was drafted.
        verified: Verified nodes of that tree, its root not counted.
        tokens_per_round: Mean tokens committed per round, bonus token included; 1 for plain decoding.
        survival: Chance that the draft token at each position commits, unconditional and never rising.
        seconds_per_token: Of one sequence while decoding.
        seconds_per_round: `seconds_per_token` times `tokens_per_round`.
        tokens_per_second: Output tokens of all sequences, as the file states them.
        assumptions: What had to be assumed to read the run.
        stream: One of its requests, where the file has their inter-token latencies.
    """

    file_format: FileFormat
    source_line: int
    engine: str
    model: str
    gpu: str
    gpus: int | None
    weights: str
    kv: str
    label: str
    batch: float | None
    input_tokens: float | None
    output_tokens: float | None
    context_tokens: float | None
    draft_tokens: int | None
    topk: int | None
    verified: int | None
    tokens_per_round: float | None
    survival: tuple[float, ...]
    seconds_per_token: float | None
    seconds_per_round: float | None
    tokens_per_second: float | None
    assumptions: tuple[Remark, ...]
    stream: Stream | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What a file holds.

    Attributes:
        file_name: Name of the file, shortened and printable.
        points: At least one, in the file's order.
        notices: What was left out, each with its line and field.
    """

    file_name: str
    points: tuple[MeasuredPoint, ...]
    notices: tuple[Remark, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The setting of a run, as its file states it; meanings as in `MeasuredPoint`."""

    file_format: FileFormat
    source_line: int
    engine: str
    model: str = ""
    gpu: str = ""
    gpus: int | None = None
    weights: str = ""
    kv: str = ""
    label: str = ""
    batch: float | None = None
    input_tokens: float | None = None
    output_tokens: float | None = None
    context_tokens: float | None = None
    assumptions: tuple[Remark, ...] = ()
    stream: Stream | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How fast a run was; `field` is where the time comes from, for refusals."""

    seconds_per_token: float | None
    tokens_per_second: float | None = None
    field: str = ""
    assumptions: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rounds:
    """What speculation did in a run; `tokens_per_round` is None where the file does not say, `topk` for a chain."""

    tokens_per_round: float | None
    draft_tokens: int | None
    topk: int | None = None
    verified: int | None = None
    survival: tuple[float, ...] = ()
    assumptions: tuple[Remark, ...] = ()


PLAIN = Rounds(tokens_per_round=1.0, draft_tokens=0)


def _context(run: Run) -> tuple[float | None, tuple[Remark, ...]]:
    context = run.context_tokens
    assumed: tuple[Remark, ...] = ()
    if context is None:
        if run.input_tokens is None or run.output_tokens is None:
            return None, (remark("no_context"),)
        context, assumed = run.input_tokens + run.output_tokens / 2, (remark("context"),)
    if context > LARGEST_CONTEXT:
        raise UnusableError("impossible_size", field="context_tokens", given=context)
    return context, assumed


def measured_point(run: Run, pace: Pace, rounds: Rounds) -> MeasuredPoint:
    """Return the point of one run.

    Args:
        run: Its setting.
        pace: Its speed.
        rounds: What speculation did.

    Returns:
        The point, with context and seconds per round filled in.

    Raises:
        UnusableError: When the time per token or the context is impossible.
    """
    seconds = pace.seconds_per_token
    if seconds is not None and not SHORTEST_SECONDS <= seconds <= LONGEST_SECONDS:
        raise UnusableError("impossible_time", field=pace.field, given=seconds)
    context, assumed = _context(run)
    of_run = {field.name: getattr(run, field.name) for field in fields(run)}
    of_run |= {"context_tokens": context, "assumptions": _distinct(run, pace, rounds, assumed)}
    known = seconds is not None and rounds.tokens_per_round is not None
    return MeasuredPoint(
        **of_run,
        draft_tokens=rounds.draft_tokens,
        topk=rounds.topk,
        verified=rounds.verified,
        tokens_per_round=rounds.tokens_per_round,
        survival=rounds.survival,
        seconds_per_token=seconds,
        seconds_per_round=(seconds or 0.0) * (rounds.tokens_per_round or 0.0) if known else None,
        tokens_per_second=pace.tokens_per_second,
    )


def _distinct(run: Run, pace: Pace, rounds: Rounds, context: tuple[Remark, ...]) -> tuple[Remark, ...]:
    return tuple(dict.fromkeys((*run.assumptions, *pace.assumptions, *rounds.assumptions, *context)))


def as_json(imported: Imported) -> dict[str, Any]:
    """Return an import as plain values, sentences in English.

    Args:
        imported: What was read.

    Returns:
        A table that `json.dumps` can write: file, points, notices.
    """
    points = []
    for point in imported.points:
        values = {field.name: getattr(point, field.name) for field in fields(point)}
        values["survival"] = list(point.survival)
        values["assumptions"] = [assumption.text for assumption in point.assumptions]
        values["stream"] = None if point.stream is None else asdict(point.stream)
        points.append(values)
    return {
        "file": imported.file_name,
        "points": points,
        "notices": [notice.text for notice in imported.notices],
    }
