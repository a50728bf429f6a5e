from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from bokeh.core.serialization import Buffer
from bokeh.core.types import ID
from bokeh.document import Document
from bokeh.document.events import ModelChangedEvent
from bokeh.models import ColumnDataSource
from bokeh.models.widgets import Slider

from roofline_app.page.runtime.sync import Sync, last_changes, packed

Sent = list[tuple[str, str, bytes, str]]


def linked() -> tuple[Sync, Slider, ColumnDataSource, dict[str, object], Sent]:
    """A slider that doubles into a source, and what was sent."""
    slider, source = Slider(start=0, end=9, value=1), ColumnDataSource({"y": np.array([2.0])})
    state: dict[str, object] = {"words": "two"}
    document = Document()
    document.add_root(slider)
    document.add_root(source)
    slider.on_change("value", lambda _attr, _old, new: setattr(source, "data", {"y": np.array([2.0 * new])}))
    sent: Sent = []
    return Sync(document, lambda: state, lambda *message: sent.append(message)), slider, source, state, sent


def moved(slider: Slider, value: int) -> str:
    """A patch as BokehJS writes it."""
    return json.dumps({"events": [{"kind": "ModelChanged", "model": {"id": slider.id}, "attr": "value", "new": value}]})


def test_a_turn_answers_with_one_patch_that_holds_the_arrays_bytes() -> None:
    link, slider, _, _, sent = linked()
    link.receive(moved(slider, 4))
    [(text, table, blob, state)] = sent
    [event] = json.loads(text)["events"]
    [(_, offset, length)] = json.loads(table)
    assert event["attr"] == "data"
    assert np.frombuffer(blob[offset : offset + length]) == 8.0
    assert state == ""


def test_the_pages_own_change_is_not_sent_back() -> None:
    link, slider, _, _, sent = linked()
    link.receive(moved(slider, 4))
    assert '"value"' not in sent[0][0]


def test_only_the_last_of_many_changes_is_sent() -> None:
    link, slider, source, _, sent = linked()
    with link.turn():
        for value in (3, 4, 5):
            link.receive(moved(slider, value))
    assert len(sent) == 1
    assert len(json.loads(sent[0][0])["events"]) == 1
    assert source.data["y"] == [10.0]


def test_changed_words_are_sent_once_and_alone_where_nothing_else_changed() -> None:
    link, _, _, state, sent = linked()
    state["words"] = "three"
    link.flush()
    link.flush()
    assert sent == [("", "[]", b"", '{"words": "three"}')]


def test_what_happened_before_an_exception_is_sent_all_the_same() -> None:
    link, slider, _, _, sent = linked()
    try:
        with link.turn():
            link.receive(moved(slider, 3))
            raise ZeroDivisionError
    except ZeroDivisionError:
        assert len(sent) == 1


def test_a_change_outside_of_a_turn_is_sent_soon() -> None:
    link, slider, _, _, sent = linked()

    async def later() -> None:
        slider.value = 6
        assert sent == []
        await asyncio.sleep(0)

    with ThreadPoolExecutor(1) as own_thread:  # the browser's tests keep a loop running in this one
        own_thread.submit(lambda: asyncio.run(later())).result()
    assert len(json.loads(sent[0][0])["events"]) == 2
    assert link.document is slider.document


def test_changes_keep_the_place_of_the_last() -> None:
    document = Document()
    one, two = Slider(), Slider()
    events = [ModelChangedEvent(document, model, "value", value) for model, value in ((one, 1), (two, 2), (one, 3))]
    assert last_changes(events) == events[1:]


def test_arrays_lie_at_aligned_offsets() -> None:
    table, blob = packed([Buffer(id=ID("a"), data=b"abc"), Buffer(id=ID("b"), data=b"12345678")])
    assert table == [("a", 0, 3), ("b", 8, 8)]
    assert blob == b"abc\0\0\0\0\x0012345678"
