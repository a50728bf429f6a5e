"""Events: the user's actions outside of the document's widgets, as types of both sides of the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypedDict

from roofline_app.page.protocol.state import Theme


class OwnFile(TypedDict):
    """A file of the user's; its content in base64."""

    name: str
    content: str


class DraftLength(TypedDict):
    """The draft length of the runs of one of the user's files that do not state theirs."""

    file: int
    drafts: str


class FieldChange(TypedDict):
    """A field of a form that has been changed."""

    form: str
    field: str
    value: str


class HiddenLine(TypedDict):
    """A drafter's line, and whether it is to be hidden."""

    line: int
    hidden: bool


class ShownFigure(TypedDict):
    """A figure, and whether it can be seen."""

    figure: str
    visible: bool


class OpenedPart(TypedDict):
    """A figure whose table or working is opened or closed."""

    figure: str
    open: bool


class FileWish(TypedDict):
    """A file that is asked for."""

    figure: str
    kind: str


class RaceChoice(TypedDict):
    """What a column of the race is to show: a run of the user's own, or what is computed (-1)."""

    column: int
    run: int


class ChosenPlace(TypedDict):
    """A place of a figure whose setting is to be taken, as values of its axes."""

    figure: str
    x: float
    y: float


class WorkPiece(TypedDict):
    """A piece of a figure's work that is to be done next, and of which setting."""

    figure: str
    revision: int


class SwitchChange(TypedDict):
    """A figure's switch, and whether it is on."""

    name: str
    on: bool


Handlers = TypedDict(
    "Handlers",
    {
        "warm-up": Callable[[None], None],
        "preset": Callable[[str], None],
        "query": Callable[[str], None],
        "model": Callable[[str], None],
        "config": Callable[[str], None],
        "files": Callable[[list[OwnFile]], None],
        "clear-points": Callable[[None], None],
        "fit-points": Callable[[None], None],
        "draft-length": Callable[[DraftLength], None],
        "contribute": Callable[[None], None],
        "theme": Callable[[Theme], None],
        "narrow": Callable[[bool], None],
        "add-drafter": Callable[[None], None],
        "remove-drafter": Callable[[int], None],
        "switch": Callable[[SwitchChange], None],
        "hide": Callable[[HiddenLine], None],
        "field": Callable[[FieldChange], None],
        "show": Callable[[ShownFigure], None],
        "on-screen": Callable[[list[str]], None],
        "table": Callable[[OpenedPart], None],
        "working": Callable[[OpenedPart], None],
        "pin": Callable[[bool], None],
        "swap": Callable[[None], None],
        "save": Callable[[FileWish], None],
        "use": Callable[[str], None],
        "choose": Callable[[ChosenPlace], None],
        "advance": Callable[[WorkPiece], None],
        "validation": Callable[[bool], None],
        "race": Callable[[RaceChoice], None],
    },
)
Handlers.__doc__ = """What takes each event, by name; the argument is what the page sends with it."""
