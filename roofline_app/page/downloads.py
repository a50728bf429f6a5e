"""Downloads: a figure's values as CSV or JSON, and the whole evaluation as JSON."""

from __future__ import annotations

import json

from roofline_app import export, query
from roofline_app.export.csv_rows import as_csv, united
from roofline_app.page.figures.rows import Row
from roofline_app.page.protocol import GivenFile
from roofline_app.results import Evaluation
from roofline_app.text import FALLBACK

# Pictures of what no other script draws: a PNG travels as the drawing that the browser makes it of.
PICTURES = {"svg": "image/svg+xml", "png": "image/png"}
STEM = "speculation-roofline"
EVALUATION = "evaluation"


def picture_file(figure: str, kind: str, drawing: str) -> GivenFile:
    """Return the file of a figure's picture.

    Args:
        figure: Name of the figure.
        kind: One of `PICTURES`.
        drawing: The picture as SVG.
    """
    return {"name": f"{STEM}-{figure}.{kind}", "media": PICTURES[kind], "text": drawing}


def file_of(
    figure: str, kind: str, evaluation: Evaluation, rows: list[Row], language: str = FALLBACK
) -> GivenFile | None:
    """Return a file's name, media type and text.

    Args:
        figure: Name of a figure, or `evaluation` for everything.
        kind: `csv` or `json`.
        evaluation: What to write of.
        rows: The figure's values.
        language: Of the texts in the evaluation's file.

    Returns:
        The file, or None where there is nothing to write, or no such kind.
    """
    columns = united(rows)
    if figure == EVALUATION and kind == "json":
        text = json.dumps(export.as_json(evaluation, language=language), indent=1, ensure_ascii=False)
    elif columns and kind == "json":
        content = {"figure": figure, "query": query.encode(evaluation.scenario), "rows": columns}
        text = json.dumps(content, indent=1, ensure_ascii=False)
    elif columns and kind == "csv":
        text = as_csv(columns)
    else:
        return None
    media = "text/csv" if kind == "csv" else "application/json"
    return {"name": f"{STEM}-{figure}.{kind}", "media": media, "text": text}
