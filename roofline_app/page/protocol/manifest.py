"""The manifest: facts of the build for the page's scripts, as types of both sides of the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NotRequired, TypedDict

from roofline_app.page.protocol.state import PageState


class Opening(TypedDict):
    """What BokehJS draws first: the document's JSON, the ids of its roots by name, and the state."""

    documents: Mapping[str, object]
    roots: Mapping[str, str]
    state: PageState


class Frame(TypedDict):
    """Bytes of a frame of the snapshot, and of its content."""

    packed: int
    bytes: int


class PagesLayout(TypedDict):
    """Where the snapshot's pages belong, and how their pointers are written.

    Of each run there are two numbers in `runs`, its first page and the number of its pages; `alike` are words of the
    pages that only look like distances.
    """

    runs: list[int]
    pageBytes: int
    alike: list[int]


class Library(TypedDict):
    """A side module: its path in the interpreter's file system, and its address."""

    path: str
    file: str


class SnapshotFiles(TypedDict):
    """Addresses of a snapshot's files."""

    settings: str
    pages: str
    frames: list[Frame]
    layout: PagesLayout
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
