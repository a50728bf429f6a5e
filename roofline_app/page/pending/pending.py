"""Work in pieces, so that a user's next change never waits for all of it."""

from __future__ import annotations

from typing import Any

from roofline_app.page.figures.pieces import Found, Work


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
        self.revision += 1

    def advance(self) -> bool:
        """Evaluate the next piece; return whether a part is complete with it."""
        if self._work is None or not self._waiting:
            return False
        part = self._waiting[0]
        pieces = self._work.parts[part]
        self._done.append(self._work.compute(pieces[len(self._done)]))
        if len(self._done) < len(pieces):
            return False
        self._values[part] = self._work.join(self._done)
        self._waiting, self._done = self._waiting[1:], []
        return True

    def found(self) -> Found:
        """Return the finished part."""
        return Found(values=dict(self._values), waiting=tuple(self._waiting))


def worked_out(work: Work) -> Found:
    """Return everything at once, for whoever can wait."""
    pending = Pending()
    pending.aim(work)
    while pending.waits:
        pending.advance()
    return pending.found()
