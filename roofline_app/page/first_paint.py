"""What a page shows of its figures before BokehJS draws them."""

from __future__ import annotations

from roofline_app.page.figures.batch import chart as batch
from roofline_app.page.figures.batch.view import batch_view
from roofline_app.page.figures.first_paint_svg import batch_svg, speedup_svg
from roofline_app.page.figures.look import Look
from roofline_app.page.figures.speedup import chart as speedup
from roofline_app.page.figures.speedup.view import speedup_view
from roofline_app.results import Evaluation
from roofline_app.text import sentence


def first_paint(evaluation: Evaluation, look: Look) -> dict[str, str]:
    """Return SVG by the name of the root that takes its place: the figures at the top of the page."""
    return {
        "figure-speedup": speedup_svg(
            speedup_view(evaluation, look, label_room=speedup.LABEL_ROOM),
            height=speedup.HEIGHT,
            right=speedup.WIDE_BORDER,
            x_words=sentence("page.draft_length_axis", look.language),
        ),
        "figure-batch": batch_svg(
            batch_view(evaluation, look, label_room=batch.LABEL_ROOM),
            height=batch.HEIGHT,
            right=batch.BORDER,
            x_words=sentence("page.batch_axis", look.language),
        ),
    }
