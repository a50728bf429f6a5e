"""The record of figure 8: the token race, which the page's own script plays."""

from __future__ import annotations

from roofline_app.page.figures import findings
from roofline_app.page.figures.figure import Figure
from roofline_app.page.figures.look import Shown
from roofline_app.page.figures.race.poster import poster
from roofline_app.page.figures.race.section import BODY
from roofline_app.page.figures.race.view import race_rows, race_table, race_view
from roofline_app.page.figures.race.working import working
from roofline_app.page.figures.rows import Row


def _rows(shown: Shown) -> list[Row]:
    return race_rows(race_view(shown.evaluation, shown.evaluation.scenario.seed, shown.language))


FIGURE = Figure(
    order=70,
    table=lambda shown: race_table(shown.evaluation, shown.language),
    rows=_rows,
    working=working,
    finding=findings.race,
    poster=poster,
    body=BODY,
    moves=True,
)
