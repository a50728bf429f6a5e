"""The fold in which a drafter is drawn: sizes and a pasted config.json, what they cost, and what they need to pay."""

from __future__ import annotations

import json
from typing import Any

import pytest
from config_files import QWEN3_8B
from page_samples import HOSTILE
from reference_data import drafter_config_facts

from roofline_app.evaluation import need
from roofline_app.page.page import Page
from roofline_app.query import decode, encode
from roofline_app.scenario import DrafterSizes

LINK = "model=qwen3-8b&gpu=h100-sxm&gpus=1&drafter=eagle3&drafter=block&drafter=mtp&drafter=draft&drafter=ngram"


def _fields(page: Page, line: int) -> dict[str, Any]:
    form = page.state()["drafters"][line]["form"]
    return {field["key"].removeprefix("design-"): field for field in form if field["part"] == "design"}


def _edit(page: Page, line: int, field: str, value: str = "") -> list[str]:
    page.handle("field", {"form": f"line-{line}", "field": f"design-{field}", "value": value})
    return list(page.state()["notices"])


def test_the_fold_is_there_for_drafters_with_weights_alone() -> None:
    page = Page(LINK)
    assert [list(_fields(page, line)) for line in range(5)] == [
        ["config", "start"],
        ["config", "start"],
        ["start"],
        ["config", "start"],
        [],
    ]


@pytest.mark.parametrize("line", range(4))
def test_beginning_states_all_sizes_and_changes_nothing_but_the_cost(line: int) -> None:
    page = Page(LINK)
    page.handle("field", {"form": f"line-{line}", "field": "cost-as", "value": "physical"})
    before = page.evaluation.drafters[line]
    notices = _edit(page, line, "start")
    after = page.evaluation.drafters[line]
    assert not [notice for notice in notices if "not stated" in notice]
    assert before.physical
    assert after.physical
    assert after.physical.parameters == before.physical.parameters
    assert after.speedup == pytest.approx(before.speedup, rel=1e-3)
    sizes = page.controls.scenario.drafters[line].sizes
    assert sizes is not None
    assert sizes.width == after.physical.sizes.width  # type: ignore[union-attr]
    assert decode(encode(page.controls.scenario)).scenario == page.controls.scenario
    _edit(page, line, "undo")
    assert page.controls.scenario.drafters[line].sizes is None


def test_a_changed_size_counts_and_an_emptied_box_says_what_is_taken() -> None:
    page = Page(LINK)
    _edit(page, 0, "start")
    before = page.evaluation.drafters[0].physical
    _edit(page, 0, "layers", "2")
    after = page.evaluation.drafters[0].physical
    assert before
    assert after
    assert after.parameters > before.parameters
    notices = _edit(page, 0, "ffn")
    assert any("sizes that are not stated are taken as ffn=" in notice for notice in notices)
    assert _fields(page, 0)["ffn"]["value"] == ""
    assert _fields(page, 0)["ffn"]["hint"] == "Not stated: 12288."


@pytest.mark.parametrize(("field", "value"), [("layers", "many"), ("width", "1e9"), ("kv-heads", "5"), ("ffn", "0")])
def test_what_is_no_size_is_refused_and_leaves_everything(field: str, value: str) -> None:
    page = Page(LINK)
    _edit(page, 0, "start")
    before = page.controls.scenario
    (notice,) = (notice for notice in _edit(page, 0, field, value) if value in notice)
    assert "EAGLE-3" in notice
    assert page.controls.scenario == before


def test_head_and_precision_are_chosen() -> None:
    page = Page(LINK)
    _edit(page, 1, "start")
    assert "vocabulary" not in _fields(page, 1)
    _edit(page, 1, "head", "own")
    assert _fields(page, 1)["vocabulary"]["value"] == "151936"
    _edit(page, 1, "precision", "fp8")
    line = page.controls.scenario.drafters[1].sizes
    assert line is not None
    assert (line.head, line.precision, line.vocabulary) == ("own", "fp8", 151_936)
    _edit(page, 1, "head", "shared")
    assert page.controls.scenario.drafters[1].sizes.vocabulary is None
    assert decode(encode(page.controls.scenario)).notices == ()


def test_it_says_what_a_pass_costs_and_what_the_drafter_needs_here() -> None:
    page = Page(f"{LINK}&batch=24")
    _edit(page, 0, "start")
    says = _fields(page, 0)["says"]["hint"]
    found = need(page.controls.scenario)
    row = found.batch.tolist().index(24)
    wanted = found.drafters[0]
    assert f"Pays above an acceptance of {wanted.without.acceptance[row]:.2f}" in says
    assert "its own is 0.78" in says
    assert f"As fast as Block at {wanted.against[0].acceptance[row]:.2f}." in says
    assert "at batch 24" in says
    _edit(page, 0, "layers", "256")
    assert "Cannot pay at this batch" in _fields(page, 0)["says"]["hint"]


def test_a_pasted_config_takes_the_line_and_turns_it_into_its_kind() -> None:
    page = Page(LINK)
    config = drafter_config_facts()["qwen3-8b-dflash"]
    _edit(page, 0, "config", json.dumps(config, indent=1))
    line = page.controls.scenario.drafters[0]
    assert (line.kind, line.block, line.cost) == ("block", 15, None)
    assert json.loads(line.config) == config
    assert list(_fields(page, 0)) == ["config", "precision", "says", "start", "undo"]
    pasted = page.evaluation.drafters[0].physical
    registered = Page(f"{LINK.partition('&drafter')[0]}&drafter=block,cost=physical").evaluation.drafters[0].physical
    assert pasted
    assert registered
    assert pasted.parameters == registered.parameters
    _edit(page, 0, "start")
    assert page.controls.scenario.drafters[0].config == ""
    assert page.evaluation.drafters[0].physical.parameters == registered.parameters  # type: ignore[union-attr]


def test_a_pasted_model_becomes_a_draft_model() -> None:
    page = Page(LINK)
    _edit(page, 0, "config", json.dumps({**QWEN3_8B, "num_hidden_layers": 4}))
    assert page.controls.scenario.drafters[0].kind == "draft"
    assert page.evaluation.drafters[0].physical.sizes.layers == 4  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "not JSON"),
        (json.dumps({"architectures": [HOSTILE]}), "model_type: missing"),
        (json.dumps({"architectures": ["DFlashDraftModel"], "hidden_size": HOSTILE}), "hidden_size"),
        ("[" * 5000, "config.json"),
        (json.dumps({"architectures": {"a": 1}}), "architectures"),
    ],
)
def test_a_config_that_is_not_read_is_refused_by_field_and_leaves_everything(text: str, why: str) -> None:
    page = Page(LINK)
    before = page.controls.scenario
    notices = _edit(page, 0, "config", text)
    assert any("this config.json is not used" in notice and why in notice for notice in notices)
    assert page.controls.scenario == before


def test_another_kind_forgets_what_was_drawn() -> None:
    page = Page(LINK)
    _edit(page, 0, "start")
    page.widgets["kind-0"].value = "block"
    assert page.controls.scenario.drafters[0].sizes is None


def test_nothing_unknown_changes_anything() -> None:
    page = Page(LINK)
    before = page.controls.scenario
    for field in ("nothing", "", "window", "full-layers"):
        _edit(page, 0, field, "")
    assert page.controls.scenario.drafters[0].sizes in {None, DrafterSizes()}
    _edit(page, 0, "undo")
    assert [line.kind for line in page.controls.scenario.drafters] == [line.kind for line in before.drafters]
