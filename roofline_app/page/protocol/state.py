"""The state: all that the page shows besides its figures, as types of both its sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

Theme = Literal["light", "dark"]
Control = Literal["text", "area", "choice", "search", "switch", "button", "note"]


class SentenceWords(TypedDict):
    """The words on the sentence's buttons."""

    model: str
    node: str
    batch: str
    context: str
    precision: str
    profile: str


class Fact(TypedDict):
    """A fact beside the one big answer."""

    label: str
    value: str
    was: str


class Headline(TypedDict):
    """The one big answer and its facts."""

    big: str
    words: str
    facts: list[Fact]


class RefusedField(TypedDict):
    """A field with a text that is not used, and why: the first of the notices."""

    field: str
    text: str


class Option(TypedDict):
    """An entry of a menu."""

    value: str
    words: str


class FieldWords(TypedDict):
    """A field of a form that the page builds from data."""

    key: str
    control: Control
    label: str
    value: str
    options: list[Option]
    listed: str
    hint: str
    part: str


class CardFacts(TypedDict):
    """Facts on a drafter's card."""

    name: str
    colour: str
    kind: str
    description: str
    typed: bool
    searched: bool
    mixed: bool
    hint: str
    relative: bool
    block: bool


class DrafterCard(CardFacts):
    """A drafter's card: facts, forms, and whether its line is drawn."""

    hidden: bool
    form: list[FieldWords]


class PresetWords(TypedDict):
    """A preset and its link."""

    id: str
    title: str
    story: str
    query: str


class ListedModelWords(TypedDict):
    """A model to choose from: its place in the list, the words that find it, in lower case, and its size and kind."""

    id: str
    family: str
    name: str
    label: str
    words: str
    facts: str


class TableWords(TypedDict):
    """A table."""

    caption: str
    header: list[str]
    rows: list[list[str]]


class WorkingLine(TypedDict):
    """A line of how a figure is computed."""

    text: str
    source: str
    address: str


class KeyEntry(TypedDict):
    """An entry of a figure's key."""

    colour: str
    words: str


class GivenFile(TypedDict):
    """A file for the user, as text."""

    name: str
    media: str
    text: str


class NumberedFile(GivenFile):
    """A file for the user; another number is another file."""

    number: int


class RaceColumnWords(TypedDict):
    """A column of the race; seconds."""

    name: str
    rate: str
    colour: str
    finished: str
    bursts: list[int]
    pauses: list[float]
    computed: str
    run: int


class RaceWords(TypedDict):
    """The race."""

    columns: list[RaceColumnWords]
    runs: list[str]
    note: str
    pieces: list[str]
    tokens: int


class CommandStep(TypedDict):
    """A command."""

    title: str
    command: str


class EngineCommands(TypedDict):
    """How to serve and to measure the setting on an engine."""

    engine: str
    notes: list[str]
    steps: list[CommandStep]
    sources: list[str]


class OwnFit(TypedDict):
    """The offer to fit a profile to a user's own points, and what the fit leaves."""

    offered: bool
    ready: bool
    hint: str
    said: list[str]
    tables: list[TableWords]


class OwnFileWords(TypedDict):
    """A file of the user's measurements; what is empty isn't offered."""

    name: str
    differences: list[str]
    setting: str
    asked: str


class Progress(TypedDict):
    """A figure's work: pieces that wait to be computed, and of which setting."""

    waits: int
    revision: int


class FiguresState(TypedDict):
    """What the figures show besides what is drawn, by figure."""

    tables: dict[str, TableWords]
    pending: dict[str, Progress]
    switches: dict[str, bool]
    workings: dict[str, list[WorkingLine]]
    mark_tables: dict[str, TableWords]
    keys: dict[str, list[KeyEntry]]
    notes: dict[str, str]
    titles: dict[str, str]


class BenchmarksState(TypedDict):
    """The tables of predictions beside measurements, and the user's own files."""

    validation: list[TableWords]
    own_files: list[OwnFileWords]
    own_fit: OwnFit


class PageState(FiguresState, BenchmarksState):
    """All that the page shows besides the document that BokehJS draws."""

    query: str
    pinned: str
    language: str
    theme: str
    words: SentenceWords
    headline: Headline
    headline_text: str
    verdict: str
    notices: list[str]
    refused: RefusedField | None
    drafters: list[DrafterCard]
    lists: dict[str, list[str]]
    assumptions: list[FieldWords]
    payoff: list[FieldWords]
    nodes: list[FieldWords]
    schedule: list[FieldWords]
    requests: list[FieldWords]
    adaptive: list[FieldWords]
    footer: str
    figures_note: str
    most_drafters: int
    presets: Sequence[PresetWords]
    preset: str
    models: Sequence[ListedModelWords]
    model: str
    file: NumberedFile | None
    race: RaceWords | None
    use: EngineCommands | None
