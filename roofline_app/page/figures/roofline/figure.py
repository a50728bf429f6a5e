"""The record of figure 4: the roofline of the node."""

from __future__ import annotations

from roofline_app.page.figures import findings
from roofline_app.page.figures.figure import Figure
from roofline_app.page.figures.roofline.chart import HEIGHT, RooflineChart
from roofline_app.page.figures.roofline.poster import poster
from roofline_app.page.figures.roofline.view import roofline_key, roofline_table, roofline_view
from roofline_app.page.figures.roofline.working import working
from roofline_app.page.figures.rows import pass_rows
from roofline_app.text import sentence

FIGURE = Figure(
    order=40,
    height=HEIGHT,
    chart=RooflineChart,
    view=lambda shown: roofline_view(shown.evaluation, shown.language, narrow=shown.look.narrow),
    table=lambda shown: roofline_table(shown.evaluation, shown.language),
    rows=lambda shown: pass_rows(shown.evaluation),
    working=working,
    finding=findings.roofline,
    poster=poster,
    note=lambda shown: sentence("page.roofline_note", shown.language, name=shown.evaluation.best_drafter.name),
    key=roofline_key,
    opening=True,
)
