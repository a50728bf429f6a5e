"""Work in pieces, so that a user's next change never waits for all of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

from roofline_app.page.figures.pieces import Found, Work

# Steps of a part go on for so long before the page may do something else; the last one ends a little later.
SLICE_SECONDS = 0.008


class Pending:
    """The work of one figure, for one setting after the other.

    Attributes:
        revision: How many settings there were.
    """

    def __init__(self) -> None:
        """Start without work."""
        self.revision = 0
        self._work: Work | None = None
        self._values: dict[Any, Any] = {}
        self._waiting: list[Any] = []
        self._done: list[Any] = []
        self._steps: Iterator[Any] | None = None
        self._drawn: dict[Any, Any] = {}

    @property
    def waits(self) -> int:
        """How often `advance` has to be called until everything is there."""
        if self._work is None:
            return 0
        return sum(len(self._work.parts[part]) for part in self._waiting) - len(self._done)

    def aim(self, work: Work) -> None:
        """Change to another work; nothing is computed anew if its setting is the same."""
        if self._work is not None and work.setting == self._work.setting:
            return
        kept = self._values if work.keeps else {}
        self._values = {part: value for part, value in kept.items() if part in work.parts}
        self._work, self._waiting, self._done = work, list(work.parts), []
        self._steps, self._drawn = None, {}
        self.revision += 1

    def advance(self) -> bool:
        """Evaluate the next piece; return whether a part is complete with it."""
        if self._work is None or not self._waiting:
            return False
        if self._work.steps is not None:
            return self._stepped(self._work.steps)
        part = self._waiting[0]
        pieces = self._work.parts[part]
        self._done.append(self._work.compute(pieces[len(self._done)]))
        if len(self._done) < len(pieces):
            return False
        self._values[part] = self._work.join(self._done)
        self._waiting, self._done = self._waiting[1:], []
        return True

    def _stepped(self, steps: Callable[[Any], Iterator[Any]]) -> bool:
        """Go on for a slice; return whether to draw: the first part, then ever more at once, and all of them."""
        started, done = perf_counter(), len(self._values)
        while self._waiting:
            if self._steps is None:
                self._steps = steps(self._waiting[0])
            value = next(self._steps)
            if value is not None:
                self._values[self._waiting.pop(0)] = value
                self._steps = None
            if perf_counter() - started >= SLICE_SECONDS:
                break
        if len(self._values) == done or (self._waiting and len(self._values) < 2 * len(self._drawn)):
            return False
        self._drawn = dict(self._values)
        return True

    def found(self) -> Found:
        """Return the finished part; of steps, that which is drawn."""
        stepped = self._work is not None and self._work.steps is not None
        return Found(values=self._drawn if stepped else dict(self._values), waiting=tuple(self._waiting))


def worked_out(work: Work) -> Found:
    """Return everything at once, for whoever can wait."""
    pending = Pending()
    pending.aim(work)
    while pending.waits:
        pending.advance()
    return pending.found()
