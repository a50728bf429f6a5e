"""The record of figure 9: the node's memory by use."""

from __future__ import annotations

from roofline_app.page.figures import findings
from roofline_app.page.figures.figure import Figure
from roofline_app.page.figures.memory.chart import HEIGHT, MemoryChart
from roofline_app.page.figures.memory.poster import poster
from roofline_app.page.figures.memory.view import memory_key, memory_label, memory_rows, memory_table, memory_view
from roofline_app.page.figures.memory.working import working

FIGURE = Figure(
    order=80,
    height=HEIGHT,
    chart=MemoryChart,
    view=lambda shown: memory_view(shown.evaluation, shown.language),
    table=lambda shown: memory_table(shown.evaluation, shown.language),
    rows=lambda shown: memory_rows(shown.evaluation),
    working=working,
    finding=findings.memory,
    poster=poster,
    note=lambda shown: memory_label(shown.evaluation, shown.language),
    key=memory_key,
    opening=True,
)
