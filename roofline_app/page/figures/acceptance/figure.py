"""The record of figure 3: speedup against tokens per round."""

from __future__ import annotations

from roofline_app.page.figures import findings
from roofline_app.page.figures.acceptance.chart import HEIGHT, LABEL_ROOM, AcceptanceChart
from roofline_app.page.figures.acceptance.poster import poster
from roofline_app.page.figures.acceptance.view import AcceptanceView, acceptance_rows, acceptance_table, acceptance_view
from roofline_app.page.figures.acceptance.working import working
from roofline_app.page.figures.figure import Figure
from roofline_app.page.figures.look import Shown
from roofline_app.page.figures.measured_points.points import by_tokens_per_round


def _view(shown: Shown) -> AcceptanceView:
    return acceptance_view(shown.evaluation, shown.look, label_room=LABEL_ROOM)


FIGURE = Figure(
    order=20,
    height=HEIGHT,
    chart=AcceptanceChart,
    view=_view,
    table=lambda shown: acceptance_table(shown.evaluation, shown.language),
    rows=lambda shown: acceptance_rows(shown.evaluation),
    working=working,
    finding=findings.acceptance,
    poster=poster,
    note="acceptance_note",
    marks=by_tokens_per_round,
)
