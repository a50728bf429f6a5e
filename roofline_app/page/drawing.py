"""All figures of the page: which are visible, and an evaluation drawn on those. Others wait until they are shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from roofline_app.page import words
from roofline_app.page.figures import bars, batch, roofline, speedup
from roofline_app.page.figures.base import Chart
from roofline_app.page.theme import Palette
from roofline_app.page.views.batch import batch_table, batch_view
from roofline_app.page.views.memory import memory_label, memory_table, memory_view
from roofline_app.page.views.roofline import roofline_table, roofline_view
from roofline_app.page.views.speedup import speedup_table, speedup_view
from roofline_app.page.views.tables import Table
from roofline_app.page.views.time import time_table, time_view
from roofline_app.results import Evaluation
from roofline_app.text import sentence
from roofline_app.verdict import best_drafter

TABLES: Mapping[str, Callable[[Evaluation, str], Table]] = {
    "speedup": speedup_table,
    "batch": batch_table,
    "roofline": roofline_table,
    "time": time_table,
    "memory": memory_table,
}


class Drawing:
    """The figures and what they show.

    Attributes:
        charts: Figures by name.
        palette: Colours in use.
    """

    def __init__(self, palette: Palette, language: str) -> None:
        """Make the figures, without data; all count as visible until the page says otherwise."""
        self.language = language
        self.palette = palette
        self.speedup = speedup.SpeedupChart(palette, language)
        self.batch = batch.BatchChart(palette, language)
        self.roofline = roofline.RooflineChart(palette, language)
        self.time = bars.TimeChart(palette, language)
        self.memory = bars.MemoryChart(palette, language)
        self.charts: Mapping[str, Chart] = {
            "speedup": self.speedup,
            "batch": self.batch,
            "roofline": self.roofline,
            "time": self.time,
            "memory": self.memory,
        }
        self._draw: Mapping[str, Callable[[Evaluation], None]] = {
            "speedup": self._draw_speedup,
            "batch": self._draw_batch,
            "roofline": self._draw_roofline,
            "time": self._draw_time,
            "memory": self._draw_memory,
        }
        self._visible = set(self.charts)
        self._tables = set[str]()
        self._stale = set(self.charts)
        self._fixed = False
        self._keys: dict[str, list[words.Words]] = {"roofline": [], "time": [], "memory": []}
        self._evaluation: Evaluation | None = None

    def show(self, evaluation: Evaluation) -> None:
        """Draw another evaluation on the visible figures."""
        self._evaluation = evaluation
        self._redraw(set(self.charts))

    def restyle(self, palette: Palette) -> None:
        """Take another theme's colours."""
        self.palette = palette
        for chart in self.charts.values():
            chart.restyle(palette)
        self._redraw(set(self.charts))

    def resize(self, *, narrow: bool) -> None:
        """Make the figures fit a phone, or not."""
        for chart in self.charts.values():
            chart.narrow = narrow
        self._redraw(set(self.charts))

    def fix_length(self, *, fixed: bool) -> None:
        """Show figure 2 at this setting's draft length, or at each batch's best."""
        self._fixed = fixed
        self._redraw({"batch"})

    def set_visible(self, name: str, *, visible: bool) -> None:
        """Take whether a figure is on the screen; draw it where it has waited."""
        if name in self.charts:
            (self._visible.add if visible else self._visible.discard)(name)
            self._redraw(set())

    def set_table(self, name: str, *, opened: bool) -> None:
        """Take whether a figure's table is open."""
        if name in TABLES:
            (self._tables.add if opened else self._tables.discard)(name)

    def state(self) -> dict[str, object]:
        """Return the open tables, the keys and the notes of the figures."""
        if self._evaluation is None:
            return {}
        evaluation, language = self._evaluation, self.language
        note = sentence("page.roofline_note", language, name=best_drafter(evaluation).name)
        return {
            "tables": {name: TABLES[name](evaluation, language).as_json() for name in sorted(self._tables)},
            "keys": self._keys,
            "notes": {"roofline": note, "memory": memory_label(evaluation, language)},
        }

    def _redraw(self, names: set[str]) -> None:
        self._stale |= names
        if self._evaluation is None:
            return
        for name in sorted(self._stale & self._visible):
            self._draw[name](self._evaluation)
        self._stale -= self._visible

    def _draw_speedup(self, evaluation: Evaluation) -> None:
        chart, room = self.speedup, speedup.LABEL_ROOM
        chart.update(speedup_view(evaluation, language=self.language, label_room=room, narrow=chart.narrow))

    def _draw_batch(self, evaluation: Evaluation) -> None:
        chart, room = self.batch, batch.LABEL_ROOM
        chart.update(batch_view(evaluation, fixed=self._fixed, label_room=room, narrow=chart.narrow))

    def _draw_roofline(self, evaluation: Evaluation) -> None:
        view = roofline_view(evaluation, self.language, narrow=self.roofline.narrow)
        self._keys["roofline"] = words.roofline_key(view, self.palette)
        self.roofline.update(view)

    def _draw_time(self, evaluation: Evaluation) -> None:
        view = time_view(evaluation, self.language)
        self._keys["time"] = words.time_key(view, self.palette)
        self.time.update(view)

    def _draw_memory(self, evaluation: Evaluation) -> None:
        view = memory_view(evaluation, self.language)
        self._keys["memory"] = words.memory_key(view, self.palette)
        self.memory.update(view)
