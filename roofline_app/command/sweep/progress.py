"""How far a sweep is, on stderr: settings, rate and time left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TextIO

_WIDTH = 24
_SECONDS_BETWEEN_LINES = 10.0
_SECONDS_BETWEEN_UPDATES = 0.2


def progress_text(done: int, count: int, rate: float) -> str:
    """Return a bar, the settings done and left, the rate and the time left.

    Args:
        done: Settings that are done.
        count: All settings.
        rate: Settings per second; 0 where it is not known yet.

    Examples:
        >>> progress_text(5000, 20000, 1000.0)
        '[######------------------] 5,000 of 20,000 settings (25 %), 1,000 per second, 0:15 left'
    """
    filled = _WIDTH * done // max(count, 1)
    bar = f"[{'#' * filled}{'-' * (_WIDTH - filled)}]"
    said = f"{bar} {done:,} of {count:,} settings ({100 * done // max(count, 1)} %)"
    return f"{said}, {rate:,.0f} per second, {_clock((count - done) / rate)} left" if rate > 0.0 else said


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


@dataclass(slots=True, kw_only=True)
class Progress:
    """A line that moves in a terminal, and a line now and then in a log.

    Attributes:
        count: All settings.
        done: Settings that are done, those of an earlier run included.
        stream: Where it is said.
        clock: Seconds.
    """

    count: int
    done: int = 0
    stream: TextIO = field(default_factory=lambda: sys.stderr)
    clock: Callable[[], float] = time.monotonic
    _began: float = field(init=False)
    _before: int = field(init=False)
    _said: float = field(init=False)

    def __post_init__(self) -> None:
        """Start the clock."""
        self._began = self._said = self.clock()
        self._before = self.done

    @property
    def rate(self) -> float:
        """Settings per second of this run."""
        passed = self.clock() - self._began
        return (self.done - self._before) / passed if passed > 0.0 else 0.0

    def add(self, settings: int) -> None:
        """Count settings as done, and say so where it is time to."""
        self.done += settings
        moves = self.stream.isatty()
        pause = _SECONDS_BETWEEN_UPDATES if moves else _SECONDS_BETWEEN_LINES
        if self.clock() - self._said >= pause:
            self._said = self.clock()
            self._say("\r" if moves else "", "" if moves else "\n")

    def end(self) -> None:
        """Say where it stopped."""
        self._say("\r" if self.stream.isatty() else "", "\n")

    def _say(self, before: str, after: str) -> None:
        self.stream.write(f"{before}{progress_text(self.done, self.count, self.rate)}{after}")
        self.stream.flush()
