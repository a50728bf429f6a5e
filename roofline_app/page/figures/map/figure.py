"""The record of figure 7: best speedup over batch and context."""

from __future__ import annotations

from roofline_app.page.figures.figure import Figure, Switch
from roofline_app.page.figures.look import Shown
from roofline_app.page.figures.map.chart import HEIGHT, MapChart
from roofline_app.page.figures.map.poster import poster
from roofline_app.page.figures.map.view import MapView, map_rows, map_table, map_view, rows_found, setting_at
from roofline_app.page.figures.map.work import map_work
from roofline_app.page.figures.map.working import working


def _view(shown: Shown) -> MapView:
    rows = rows_found(shown.found)
    return map_view(rows, shown.found.waiting, evaluation=shown.evaluation, look=shown.look)


FIGURE = Figure(
    order=60,
    height=HEIGHT,
    chart=MapChart,
    view=_view,
    table=lambda shown: map_table(rows_found(shown.found), shown.language),
    rows=lambda shown: map_rows(rows_found(shown.found)),
    working=working,
    poster=poster,
    note="map_note",
    switch=Switch(id="map-lengths", text="map_lengths", look="lengths"),
    choice=lambda x, y, _: setting_at(x, y),
    work=map_work,
)
