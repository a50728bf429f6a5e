"""The page that tests share is as new for each of them."""

from __future__ import annotations

import base64
import json

import pytest
from benchmark_samples import VLLM_SERVING
from shared_page import SharedPage

DROPPED = [{"name": "run.json", "content": base64.b64encode(json.dumps(VLLM_SERVING).encode()).decode()}]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("preset", "loses"),
        ("theme", "dark"),
        ("hide", {"line": 1, "hidden": True}),
        ("table", {"figure": "speedup", "open": True}),
        ("show", {"figure": "roofline", "visible": False}),
        ("validation", True),
    ],
)
def test_what_is_known_is_undone(name: str, value: object) -> None:
    page = SharedPage("")
    before = page.state()
    page.handle(name, value)
    assert page.put_back()
    counted = {"pending"}
    assert {key: words for key, words in page.state().items() if key not in counted} == {
        key: words for key, words in before.items() if key not in counted
    }


@pytest.mark.parametrize(
    ("name", "value"),
    [("files", DROPPED), ("use", "vllm"), ("race", {"column": 0, "run": 0}), ("an event of tomorrow", 1)],
)
def test_what_is_not_known_asks_for_another_page(name: str, value: object) -> None:
    page = SharedPage("")
    page.handle(name, value)
    assert not page.put_back()


def test_what_is_changed_without_an_event_asks_for_another_page() -> None:
    page = SharedPage("")
    page.measurements.take(DROPPED, page.controls.scenario)
    assert not page.put_back()
