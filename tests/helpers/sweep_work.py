"""Work for a sweep's processes in tests."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from roofline_app.command.sweep.chunks import Plan, Rows, chunk_rows

DIES_ONCE = "SWEEP_TEST_DIES_ONCE"


def dies_once(plan: Plan, chunk: int) -> Rows:
    """Return a chunk's rows; the process that first gets chunk 2 is killed."""
    marker = Path(os.environ[DIES_ONCE])
    if chunk == 2 and not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return chunk_rows(plan, chunk)


def always_dies(_: Plan, __: int) -> Rows:
    """Never return."""
    os._exit(1)
