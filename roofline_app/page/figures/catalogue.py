"""All figures, by the ids of `data/figures.toml`: each is a folder with a record, of which all else is made."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from roofline_app.page.figures.figure import Figure
from roofline_app.page.figures.look import Shown
from roofline_app.query.vocabulary import figure_ids
from roofline_app.text import sentence


def _record(figure: str) -> Figure:
    found = import_module(f"roofline_app.page.figures.{figure}.figure").FIGURE
    if not isinstance(found, Figure):
        message = f"figures.toml: {figure!r} is a folder without a record"
        raise TypeError(message)
    return found


FIGURES: Mapping[str, Figure] = {figure: _record(figure) for figure in figure_ids()}


def title(name: str, shown: Shown) -> str:
    """Return the title of a figure: what it shows of this setting, or what its axes are where nothing is found yet."""
    finding = FIGURES[name].finding
    return (finding(shown) if finding else "") or sentence(f"figures.{name}_caption", shown.language)
