"""The record of the sensitivity strip: what moves the speedup most."""

from __future__ import annotations

from roofline_app.page.figures.figure import Figure, Switch
from roofline_app.page.figures.sensitivity.chart import HEIGHT, SensitivityChart
from roofline_app.page.figures.sensitivity.poster import poster
from roofline_app.page.figures.sensitivity.view import found_so_far, strip_note, strip_rows, strip_shown, strip_table
from roofline_app.page.figures.sensitivity.work import strip_work
from roofline_app.page.figures.sensitivity.working import working

FIGURE = Figure(
    order=90,
    height=HEIGHT,
    chart=SensitivityChart,
    view=strip_shown,
    table=lambda shown: strip_table(found_so_far(shown), shown.language),
    rows=lambda shown: strip_rows(found_so_far(shown)),
    working=working,
    poster=poster,
    note=strip_note,
    switch=Switch(id="band", text="band", look="banded"),
    work=strip_work,
    is_drawn_whole=True,
    is_wanted=lambda look: look.banded,
)
