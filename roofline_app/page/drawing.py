"""All figures of the page: which are visible, and an evaluation drawn on those. Others wait until they are shown."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Mapping
from dataclasses import replace
from typing import Any

from bokeh.events import Tap

from roofline_app.page.figures.catalogue import FIGURES, title
from roofline_app.page.figures.chart import Chart, share_parts
from roofline_app.page.figures.look import Look, Shown
from roofline_app.page.figures.measured_points.points import Mark, marks_note, marks_table
from roofline_app.page.figures.pieces import Found
from roofline_app.page.figures.rows import Row, marks_rows
from roofline_app.page.figures.sensitivity.view import band_of
from roofline_app.page.figures.working import sayer
from roofline_app.page.pending.pending import Pending
from roofline_app.page.protocol import FiguresState, KeyEntry, Progress, TableWords
from roofline_app.page.theme import Palette
from roofline_app.results import Evaluation

# The figure whose work shows as a band in figure 1, and both of them.
BAND = "sensitivity"
BANDED = frozenset({BAND, "speedup"})
SWITCHES = {figure.switch.id: figure.switch.look for figure in FIGURES.values() if figure.switch}


class Drawing:
    """The figures and what they show.

    Attributes:
        charts: What BokehJS draws, by figure.
        palette: Colours in use.
        look: How the user looks at the figures.
    """

    def __init__(self, palette: Palette, language: str) -> None:
        """Make the figures, without data; those of the opening count as visible until the page reports otherwise."""
        self.look = Look(language=language)
        self.palette = palette
        self.charts: Mapping[str, Chart] = {
            name: figure.chart(palette, language) for name, figure in FIGURES.items() if figure.chart
        }
        share_parts(chart.plot for chart in self.charts.values())
        self._pending = {name: Pending() for name, figure in FIGURES.items() if figure.work}
        self._aimed: dict[str, Evaluation] = {}
        self._visible = {name for name, figure in FIGURES.items() if figure.opening}
        self._late = set[str]()
        self._tables = set[str]()
        self._workings = set[str]()
        self._stale = set(self.charts)
        self._keys: dict[str, list[KeyEntry]] = {name: [] for name, figure in FIGURES.items() if figure.key}
        self._shown: Shown | None = None
        self._choose: Callable[[Mapping[str, int]], None] = lambda _: None

    def on_choice(self, choose: Callable[[Mapping[str, int]], None]) -> None:
        """Report the setting that the user chooses by a click on a figure, as fields of the scenario."""
        self._choose = choose
        for name, chart in self.charts.items():
            choice = FIGURES[name].choice
            if choice is None:
                continue

            def tapped(event: Any, name: str = name, choice: Callable[..., Mapping[str, int] | None] = choice) -> None:
                if self._shown is not None and event.x is not None and event.y is not None:
                    chosen = choice(event.x, event.y, self._of(name, self._shown))
                    if chosen:
                        choose(chosen)

            chart.plot.on_event(Tap, tapped)

    def choose(self, place: Any) -> None:
        """Take the setting of a place that the user drags or types to; what is no place is ignored."""
        name = place.get("figure") if isinstance(place, dict) else None
        figure = FIGURES.get(name) if isinstance(name, str) else None
        choice = figure and (figure.dragged or figure.choice)
        if not choice or self._shown is None:
            return
        x, y = place.get("x"), place.get("y")
        if all(isinstance(value, int | float) and math.isfinite(value) for value in (x, y)):
            chosen = choice(float(x), float(y), self._of(str(name), self._shown))
            if chosen:
                self._choose(chosen)

    def mark(self, marks: tuple[Mark, ...]) -> None:
        """Set the measured points to draw with the next evaluation."""
        self.look = replace(self.look, marks=marks)

    def show(self, evaluation: Evaluation, pinned: tuple[Evaluation, ...] = ()) -> None:
        """Draw an evaluation on the visible figures, with pinned ones behind it."""
        self._shown = Shown(evaluation=evaluation, pinned=pinned)
        self._aim()
        self.look = replace(self.look, band=self._band())
        self._redraw(set(self.charts))

    def restyle(self, palette: Palette) -> None:
        """Change to another theme's colours."""
        self.palette = palette
        for chart in self.charts.values():
            chart.restyle(palette)
        self._redraw(set(self.charts))

    def look_at(self, **changes: Any) -> None:
        """Draw for another look: `narrow`, `hidden` or what a switch changes."""
        look = replace(self.look, **changes)
        if look == self.look:
            return
        self.look = look
        if "banded" in changes:
            self._aim()
            self.look = replace(self.look, band=self._band())
        for chart in self.charts.values():
            chart.narrow = look.narrow
        self._redraw(set(self.charts))

    def set_visible(self, name: str, *, visible: bool) -> None:
        """Note whether a figure is on the screen, and draw it if it has waited."""
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
        """Hold back the figures that are not on the screen, until `set_visible` names them."""
        self._late = {name for name in self._visible if name not in shown}
        self._visible -= self._late

    def set_table(self, name: str, *, opened: bool) -> None:
        """Note whether a figure's table is open."""
        if name in FIGURES:
            (self._tables.add if opened else self._tables.discard)(name)

    def set_working(self, name: str, *, opened: bool) -> None:
        """Note whether a figure's working is open."""
        if name in FIGURES:
            (self._workings.add if opened else self._workings.discard)(name)

    def advance(self, name: str, revision: object) -> None:
        """Evaluate one more piece of a figure's work, unless its setting has changed since; draw what is complete."""
        pending = self._pending.get(name)
        if pending is None or revision != pending.revision or not pending.advance():
            return
        if name == BAND and not pending.waits:
            self.look = replace(self.look, band=self._band())
            self._redraw(set(BANDED))
        elif name != BAND:
            self._redraw({name})

    def state(self) -> FiguresState:
        """Return the open tables and calculations, what waits, the keys and the notes of the figures."""
        assert self._shown is not None  # the page shows a scenario before it says what it shows
        shown = {name: self._of(name, self._shown) for name in FIGURES}
        evaluation, look = self._shown.evaluation, self.look
        say = sayer(look.language)
        return {
            "tables": {name: FIGURES[name].table(shown[name]).as_json() for name in sorted(self._tables)},
            "workings": {
                name: [
                    {"text": line.text, "source": line.source, "address": line.address}
                    for line in FIGURES[name].working(evaluation, say, look.language)
                ]
                for name in sorted(self._workings)
            },
            "mark_tables": self._mark_tables(evaluation),
            "keys": self._keys,
            "notes": self._notes(shown),
            "titles": {name: title(name, shown[name]) for name in FIGURES},
            "pending": {name: self._waits(name) for name in self._pending},
            "switches": {switch: getattr(look, field) for switch, field in SWITCHES.items()},
        }

    def rows(self, name: str) -> list[Row]:
        """Return the values of a figure and its measured points, for a file; none where there is no such figure."""
        if name not in FIGURES or self._shown is None:
            return []
        figure, shown = FIGURES[name], self._of(name, self._shown)
        points = marks_rows(figure.marks, shown.look.marks, shown.evaluation, shown.language) if figure.marks else []
        return [*figure.rows(shown), *points]

    def shown_of(self, name: str) -> Shown | None:
        """Return what a figure shows; None before there is anything."""
        return None if self._shown is None else self._of(name, self._shown)

    def _of(self, name: str, shown: Shown) -> Shown:
        """Return the view of a figure as the user looks at it, with the finished part of its work."""
        is_aimed = self._aimed.get(name) is shown.evaluation
        found = self._pending[name].found() if is_aimed else Found()
        return replace(shown, look=self.look, found=found)

    def _aim(self) -> None:
        """Start the work of a setting; nobody waits for a figure that is not shown."""
        if self._shown is None:
            return
        evaluation = self._shown.evaluation
        for name, pending in self._pending.items():
            work = FIGURES[name].work
            if work and self._is_wanted(name) and self._aimed.get(name) is not evaluation:
                pending.aim(work(evaluation))
                self._aimed[name] = evaluation

    def _is_wanted(self, name: str) -> bool:
        return name in self._visible or FIGURES[name].is_wanted(self.look)

    def _waits(self, name: str) -> Progress:
        pending, is_wanted = self._pending[name], self._is_wanted(name)
        return {"waits": pending.waits, "revision": pending.revision} if is_wanted else {"waits": 0, "revision": 0}

    def _band(self) -> Any:
        """Return the band of figure 1 where it is wanted and everything that it holds is there."""
        return band_of(self._of(BAND, self._shown)) if self.look.banded and self._shown else None

    def _notes(self, shown: Mapping[str, Shown]) -> dict[str, str]:
        notes = {name: figure.note(shown[name]) for name, figure in FIGURES.items() if callable(figure.note)}
        for name, figure in FIGURES.items():
            if figure.marks:
                one = shown[name]
                notes[f"marks-{name}"] = marks_note(figure.marks, one.look.marks, one.evaluation, one.language)
        return notes

    def _mark_tables(self, evaluation: Evaluation) -> dict[str, TableWords]:
        """Return the measured points of the figures whose tables are open."""
        marks, language = self.look.marks, self.look.language
        places = {name: FIGURES[name].marks for name in sorted(self._tables)}
        tables = {name: marks_table(place, marks, evaluation, language) for name, place in places.items() if place}
        return {name: table.as_json() for name, table in tables.items() if table}

    def _redraw(self, names: set[str]) -> None:
        self._stale |= names
        if self._shown is None:
            return
        for name in sorted(self._stale & self._visible):
            self._draw(name, self._of(name, self._shown))
        self._stale -= self._visible

    def _draw(self, name: str, shown: Shown) -> None:
        figure = FIGURES[name]
        if figure.view is None or (figure.is_drawn_whole and shown.found.waiting):
            return
        view = figure.view(shown)
        if figure.key:
            self._keys[name] = figure.key(view, self.palette)
        self.charts[name].update(view)
