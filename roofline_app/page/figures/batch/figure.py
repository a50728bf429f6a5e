"""The record of figure 2: best speedup against batch."""

from __future__ import annotations

from roofline_app.page.figures import findings
from roofline_app.page.figures.batch.chart import HEIGHT, LABEL_ROOM, BatchChart
from roofline_app.page.figures.batch.poster import first_paint, poster
from roofline_app.page.figures.batch.reasons import reasons
from roofline_app.page.figures.batch.view import BatchView, batch_rows, batch_table, batch_view
from roofline_app.page.figures.batch.working import working
from roofline_app.page.figures.figure import Figure, Switch
from roofline_app.page.figures.look import Shown
from roofline_app.page.figures.measured_points.points import by_batch
from roofline_app.text import sentence


def _view(shown: Shown) -> BatchView:
    return batch_view(shown.evaluation, shown.look, label_room=LABEL_ROOM, pinned=shown.pinned)


def _note(shown: Shown) -> str:
    """Return a note on the draft lengths, and on the shade if there is one."""
    evaluation = shown.evaluation
    said = [sentence("page.batch_note_fixed" if shown.look.fixed else "page.batch_note_best", shown.language)]
    if evaluation.memory.largest_batch < int(evaluation.best_by_batch.batch[-1]):
        said.append(sentence("page.batch_note_shaded", shown.language))
    if shown.look.narrow:
        found = reasons(evaluation, shown.language)
        said += [sentence("figures.batch_why_said", shown.language, words=one.words) for one in found]
    return " ".join(said)


FIGURE = Figure(
    order=10,
    height=HEIGHT,
    chart=BatchChart,
    view=_view,
    table=lambda shown: batch_table(shown.evaluation, shown.language),
    rows=lambda shown: batch_rows(shown.evaluation),
    working=working,
    finding=findings.batch,
    poster=poster,
    first_paint=first_paint,
    note=_note,
    switch=Switch(id="fixed-length", text="hold_length", look="fixed"),
    marks=by_batch,
    dragged=lambda x, _y, _shown: {"batch": max(round(x), 1)},
    opening=True,
)
