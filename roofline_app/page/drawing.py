"""All figures of the page: which are visible, and an evaluation drawn on those. Others wait until they are shown."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import replace
from typing import Any

from roofline_app.page import state
from roofline_app.page.figures import bars
from roofline_app.page.figures.acceptance.chart import LABEL_ROOM as ACCEPTANCE_LABEL_ROOM, AcceptanceChart
from roofline_app.page.figures.acceptance.view import acceptance_table, acceptance_view
from roofline_app.page.figures.batch.chart import LABEL_ROOM as BATCH_LABEL_ROOM, BatchChart
from roofline_app.page.figures.batch.view import batch_table, batch_view
from roofline_app.page.figures.chart import Chart, share_parts
from roofline_app.page.figures.look import Band, Look
from roofline_app.page.figures.map.chart import MapChart
from roofline_app.page.figures.map.view import map_rows, map_table, map_view
from roofline_app.page.figures.measured_points.points import PLACES, Mark, marks_table
from roofline_app.page.figures.memory.view import memory_table, memory_view
from roofline_app.page.figures.payoff.chart import PayoffChart
from roofline_app.page.figures.payoff.view import payoff_rows, payoff_table, payoff_view
from roofline_app.page.figures.race.view import race_table
from roofline_app.page.figures.rates.chart import RatesChart
from roofline_app.page.figures.rates.view import rates_table, rates_view
from roofline_app.page.figures.roofline.chart import RooflineChart
from roofline_app.page.figures.roofline.view import roofline_table, roofline_view
from roofline_app.page.figures.rows import Row, marks_rows
from roofline_app.page.figures.sensitivity.chart import SensitivityChart
from roofline_app.page.figures.sensitivity.view import strip_rows, strip_table, strip_view
from roofline_app.page.figures.speedup.chart import LABEL_ROOM as SPEEDUP_LABEL_ROOM, SpeedupChart
from roofline_app.page.figures.speedup.view import speedup_table, speedup_view
from roofline_app.page.figures.tables import Table
from roofline_app.page.figures.time.view import time_table, time_view
from roofline_app.page.figures.workings import FIGURES, workings
from roofline_app.page.pending.map_rows import PendingMapRows
from roofline_app.page.pending.sensitivities import PendingSensitivities
from roofline_app.page.protocol import FiguresState, KeyEntry, TableWords
from roofline_app.page.theme import Palette
from roofline_app.results import Evaluation
from roofline_app.scenario import Scenario
from roofline_app.sensitivity import band

TABLES: Mapping[str, Callable[[Evaluation, str], Table]] = {
    "speedup": speedup_table,
    "batch": batch_table,
    "acceptance": acceptance_table,
    "roofline": roofline_table,
    "time": time_table,
    "rates": rates_table,
    "race": race_table,
    "payoff": payoff_table,
    "memory": memory_table,
}
# What is drawn before the page says what stands on the screen; the others wait.
OPENING = frozenset({"speedup", "batch", "roofline", "time", "memory"})


class Drawing:
    """The figures and what they show.

    Attributes:
        charts: Figures by name.
        palette: Colours in use.
        look: How the reader looks at the figures.
    """

    def __init__(self, palette: Palette, language: str) -> None:
        """Make the figures, without data; those of `OPENING` count as visible until the page says otherwise."""
        self.look = Look(language=language)
        self.palette = palette
        self.speedup = SpeedupChart(palette, language)
        self.batch = BatchChart(palette, language)
        self.acceptance = AcceptanceChart(palette, language)
        self.roofline = RooflineChart(palette, language)
        self.time = bars.TimeChart(palette, language)
        self.rates = RatesChart(palette, language)
        self.map = MapChart(palette, language)
        self.map_rows = PendingMapRows()
        self.payoff = PayoffChart(palette, language)
        self.sensitivity = SensitivityChart(palette, language)
        self.changing = PendingSensitivities()
        self.memory = bars.MemoryChart(palette, language)
        self.charts: Mapping[str, Chart] = {
            "speedup": self.speedup,
            "batch": self.batch,
            "acceptance": self.acceptance,
            "roofline": self.roofline,
            "time": self.time,
            "rates": self.rates,
            "map": self.map,
            "payoff": self.payoff,
            "sensitivity": self.sensitivity,
            "memory": self.memory,
        }
        share_parts(chart.plot for chart in self.charts.values())
        self._draw: Mapping[str, Callable[[Evaluation], None]] = {
            "speedup": self._draw_speedup,
            "batch": self._draw_batch,
            "acceptance": self._draw_acceptance,
            "roofline": self._draw_roofline,
            "time": self._draw_time,
            "rates": self._draw_rates,
            "map": self._draw_map,
            "payoff": self._draw_payoff,
            "sensitivity": self._draw_sensitivity,
            "memory": self._draw_memory,
        }
        self._visible = set(OPENING)
        self._late = set[str]()
        self._tables = set[str]()
        self._workings = set[str]()
        self._stale = set(self.charts)
        self._keys: dict[str, list[KeyEntry]] = {"roofline": [], "time": [], "rates": [], "memory": []}
        self._scenario = Scenario()
        self._evaluation: Evaluation | None = None
        self._pinned: Evaluation | None = None

    def mark(self, marks: tuple[Mark, ...]) -> None:
        """Take the measured points that the next evaluation is drawn with."""
        self.look = replace(self.look, marks=marks)

    def show(self, scenario: Scenario, evaluation: Evaluation, pinned: Evaluation | None = None) -> None:
        """Draw a scenario's evaluation on the visible figures, with a pinned one behind it where there is one."""
        self._scenario, self._evaluation, self._pinned = scenario, evaluation, pinned
        self._aim()
        self.look = replace(self.look, band=self._band())
        self._redraw(set(self.charts))

    def restyle(self, palette: Palette) -> None:
        """Take another theme's colours."""
        self.palette = palette
        for chart in self.charts.values():
            chart.restyle(palette)
        self._redraw(set(self.charts))

    def look_at(self, **changes: Any) -> None:
        """Draw for another look: `narrow`, `hidden`, `fixed` or `lengths`."""
        look = replace(self.look, **changes)
        if look == self.look:
            return
        self.look = look
        for chart in self.charts.values():
            chart.narrow = look.narrow
        self._redraw(set(self.charts))

    def set_visible(self, name: str, *, visible: bool) -> None:
        """Take whether a figure is on the screen; draw it where it has waited."""
        if name not in self.charts:
            return
        if visible or name in self._late:  # the page was told to hold it, so that it has to be right
            self._visible.add(name)
            self._aim()
            self._redraw(set())
        self._late.discard(name)
        if not visible:
            self._visible.discard(name)

    def leave_out(self, shown: Container[str]) -> None:
        """Let the figures wait that are not among those on the screen, until `set_visible` speaks of them."""
        self._late = {name for name in self._visible if name not in shown}
        self._visible -= self._late

    def set_table(self, name: str, *, opened: bool) -> None:
        """Take whether a figure's table is open."""
        if name in self.charts or name in TABLES:
            (self._tables.add if opened else self._tables.discard)(name)

    def set_working(self, name: str, *, opened: bool) -> None:
        """Take whether a figure says how it is computed."""
        if name in FIGURES:
            (self._workings.add if opened else self._workings.discard)(name)

    def state(self) -> FiguresState:
        """Return the open tables and calculations, the keys and the notes of the figures."""
        assert self._evaluation is not None  # the page shows a scenario before it says what it shows
        evaluation, language = self._evaluation, self.look.language
        return {
            "tables": {name: self._table(name, evaluation).as_json() for name in sorted(self._tables)},
            "map": {
                "waits": self.map_rows.pieces if "map" in self._visible else 0,
                "revision": self.map_rows.revision,
                "lengths": self.look.lengths,
            },
            "sensitivity": {
                "waits": len(self.changing.waiting) if self._wants_sensitivity() else 0,
                "revision": self.changing.revision if self._wants_sensitivity() else 0,
                "banded": self.look.banded,
            },
            "workings": {
                name: [
                    {"text": line.text, "source": line.source, "address": line.address}
                    for line in workings(name, evaluation, language)
                ]
                for name in sorted(self._workings)
            },
            "mark_tables": self._mark_tables(evaluation),
            "keys": self._keys,
            "notes": state.notes(evaluation, self.look),
        }

    def advance(self, revision: object) -> None:
        """Compute one more piece of the map, unless its setting has changed since; draw a row that is complete."""
        if self._evaluation is not None and revision == self.map_rows.revision and self.map_rows.advance():
            self._draw_map(self._evaluation)

    def advance_sensitivity(self, revision: object) -> None:
        """Evaluate one more changed assumption, unless the setting has changed since; draw them when all are there."""
        changing = self.changing
        if revision != changing.revision or not changing.advance() or changing.waiting:
            return
        self.look = replace(self.look, band=self._band())
        self._redraw({"sensitivity", "speedup"})

    def set_band(self, *, banded: bool) -> None:
        """Take whether figure 1 shows what any one assumption leads to."""
        self.look = replace(self.look, banded=banded)
        self._aim()
        self.look_at(band=self._band())

    def _aim(self) -> None:
        """Take the setting whose sensitivity is wanted; nobody waits for what is not shown."""
        if self._evaluation is not None and self._wants_sensitivity():
            self.changing.aim(self._scenario, self._evaluation)

    def _wants_sensitivity(self) -> bool:
        return self.look.banded or "sensitivity" in self._visible

    def _band(self) -> Band | None:
        """Return the band of figure 1 where it is wanted and everything that it holds is there."""
        if not self.look.banded or self.changing.waiting:
            return None
        low, high = band(self.changing.found())
        return Band(line=self.changing.line, low=tuple(low.tolist()), high=tuple(high.tolist()))

    def rows(self) -> Mapping[str, list[Row]]:
        """Return the values of the figures that hold more than an evaluation."""
        evaluation, look = self._evaluation, self.look
        points = {
            name: marks_rows(name, look.marks, evaluation, look.language) if evaluation else [] for name in PLACES
        }
        return {
            "map": map_rows(self.map_rows.shown()),
            "sensitivity": strip_rows(self.changing.found()),
            "payoff": payoff_rows(evaluation.payoff if evaluation else None),
            **points,
        }

    def _table(self, name: str, evaluation: Evaluation) -> Table:
        if name == "map":
            return map_table(self.map_rows.shown(), self.look.language)
        if name == "sensitivity":
            return strip_table(self.changing.found(), self.look.language)
        return TABLES[name](evaluation, self.look.language)

    def _mark_tables(self, evaluation: Evaluation) -> dict[str, TableWords]:
        """Return the measured points of the figures whose tables are open."""
        tables = {
            name: marks_table(name, self.look.marks, evaluation, self.look.language)
            for name in self._tables & PLACES.keys()
        }
        return {name: table.as_json() for name, table in sorted(tables.items()) if table}

    def _redraw(self, names: set[str]) -> None:
        self._stale |= names
        if self._evaluation is None:
            return
        for name in sorted(self._stale & self._visible):
            self._draw[name](self._evaluation)
        self._stale -= self._visible

    def _draw_speedup(self, evaluation: Evaluation) -> None:
        self.speedup.update(speedup_view(evaluation, self.look, label_room=SPEEDUP_LABEL_ROOM, pinned=self._pinned))

    def _draw_batch(self, evaluation: Evaluation) -> None:
        self.batch.update(batch_view(evaluation, self.look, label_room=BATCH_LABEL_ROOM, pinned=self._pinned))

    def _draw_acceptance(self, evaluation: Evaluation) -> None:
        self.acceptance.update(acceptance_view(evaluation, self.look, label_room=ACCEPTANCE_LABEL_ROOM))

    def _draw_rates(self, evaluation: Evaluation) -> None:
        view = rates_view(evaluation, self.look, pinned=self._pinned)
        self._keys["rates"] = state.rates_key(view, self.palette)
        self.rates.update(view)

    def _draw_roofline(self, evaluation: Evaluation) -> None:
        view = roofline_view(evaluation, self.look.language, narrow=self.look.narrow)
        self._keys["roofline"] = state.roofline_key(view, self.palette)
        self.roofline.update(view)

    def _draw_time(self, evaluation: Evaluation) -> None:
        view = time_view(evaluation, self.look.language)
        self._keys["time"] = state.time_key(view, self.palette)
        self.time.update(view)

    def _draw_map(self, evaluation: Evaluation) -> None:
        rows = self.map_rows
        rows.aim(self._scenario)
        self.map.update(map_view(rows.shown(), rows.waiting, evaluation=evaluation, look=self.look))

    def _draw_payoff(self, evaluation: Evaluation) -> None:
        self.payoff.update(payoff_view(evaluation, self.look))

    def _draw_sensitivity(self, evaluation: Evaluation) -> None:
        if not self.changing.waiting:
            line = self.changing.line
            found, result = self.changing.found(), evaluation.drafters[line]
            self.sensitivity.update(strip_view(found, result, self.look, line=line))

    def _draw_memory(self, evaluation: Evaluation) -> None:
        view = memory_view(evaluation, self.look.language)
        self._keys["memory"] = state.memory_key(view, self.palette)
        self.memory.update(view)
