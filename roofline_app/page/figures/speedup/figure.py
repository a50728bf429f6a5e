"""The record of figure 1: speedup against draft length."""

from __future__ import annotations

from roofline_app.page.figures import findings
from roofline_app.page.figures.figure import Figure
from roofline_app.page.figures.look import Shown
from roofline_app.page.figures.measured_points.points import by_draft_length
from roofline_app.page.figures.speedup.chart import HEIGHT, LABEL_ROOM, SpeedupChart
from roofline_app.page.figures.speedup.poster import first_paint, poster
from roofline_app.page.figures.speedup.view import SpeedupView, speedup_rows, speedup_table, speedup_view
from roofline_app.page.figures.speedup.working import working


def _view(shown: Shown) -> SpeedupView:
    return speedup_view(shown.evaluation, shown.look, label_room=LABEL_ROOM, pinned=shown.pinned)


FIGURE = Figure(
    order=-1,
    height=HEIGHT,
    chart=SpeedupChart,
    view=_view,
    table=lambda shown: speedup_table(shown.evaluation, shown.language),
    rows=lambda shown: speedup_rows(shown.evaluation),
    working=working,
    finding=findings.speedup,
    poster=poster,
    first_paint=first_paint,
    note="speedup_note",
    marks=by_draft_length,
    opening=True,
)
