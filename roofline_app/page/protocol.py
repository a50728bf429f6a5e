"""What the page's Python and its scripts tell each other, as types of both.

`roofline_app.site.script_types` writes `static/types/protocol.d.ts` from here, so that a misspelt key is an error on
either side: of mypy where a state is made or an event is taken, of tsc where a state is shown or an event is sent.
Comments behind a key go with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NotRequired, TypedDict

Theme = Literal["light", "dark"]
Control = Literal["text", "choice", "search", "switch", "button", "note"]

# What the page shows


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
    """What the card of a drafter says."""

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
    """What the card of a drafter says and holds, and whether its line is drawn."""

    hidden: bool
    form: list[FieldWords]


class PresetWords(TypedDict):
    """A preset and its link."""

    id: str
    title: str
    story: str
    query: str


class ModelLabel(TypedDict):
    """A model of the menu."""

    id: str
    label: str


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


class BenchmarksState(TypedDict):
    """The tables of predictions beside measurements, and a user's own files."""

    validation: list[TableWords]
    own_files: int
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
    drafters: list[DrafterCard]
    lists: dict[str, list[str]]
    assumptions: list[FieldWords]
    payoff: list[FieldWords]
    footer: str
    most_drafters: int
    presets: Sequence[PresetWords]
    preset: str
    models: list[ModelLabel]
    model: str
    file: NumberedFile | None
    race: RaceWords | None
    use: EngineCommands | None


# What the user does outside of the document's widgets


class OwnFile(TypedDict):
    """A file of the user's; its content in base64."""

    name: str
    content: str


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
        "advance": Callable[[WorkPiece], None],
        "validation": Callable[[bool], None],
        "race": Callable[[RaceChoice], None],
    },
)
Handlers.__doc__ = """What takes each event, by name; the argument is what the page sends with it."""

# What the build tells the page's scripts


class Opening(TypedDict):
    """What BokehJS draws first: the document's JSON, the ids of its roots by name, and the state."""

    documents: Mapping[str, object]
    roots: Mapping[str, str]
    state: PageState


class Frame(TypedDict):
    """Bytes of a frame of the snapshot, and of its content."""

    packed: int
    bytes: int


class Library(TypedDict):
    """A side module: its path in the interpreter's file system, and its address."""

    path: str
    file: str


class SnapshotFiles(TypedDict):
    """Addresses of a snapshot's files."""

    settings: str
    pages: str
    frames: list[Frame]
    decoder: str
    libraries: list[Library]


class Prepared(TypedDict):
    """What the build has prepared in a language; openings are addresses by theme."""

    language: str
    openings: dict[str, str]
    snapshot: SnapshotFiles


class SiteManifest(TypedDict):
    """What the scripts of a built site must know; addresses are relative to the page."""

    interpreter: str
    worker: str
    panel: str
    sitePackages: str
    lock: Mapping[str, object]
    library: str
    packages: str
    application: str
    bytes: dict[str, int]
    prepared: dict[str, Prepared]
    offline: NotRequired[str]


class ServerSession(TypedDict):
    """The session of a page on a Panel server, and the channel of its messages."""

    token: str
    channel: str
    state: PageState


class ServerManifest(TypedDict):
    """What the scripts of a page on a Panel server must know."""

    session: ServerSession


class LanguageFacts(TypedDict):
    """A language that the page speaks."""

    tag: str
    name: str


class CommonManifest(TypedDict):
    """What every page's scripts must know: BokehJS's addresses, the languages, and the largest file that is read."""

    scripts: list[str]
    languages: dict[str, LanguageFacts]
    largestFileBytes: int
