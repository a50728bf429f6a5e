"""The record of figure 10: the payoff of a better drafter."""

from __future__ import annotations

from roofline_app.page.figures.figure import Figure
from roofline_app.page.figures.payoff.chart import HEIGHT, PayoffChart
from roofline_app.page.figures.payoff.poster import poster
from roofline_app.page.figures.payoff.view import payoff_rows, payoff_table, payoff_view, payoff_words
from roofline_app.page.figures.payoff.working import working

FIGURE = Figure(
    order=100,
    height=HEIGHT,
    chart=PayoffChart,
    view=lambda shown: payoff_view(shown.evaluation, shown.look),
    table=lambda shown: payoff_table(shown.evaluation, shown.language),
    rows=lambda shown: payoff_rows(shown.evaluation.payoff),
    working=working,
    poster=poster,
    note=lambda shown: payoff_words(shown.evaluation, shown.language),
    body=('<div class="form in-row" data-form="payoff"></div>',),
)
