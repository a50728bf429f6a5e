"""Keep a document and its twin in the browser in step: one patch per turn, however much has changed.

The page's patches come in as text; what Python changes in answer goes out as one patch, in which only the last change
of each model's attribute is left, with all arrays in one blob.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

from bokeh.core.serialization import Buffer, Serialized, Serializer
from bokeh.document import Document
from bokeh.document.events import ColumnDataChangedEvent, DocumentPatchedEvent, ModelChangedEvent
from bokeh.document.json import PatchJson

Send: TypeAlias = Callable[[str, str, bytes, str], None]
_FROM_PAGE: Any = "js"  # Panel goes by this name; Bokeh declares a session here, and hands it on as it is
_ALIGNMENT_BYTES = 8


class Sync:
    """A document and the channel to its twin.

    Attributes:
        document: The linked document.
    """

    def __init__(self, document: Document, state: Callable[[], Mapping[str, object]], send: Send | None) -> None:
        """Listen to a document.

        Args:
            document: The document; what it holds now is known to the page.
            state: Returns what the page shows besides the document, as JSON values.
            send: Takes a patch's text, its table of arrays (id, offset, bytes), their bytes, and the state's JSON where
                it has changed (else an empty text). Without it, changes are worked out and dropped.
        """
        self.document = document
        self._state = state
        self._send = send
        self._events: list[DocumentPatchedEvent] = []
        self._turns = 0
        self._scheduled = False
        self._sent_state = json.dumps(state())
        document.on_change(self._collect)

    def send_to(self, send: Send) -> None:
        """Send changes there from now on."""
        self._send = send

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Collect what happens inside; send it at the end of the outermost turn, also after an exception."""
        self._turns += 1
        try:
            yield
        finally:
            self._turns -= 1
            if not self._turns:
                self.flush()

    def receive(self, patch: str) -> None:
        """Apply a patch from the page.

        Args:
            patch: JSON of the patch as BokehJS writes it.
        """
        with self.turn():
            content = Serialized(content=json.loads(patch), buffers=[])
            self.document.apply_json_patch(content, setter=_FROM_PAGE)

    def flush(self) -> None:
        """Send what was collected; nothing where nothing changed."""
        self._scheduled = False
        events, self._events = last_changes(self._events), []
        text, table, blob = self._patch(events) if events else ("", "[]", b"")
        state = json.dumps(self._state())
        changed = "" if state == self._sent_state else state
        self._sent_state = state
        if self._send and (text or changed):
            self._send(text, table, blob, changed)

    def _collect(self, event: object) -> None:
        """Keep an event that the page does not know; send soon where it comes outside of a turn."""
        if not isinstance(event, DocumentPatchedEvent) or event.setter == _FROM_PAGE:
            return
        self._events.append(event)
        if not self._turns and not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self.flush)

    def _patch(self, events: Sequence[DocumentPatchedEvent]) -> tuple[str, str, bytes]:
        """Return a patch's text, table and bytes."""
        models = self.document.models
        serializer = Serializer(references=models.synced_references)
        patch = PatchJson(events=serializer.encode(events))
        models.flush_synced(lambda model: not serializer.has_ref(model))
        table, blob = packed(serializer.buffers)
        return json.dumps(patch, default=_reference, separators=(",", ":")), json.dumps(table), blob


def last_changes(events: Sequence[DocumentPatchedEvent]) -> list[DocumentPatchedEvent]:
    """Return the events without changes that a later one of the same model and attribute overrides."""
    last = {_key(event): position for position, event in enumerate(events)}
    return [event for position, event in enumerate(events) if last[_key(event)] == position]


def packed(buffers: Sequence[Buffer]) -> tuple[list[tuple[str, int, int]], bytes]:
    """Return a table of (id, offset, bytes) and the arrays' bytes, each at an aligned offset."""
    table, parts, offset = [], [], 0
    for buffer in buffers:
        content = buffer.to_bytes()
        table.append((str(buffer.id), offset, len(content)))
        padding = bytes(-len(content) % _ALIGNMENT_BYTES)
        parts += [content, padding]
        offset += len(content) + len(padding)
    return table, b"".join(parts)


def _key(event: DocumentPatchedEvent) -> tuple[object, ...]:
    """Return the key under which two events change the same thing; other events stay apart."""
    if isinstance(event, ModelChangedEvent) or (isinstance(event, ColumnDataChangedEvent) and event.cols is None):
        return (event.model.id, event.attr)
    return (id(event),)


def _reference(value: Any) -> Any:
    """Return the reference by which a patch's JSON names an array."""
    return value.ref
