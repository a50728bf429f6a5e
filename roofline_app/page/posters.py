"""Posters: a figure of a setting as a picture that needs no script, with its numbers as text."""

from __future__ import annotations

import re
from functools import lru_cache

from roofline_app import query
from roofline_app.evaluation import evaluate
from roofline_app.page.figures.canvas import Picture, drawing, text_width
from roofline_app.page.figures.catalogue import FIGURES
from roofline_app.page.figures.look import Look, Shown
from roofline_app.page.figures.pieces import Found
from roofline_app.page.figures.svg import written
from roofline_app.page.pending.pending import worked_out
from roofline_app.page.theme import PALETTES, Palette
from roofline_app.results import Evaluation
from roofline_app.results.setting_words import setting_words
from roofline_app.scenario import Scenario
from roofline_app.text import FALLBACK, sentence
from roofline_app.verdict import answer

TITLE_SIZE, MOST_LETTERS = 15, 100
CLAUSE_END = re.compile(r"[.,](?= )|[，；。]")
HEADLINE_TOP, LINE_SPACE = 42, 16
SETTINGS_KEPT = 4


def _fitting(text: str) -> str:
    """Return as many clauses of a text as fit into one line."""
    clauses = [text[: found.start()] for found in CLAUSE_END.finditer(f"{text} ")]
    return next((kept for kept in reversed(clauses) if text_width(kept) <= MOST_LETTERS), text)


@lru_cache(maxsize=SETTINGS_KEPT * sum(figure.work is not None for figure in FIGURES.values()))
def _found(figure: str, scenario: Scenario) -> Found:
    """Return everything that a figure works out in pieces."""
    work = FIGURES[figure].work
    return worked_out(work(evaluate(scenario))) if work else Found()


def poster(evaluation: Evaluation, figure: str, theme: str = "light", language: str = "en") -> str:
    """Return a figure of a setting as an SVG file.

    Args:
        evaluation: The setting.
        figure: One of `FIGURES`.
        theme: `light` or `dark`.
        language: Language of the words.

    Raises:
        KeyError: When the figure or the theme is none.
    """
    palette, look = PALETTES[theme], Look(language=language)
    found = _found(figure, evaluation.scenario) if FIGURES[figure].work else Found()
    shown = Shown(evaluation=evaluation, look=look, found=found)
    return framed(evaluation, figure, FIGURES[figure].poster(shown, palette), palette, language)


def framed(evaluation: Evaluation, figure: str, picture: Picture, palette: Palette, language: str) -> str:
    """Return a drawn figure as an SVG file that names its setting.

    Args:
        evaluation: The setting.
        figure: Name of the figure.
        picture: What is drawn.
        palette: Colours.
        language: Language of the words.
    """
    caption = sentence(f"figures.{figure}_caption", language)
    setting, said = setting_words(evaluation, language), answer(evaluation, language)
    head = [
        written(16, 24, setting, palette.text, font_size=str(TITLE_SIZE), font_weight="bold"),
        written(16, HEADLINE_TOP, _fitting(said.headline), palette.text),
        written(16, HEADLINE_TOP + LINE_SPACE, f"{caption} · {evaluation.profile.name}", palette.muted),
    ]
    description = " ".join(words for words in (said.headline, said.verdict, picture.description) if words)
    return drawing(f"{caption}. {setting}", description, palette, "".join([*head, picture.content]))


def of_link(link: str) -> str:
    """Return the poster of a link: its first figure that is one of `FIGURES`, else speedups, in its theme and language.

    Args:
        link: Query string, without question mark.
    """
    scenario = query.decode(link).scenario
    shown = scenario.presentation
    figure = next((name for name in shown.figures if name in FIGURES), "speedup")
    theme = "dark" if shown.theme == "dark" else "light"
    language = shown.lang or FALLBACK
    return poster(evaluate(scenario), figure, theme, language)
