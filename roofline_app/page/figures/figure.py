"""The record of a figure, from which its place on the page, its table, files, formulas and poster follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from roofline_app.page.figures.canvas import Picture
from roofline_app.page.figures.chart import Chart
from roofline_app.page.figures.look import Look, Shown
from roofline_app.page.figures.measured_points.points import Place
from roofline_app.page.figures.pieces import Work
from roofline_app.page.figures.rows import Row
from roofline_app.page.figures.tables import Table
from roofline_app.page.figures.working import Say, Working
from roofline_app.page.protocol import KeyEntry
from roofline_app.page.theme import Palette
from roofline_app.results import Evaluation


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """A button in a figure's note that changes how it looks.

    Attributes:
        id: Its id on the page, and the name of its message.
        text: Key of its words.
        look: Name of what it changes of the `Look`.
    """

    id: str
    text: str
    look: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure of the page.

    Attributes:
        order: Where it stands among the others; figures below zero stand beside the answer.
        height: Pixels of its plot; 0 where BokehJS does not draw it.
        chart: Makes what BokehJS draws, from colours and language; None where BokehJS draws nothing.
        view: What the chart's `update` takes.
        table: Its values as words.
        rows: Its values as numbers, for files.
        working: How it is computed.
        poster: Itself as a picture.
        finding: What it shows of this setting, in a sentence, as its title; empty where nothing is found yet.
        note: What stands below its title: the key of a text, or what makes the text.
        switch: The button in its note.
        body: Markup between its note and its plot; without a plot, its last part is what a poster stands for.
        key: Its key of colours, from its view.
        marks: Where measured points stand on it.
        choice: What a click at a place of the plot chooses: fields of the scenario, or None.
        dragged: What a place chooses to which the mark of this setting is dragged, or that a key takes.
        first_paint: Itself as SVG before BokehJS draws it.
        opening: Whether it is drawn before the page says what stands on the screen.
        work: What is evaluated for it in pieces.
        is_wanted: Whether that is wanted while the figure itself is not on the screen.
        is_drawn_whole: Whether it is drawn only when all pieces are there.
        moves: Whether its poster moves.
    """

    order: int
    table: Callable[[Shown], Table]
    rows: Callable[[Shown], list[Row]]
    working: Callable[[Evaluation, Say, str], list[Working]]
    poster: Callable[[Shown, Palette], Picture]
    height: int = 0
    chart: Callable[[Palette, str], Chart] | None = None
    view: Callable[[Shown], Any] | None = None
    finding: Callable[[Shown], str] | None = None
    note: str | Callable[[Shown], str] = ""
    switch: Switch | None = None
    body: tuple[str, ...] = ()
    key: Callable[[Any, Palette], list[KeyEntry]] | None = None
    marks: Place | None = None
    choice: Callable[[float, float, Shown], Mapping[str, int] | None] | None = None
    dragged: Callable[[float, float, Shown], Mapping[str, int] | None] | None = None
    first_paint: Callable[[Shown], str] | None = None
    opening: bool = False
    work: Callable[[Evaluation], Work] | None = None
    is_wanted: Callable[[Look], bool] = lambda _: False
    is_drawn_whole: bool = False
    moves: bool = False
