"""A page that several tests use one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from roofline_app.page.page import Page
from roofline_app.scenario import MOST_DRAFTERS

# These change the scenario alone, which the page's link puts back.
OF_SCENARIO = frozenset(
    {"query", "preset", "model", "config", "field", "add-drafter", "remove-drafter", "pin", "swap", "warm-up"}
)


class SharedPage(Page):
    """A page that remembers what happened to it.

    Attributes:
        events: Names of what was handled since the last test began.
    """

    def __init__(self, link: str) -> None:
        """Build the page of a link, with every figure on the screen."""
        self.events = set[str]()
        super().__init__(link)
        self._link = link
        self._undo: Mapping[str, list[object]] = {
            "validation": [False],
            "theme": ["light"],
            "narrow": [False],
            "switch": [{"name": name, "on": False} for name in self.state()["switches"]],
            "hide": [{"line": line, "hidden": False} for line in range(MOST_DRAFTERS)],
            "show": [{"figure": name, "visible": True} for name in self.drawing.charts],
            "table": [{"figure": name, "open": False} for name in self.drawing.charts],
        }
        for value in self._undo["show"]:
            super().handle("show", value)
        self._opening = self._comparable()

    def handle(self, name: str, value: object) -> None:
        """Take what the user did, and remember its name."""
        self.events.add(name)
        super().handle(name, value)

    def put_back(self) -> bool:
        """Undo what happened; return whether the page is as it opened, as far as it can tell."""
        if not self.events <= OF_SCENARIO | self._undo.keys():
            return False
        for name in self._undo.keys() & self.events:
            for value in self._undo[name]:
                super().handle(name, value)
        super().handle("query", self._link)
        self.events.clear()
        return self._comparable() == self._opening

    def _comparable(self) -> dict[str, Any]:
        state: dict[str, Any] = dict(self.state())
        waiting = {
            name: {**work, "revision": 0} for name, work in state["pending"].items()
        }  # rises with every scenario
        return state | {"pending": waiting}
