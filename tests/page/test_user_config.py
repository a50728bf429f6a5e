"""A reader's own config.json: used and named, or refused in one line."""

import base64
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


COMPANION = {"producer": {"name": "modelopt"}, "quantization": {"quant_algo": "FP8", "exclude_modules": ["lm_head"]}}


def _file(name: str, table: object) -> dict[str, str]:
    return {"name": name, "content": base64.b64encode(json.dumps(table).encode()).decode()}


def _weight_bytes(page: Page) -> float:
    return page.evaluation.model.weight_bytes


def test_both_files_of_a_checkpoint_count_however_they_are_given(page: Page) -> None:
    page.handle("config", json.dumps(CONFIG))
    alone = _weight_bytes(page)
    assert any("hf_quant_config.json" in notice for notice in page.state()["notices"])
    page.handle("config", json.dumps(COMPANION))
    completed = _weight_bytes(page)
    assert completed < 0.7 * alone
    assert not any("hf_quant_config.json" in notice for notice in page.state()["notices"])
    page.handle("config", f"{json.dumps(COMPANION)}\n{json.dumps(CONFIG)}")
    assert _weight_bytes(page) == completed
    page.handle("config", json.dumps(CONFIG))
    page.handle("files", [_file("config.json", CONFIG), _file("hf_quant_config.json", COMPANION)])
    assert _weight_bytes(page) == completed


def test_a_companion_without_its_config_is_refused(page: Page) -> None:
    before = page.state()["query"]
    page.handle("files", [_file("hf_quant_config.json", COMPANION)])
    assert page.state()["query"] == before
    assert "states no architecture" in page.state()["notices"][0]
