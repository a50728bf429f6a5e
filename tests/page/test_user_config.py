"""A reader's own config.json: used and named, or refused in one line."""

import json

import pytest
from page_samples import CONFIG

from roofline_app.page.page import Page


def test_a_dropped_config_is_used_and_named(page: Page) -> None:
    page.handle("config", json.dumps(CONFIG))
    state = page.state()
    assert "model=custom" in str(state["query"])
    assert "config=" in str(state["query"])
    assert "config.json" in state["notices"][0]
    other = Page(str(state["query"]))
    assert other.evaluation.model.parameters == page.evaluation.model.parameters


@pytest.mark.parametrize(
    "text", ["", "not json", "[]", "{}", '{"model_type": "<b>unknown</b>"}', json.dumps({**CONFIG, "hidden_size": -1})]
)
def test_a_config_that_cannot_be_read_changes_nothing_and_is_refused_in_one_line(page: Page, text: str) -> None:
    before = page.state()["query"]
    page.handle("config", text)
    assert page.state()["query"] == before
    notice = page.state()["notices"][0]
    assert notice.startswith("This config.json is not used")
    assert "\n" not in notice


def test_a_link_too_long_to_share_is_said(page: Page) -> None:
    noise = {f"unused_{index}": f"{index * 7919:x}{index * 104729:x}{index**3:x}" for index in range(2000)}
    page.handle("config", json.dumps({**CONFIG, **noise}))
    assert any("characters" in notice for notice in page.state()["notices"])
