"""The boxes of whole requests."""

from __future__ import annotations

import pytest

from roofline_app import Scenario
from roofline_app.page.forms import request_boxes
from roofline_app.page.page import Page


def test_boxes_state_both_lengths_or_none() -> None:
    typed = request_boxes.written(Scenario(), "prompt", "3,584")
    assert (typed.prompt, typed.output, typed.context) == (3584, 1024, 4096)
    counted = request_boxes.written(typed, "requests", "64")
    assert counted.requests == 64
    assert request_boxes.written(counted, "requests", "").requests is None
    cleared = request_boxes.written(counted, "output", " ")
    assert (cleared.prompt, cleared.output, cleared.requests) == (None, None, None)


@pytest.mark.parametrize("typed", ["x", "-1", "0", "1.5", "1e99", "<b>"])
def test_a_box_refuses_what_a_link_would(typed: str) -> None:
    page = Page("prompt=2048&output=512")
    page.handle("field", {"form": "requests", "field": "prompt", "value": typed})
    state = page.state()
    assert page.controls.scenario.prompt == 2048
    assert "Prompt (tokens)" in state["notices"][0]
    assert state["refused"] == {"field": "requests-prompt", "text": state["notices"][0]}


def test_whole_requests_are_drawn_beside_decoding() -> None:
    page = Page("prompt=2048&output=512")
    page.handle("show", {"figure": "speedup", "visible": True})
    sources = [model for model in page.document.models if getattr(model, "name", None) == "speedup-0"]
    drawn = sources[0].data["reported"]  # type: ignore[attr-defined]
    assert all(0 < one <= other for one, other in zip(drawn[1:], page.evaluation.drafters[0].speedup[1:], strict=True))
    page.handle("field", {"form": "requests", "field": "output", "value": ""})
    assert page.evaluation.end_to_end is None
