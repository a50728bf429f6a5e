"""A whole sweep: planned, worked out by whoever is asked to, written, and gone on with after a kill."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from roofline_app.command.sweep.chunks import Plan, plan_of, settings_of, table_of
from roofline_app.command.sweep.files import SweepFile, SweepRefusedError, begun_chunk, known_form, opened
from roofline_app.command.sweep.progress import Progress
from roofline_app.command.sweep.workers import Done, in_processes, in_this_process, on_cluster
from roofline_app.evaluation.sweeps import LARGEST_UNASKED

_CHUNK = 1024
_LEAST_CHUNKS_PER_WORKER = 4
# Below so many settings it is slower to start processes than to go without.
_FEW = 2048


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepRun:
    """What a user asks a sweep for.

    Attributes:
        text: The query with lists and ranges.
        out: The file.
        workers: Processes; None for one per core.
        scheduler: Address of a Dask scheduler; empty for this machine.
        yes: Whether a very large sweep is meant.
    """

    text: str
    out: Path
    workers: int | None = None
    scheduler: str = ""
    yes: bool = False


def run_sweep(asked: SweepRun) -> dict[str, Any]:
    """Work a sweep out and write its file.

    Args:
        asked: What is to be done.

    Returns:
        The file, its settings, those with an error, and how long this run took.

    Raises:
        SweepRefusedError: When it cannot begin or go on.
        SpecError: When the query is no sweep.
    """
    known_form(asked.out)
    if asked.workers is not None and asked.workers < 1:
        message = f"--workers: {asked.workers} is not at least 1"
        raise SweepRefusedError(message)
    count = settings_of(asked.text).count
    _ask(count, yes=asked.yes)
    workers = asked.workers or _cores()
    plan = plan_of(asked.text, begun_chunk(asked.out) or _chunk(count, workers))
    file = opened(asked.out, plan, table_of(plan))
    chunks, done = -(-count // plan.chunk), file.done()
    left = [chunk for chunk in range(chunks) if chunk not in done]
    progress = Progress(count=count, done=count - sum(_size(plan, chunk, count) for chunk in left))
    began = time.monotonic()
    errors = _write(file, _worked_out(asked, plan, left, workers), progress, count)
    file.finish(chunks)
    progress.end()
    seconds = round(time.monotonic() - began, 3)
    return {"file": str(asked.out), "settings": count, "errors_in_this_run": errors, "seconds": seconds}


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _chunk(count: int, workers: int) -> int:
    """Return the settings of one chunk: fewer where a small sweep would leave workers idle."""
    return max(1, min(_CHUNK, -(-count // (workers * _LEAST_CHUNKS_PER_WORKER))))


def _size(plan: Plan, chunk: int, count: int) -> int:
    return min(plan.chunk, count - chunk * plan.chunk)


def _ask(count: int, *, yes: bool) -> None:
    """Ask before a sweep that may take hours; without somebody to ask, refuse it."""
    if count <= LARGEST_UNASKED or yes:
        return
    said = f"sweep: {count:,} settings are more than {LARGEST_UNASKED:,}"
    if sys.stdin.isatty():
        print(f"{said}; go on? [y/N] ", end="", file=sys.stderr, flush=True)  # noqa: T201 - a question in a shell
        if sys.stdin.readline().strip().lower() in {"y", "yes"}:
            return
    message = f"{said}; --yes says that they are meant"
    raise SweepRefusedError(message)


def _worked_out(asked: SweepRun, plan: Plan, left: list[int], workers: int) -> Done:
    if not left:
        return iter(())
    if asked.scheduler:
        return on_cluster(plan, left, scheduler=asked.scheduler)
    if workers == 1 or (asked.workers is None and len(left) * plan.chunk <= _FEW):
        return in_this_process(plan, left)
    return in_processes(plan, left, workers=workers)


def _write(file: SweepFile, found: Iterable[tuple[int, dict[str, list[Any]]]], progress: Progress, count: int) -> int:
    """Write chunks as they come; return the number of settings with an error."""
    errors = 0
    try:
        for chunk, rows in found:
            file.write(chunk, rows)
            errors += sum(map(bool, rows["error"]))
            progress.add(_size(file.plan, chunk, count))
    except KeyboardInterrupt as error:
        progress.end()
        message = "sweep: stopped; the same command goes on where it stopped"
        raise SweepRefusedError(message) from error
    return errors
