"""Work that the processes of a test session share: one does it, the others wait for it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock that one process has at a time.

    Args:
        path: The lock's file; made where it is missing, and never removed.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """Return a folder of the session, filled by the first of its processes that asks for it.

    Args:
        factory: Of the session's temporary folders.
        name: The folder's.
        make: Fills the folder; it is empty.
    """
    shared = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder, done = shared / name, shared / f"{name}-is-made"
    with locked(shared / f"{name}-lock"):
        if not done.exists():
            folder.mkdir()
            make(folder)
            done.touch()
    return folder
