"""Who works a sweep's chunks out: processes here, or a Dask cluster; a lost worker's chunks go round again."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import islice
from multiprocessing.connection import wait as ended
from typing import Any

from roofline_app.command.sweep.chunks import Plan, Rows, chunk_rows, version, worker_version
from roofline_app.command.sweep.files import EXTRA, SweepRefusedError

# Chunks that wait beside those in work, per worker: enough to keep all busy, few enough to keep memory flat.
_WAITING = 2
# Losses in a row without one finished chunk between them.
MOST_LOSSES = 3
_SECONDS_TO_CONNECT = 20
Done = Iterator[tuple[int, Rows]]
Work = Callable[[Plan, int], Rows]


def in_this_process(plan: Plan, chunks: Iterable[int]) -> Done:
    """Yield chunks and their rows, worked out one after the other."""
    for chunk in chunks:
        yield chunk, chunk_rows(plan, chunk)


def in_processes(plan: Plan, chunks: Iterable[int], *, workers: int, work: Work = chunk_rows) -> Done:
    """Yield chunks and their rows as processes of this machine finish them.

    Args:
        plan: The sweep.
        chunks: Their numbers.
        workers: Processes.
        work: What a process does.

    Raises:
        SweepRefusedError: When processes end again and again without finishing a chunk.
    """
    left, losses = deque(chunks), 0
    while left:
        running = dict[Future[Rows], int]()
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(workers, mp_context=context, initializer=_end_with_parent) as pool:
            try:
                while left or running:
                    while left and len(running) < workers * _WAITING:
                        running[pool.submit(work, plan, left[0])] = left[0]
                        left.popleft()
                    finished, _ = wait(running, return_when=FIRST_COMPLETED)
                    for future in finished:
                        rows = future.result()
                        losses = 0
                        yield running.pop(future), rows
            except BrokenProcessPool as error:
                losses += 1
                if losses >= MOST_LOSSES:
                    message = f"sweep: processes ended {losses} times in a row without a result (memory?); the same "
                    message += "command goes on where it stopped, with fewer --workers"
                    raise SweepRefusedError(message) from error
                left.extendleft(sorted(running.values(), reverse=True))
            finally:
                pool.shutdown(wait=False, cancel_futures=True)


def _end_with_parent() -> None:
    """Let this process end when its parent does, however that ends: a pool's processes would wait for ever."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        ended([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def on_cluster(plan: Plan, chunks: Iterable[int], *, scheduler: str) -> Done:
    """Yield chunks and their rows as the workers of a Dask cluster finish them.

    The scheduler gives a lost worker's chunks to others.

    Args:
        plan: The sweep.
        chunks: Their numbers.
        scheduler: Address of its scheduler.

    Raises:
        SweepRefusedError: When it cannot be reached, has no worker, or one of another version.
    """
    try:
        from distributed import Client, as_completed  # noqa: PLC0415 - an extra
    except ModuleNotFoundError as error:
        message = f"--scheduler: {error.name} is not installed; the extra `sweep` brings it: {EXTRA}"
        raise SweepRefusedError(message) from error
    try:
        client = Client(scheduler, timeout=_SECONDS_TO_CONNECT)
    except (OSError, ValueError) as error:
        message = f"--scheduler: {scheduler} cannot be reached: {error}"
        raise SweepRefusedError(message) from error
    with client:
        workers = _checked_workers(client, plan, scheduler)
        submit = partial(client.submit, chunk_rows, plan, pure=False, retries=MOST_LOSSES)
        left, numbers = iter(chunks), dict[str, int]()
        first = [(chunk, submit(chunk)) for chunk in islice(left, workers * _WAITING)]
        numbers |= {future.key: chunk for chunk, future in first}
        queue = as_completed([future for _, future in first])
        for future in queue:
            yield numbers.pop(future.key), future.result()
            for chunk in islice(left, 1):
                further = submit(chunk)
                numbers[further.key] = chunk
                queue.add(further)


def _checked_workers(client: Any, plan: Plan, scheduler: str) -> int:
    """Return the threads of a cluster's workers; refuse those of another version, whose numbers may differ."""
    threads = sum(client.nthreads().values())
    if not threads:
        message = f"--scheduler: {scheduler} has no worker"
        raise SweepRefusedError(message)
    try:
        found = client.run(worker_version, plan)
    except ModuleNotFoundError as error:
        message = f"--scheduler: a worker of {scheduler} has no {error.name}; install this program there"
        raise SweepRefusedError(message) from error
    for worker, (theirs, _) in found.items():
        if theirs != version():
            message = f"--scheduler: worker {worker} has version {theirs} of this program and its data, not {version()}"
            raise SweepRefusedError(message)
    return int(threads)
