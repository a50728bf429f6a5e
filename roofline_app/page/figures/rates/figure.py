"""The record of figure 6: tokens per second per user against per GPU."""

from __future__ import annotations

from roofline_app.page.figures import findings
from roofline_app.page.figures.figure import Figure
from roofline_app.page.figures.rates.chart import HEIGHT, RatesChart
from roofline_app.page.figures.rates.poster import poster
from roofline_app.page.figures.rates.view import rates_key, rates_rows, rates_table, rates_view
from roofline_app.page.figures.rates.working import working

FIGURE = Figure(
    order=50,
    height=HEIGHT,
    chart=RatesChart,
    view=lambda shown: rates_view(shown.evaluation, shown.look, pinned=shown.pinned),
    table=lambda shown: rates_table(shown.evaluation, shown.language),
    rows=lambda shown: rates_rows(shown.evaluation),
    working=working,
    finding=findings.rates,
    poster=poster,
    note="rates_note",
    key=rates_key,
)
