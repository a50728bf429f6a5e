"""What the worker calls, called natively."""

from __future__ import annotations

import json

import pytest
from bokeh.models import ColumnDataSource

from roofline_app.page.page import Page
from roofline_app.page.runtime import browser

Sent = list[tuple[str, str, bytes, str]]


@pytest.fixture
def sent() -> Sent:
    return []


@pytest.fixture
def session(sent: Sent) -> browser.Session:
    return browser.Session(Page("batch=4", "light", "en"), lambda *message: sent.append(message))


def test_the_opening_holds_the_document_the_roots_by_name_and_the_words(session: browser.Session) -> None:
    opening = json.loads(session.opening)
    [document] = opening["documents"].values()
    assert len(document["roots"]) == len(opening["roots"])
    assert {"gpu", "batch", "figure-speedup"} <= opening["roots"].keys()
    assert "batch=4" in opening["state"]["query"]


def test_one_turn_of_many_changes_is_answered_by_one_patch(session: browser.Session, sent: Sent) -> None:
    slider = session.page.document.get_model_by_name("acceptance-slider-1")
    assert slider is not None
    change = {"kind": "ModelChanged", "model": {"id": slider.id}, "attr": "value", "new": 0.5}
    events = [{"name": "model", "value": "qwen3-32b"}, {"name": "unknown", "value": None}]
    session.turn(json.dumps({"events": [change]}), json.dumps(events))
    [(text, _, blob, state)] = sent
    changed = [(event["model"]["id"], event["attr"]) for event in json.loads(text)["events"]]
    assert len(changed) == len(set(changed))
    assert blob
    query = json.loads(state)["query"]
    assert "model=qwen3-32b" in query
    assert "mtp,acceptance=0.5" in query


def test_a_turn_that_changes_nothing_is_not_answered(session: browser.Session, sent: Sent) -> None:
    session.turn("", "[]")
    assert sent == []


def test_the_worker_opens_a_page_and_the_last_one_answers(sent: Sent) -> None:
    opening = json.loads(browser.start("batch=2", "dark", "en", lambda *message: sent.append(message)))
    assert opening["state"]["theme"] == "dark"
    browser.turn("", json.dumps([{"name": "query", "value": "batch=3"}]))
    assert "batch=3" in json.loads(sent[0][3])["query"]
    source = browser._sessions[-1].page.document.select_one({"name": "speedup-0"})
    assert isinstance(source, ColumnDataSource)
