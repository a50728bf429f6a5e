"""The markup of each figure on the page: its title, its note, where it is drawn, its key."""

from __future__ import annotations

import html

from roofline_app.page.figures.catalogue import FIGURES
from roofline_app.page.figures.figure import Figure
from roofline_app.text import sentence

ANSWER, OTHERS = "<!-- figures beside the answer -->", "<!-- other figures -->"
INDENT = "      "


def with_figures(index: str) -> str:
    """Return index.html with a section for each figure, in their order."""
    ordered = sorted(FIGURES, key=lambda name: FIGURES[name].order)
    beside = [section(name) for name in ordered if FIGURES[name].order < 0]
    others = [section(name) for name in ordered if FIGURES[name].order >= 0]
    for place, sections in ((ANSWER, beside), (OTHERS, others)):
        index = index.replace(f"{INDENT}{place}\n", "".join(sections), 1)
    return index


def section(name: str) -> str:
    """Return the section of a figure, in English; its keys say what stands there in other languages."""
    figure = FIGURES[name]
    parts = [
        f'<h2 id="title-{name}" data-text="{name}_caption" data-title="{name}">{_text(f"figures.{name}_caption")}</h2>',
        *(
            [f'<p class="axes" id="axes-{name}" data-text="{name}_caption">{_text(f"figures.{name}_caption")}</p>']
            if figure.finding
            else []
        ),
        *_note(name, figure),
        *([f'<p class="note marks" data-note="marks-{name}"></p>'] if figure.marks else []),
        *figure.body,
        *([f'{plot_start(name)} data-root="figure-{name}"></div>'] if figure.chart else []),
        *([f'<ul class="key" data-key="{name}"></ul>'] if figure.key else []),
    ]
    lines = "".join(f"{INDENT}  {part}\n" for part in parts)
    start = f'<section class="figure" data-figure="{name}" aria-labelledby="title-{name}">'
    return f"{INDENT}{start}\n{lines}{INDENT}</section>\n"


def plot_start(name: str) -> str:
    """Return the start of the element that a figure's poster stands for."""
    figure = FIGURES[name]
    return f'<div class="plot plot-{name}"' if figure.chart else figure.body[-1]


def plot_heights() -> str:
    """Return the style sheet's heights of all plots, which hold until they are drawn."""
    return "".join(f".plot-{name}{{height:{figure.height}px}}" for name, figure in FIGURES.items() if figure.chart)


def _text(key: str) -> str:
    return html.escape(sentence(key), quote=False)


def _note(name: str, figure: Figure) -> list[str]:
    """Return the paragraph below the title, with the figure's switch in it."""
    if not figure.note:
        return []
    said, text = f'data-note="{name}"', ""
    if isinstance(figure.note, str):
        said, text = f'data-text="{figure.note}"', _text(f"figures.{figure.note}")
    if figure.switch is None:
        return [f'<p class="note" {said}>{text}</p>']
    button = f'<button type="button" class="switch" id="{figure.switch.id}" aria-pressed="false"'
    words = f'data-text="{figure.switch.text}">{_text(f"page.{figure.switch.text}")}</button>'
    return [f'<p class="note"><span {said}>{text}</span> {button} {words}</p>']
