"""The record of figure 5: where the time goes."""

from __future__ import annotations

from roofline_app.page.figures import findings
from roofline_app.page.figures.figure import Figure
from roofline_app.page.figures.time.chart import HEIGHT, TimeChart
from roofline_app.page.figures.time.poster import poster
from roofline_app.page.figures.time.view import time_key, time_rows, time_table, time_view
from roofline_app.page.figures.time.working import working

FIGURE = Figure(
    order=30,
    height=HEIGHT,
    chart=TimeChart,
    view=lambda shown: time_view(shown.evaluation, shown.language),
    table=lambda shown: time_table(shown.evaluation, shown.language),
    rows=lambda shown: time_rows(shown.evaluation),
    working=working,
    finding=findings.time,
    poster=poster,
    key=time_key,
    opening=True,
)
