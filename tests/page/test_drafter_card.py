"""Cards of drafter lines: measured acceptance, mixes, own work, passes and placement, set as a reader sets them."""

import json
from typing import Any

import numpy as np
import pytest
from page_samples import HOSTILE, chart

from roofline_app import registry
from roofline_app.page.forms import measured_acceptance
from roofline_app.page.page import Page
from roofline_app.page.protocol import FieldWords
from roofline_app.scenario import MeasuredAcceptance, MixedAcceptance

LINK = "model=qwen3.6-35b-a3b&gpu=h200-sxm&gpus=1&batch=8&cap=24&drafter=block,acceptance=0.8,block=16&drafter=mtp"


@pytest.fixture(scope="module")
def link() -> str:
    return LINK


def change(page: Page, line: int, field: str, value: str) -> None:
    page.handle("field", {"form": f"line-{line}", "field": field, "value": value})


def field(page: Page, line: int, key: str) -> FieldWords:
    return next(field for field in page.state()["drafters"][line]["form"] if field["key"] == key)


def keys(page: Page, line: int) -> set[object]:
    return {field["key"] for field in page.state()["drafters"][line]["form"]}


def line(page: Page, index: int) -> Any:
    return page.controls.scenario.drafters[index]


def physical(page: Page) -> str:
    drafter = page.evaluation.drafters[0].physical
    return drafter.id if drafter else ""


def test_measured_acceptances_have_names_of_their_own() -> None:
    names = [spec.name.lower() for spec in registry.acceptances().values()]
    assert len(set(names)) == len(names) == len(registry.acceptances())
    assert all(
        measured_acceptance.measured_acceptance(spec.name).preset == spec.id for spec in registry.acceptances().values()
    )


def test_the_search_offers_all_measured_acceptances_those_of_the_model_first(page: Page) -> None:
    page.widgets["form-1"].value = "measured"
    listed = page.state()["lists"]["measured-mtp"]
    assert len(listed) == len(registry.acceptances())
    first = [registry.acceptance(measured_acceptance.measured_acceptance(name).preset) for name in listed[:14]]
    assert {spec.model for spec in first} == {"qwen3.6-35b-a3b"}
    assert {spec.kind for spec in first} == {"mtp"}
    assert line(page, 1).acceptance == MeasuredAcceptance(preset="qwen3.6-35b-a3b-mtp")


def test_a_measured_acceptance_is_chosen_by_name_and_drafts_the_checkpoints_block(page: Page) -> None:
    page.widgets["form-0"].value = "measured"
    change(page, 0, "measured", "Qwen3.6-35B-A3B DFlash, coding")
    assert line(page, 0).acceptance == MeasuredAcceptance(preset="qwen3.6-35b-a3b-dflash-coding")
    assert line(page, 0).block == 15
    assert "to 15 draft tokens" in str(field(page, 0, "measured")["hint"])


def test_a_curve_is_dotted_beyond_what_was_measured(page: Page) -> None:
    page.widgets["form-1"].value = "measured"
    data = chart(page, "speedup").sources[1].data
    assert np.array_equal(np.isfinite(data["solid"]), np.arange(25) <= 8)
    assert np.array_equal(np.isfinite(data["beyond"]), np.arange(25) >= 8)
    assert data["measured"][8] == ""
    assert "8" in data["measured"][9]
    stated = chart(page, "speedup").sources[0].data
    assert np.array_equal(stated["solid"], stated["speedup"])


def test_another_models_or_kinds_measurement_is_said_to_be_that(page: Page) -> None:
    page.widgets["form-1"].value = "measured"
    change(page, 1, "measured", "kimi-k2.5-eagle-3-thinking-on")
    hint = str(field(page, 1, "measured")["hint"])
    assert "another model" in hint
    assert "EAGLE-3" in hint


def test_a_mix_opens_with_two_workloads_and_its_shares_add_up(page: Page) -> None:
    page.widgets["form-1"].value = "mix"
    mix = line(page, 1).acceptance
    assert isinstance(mix, MixedAcceptance)
    assert [part.share for part in mix.parts] == [0.5, 0.5]
    change(page, 1, "share-0", "70%")
    change(page, 1, "part-1", "0.4")
    change(page, 1, "add-part", "")
    parts = line(page, 1).acceptance.parts
    assert len(parts) == 3
    assert sum(part.share for part in parts) == pytest.approx(1.0, abs=1e-12)
    assert parts[0].share / parts[1].share == pytest.approx(7 / 3, rel=1e-4)
    change(page, 1, "drop-0", "")
    assert len(line(page, 1).acceptance.parts) == 2
    again = Page(str(page.state()["query"]))
    assert again.controls.scenario == page.controls.scenario
    assert again.state()["notices"] == page.state()["notices"]


def test_a_mix_of_a_model_without_measurements_opens_with_two_numbers() -> None:
    page = Page("model=llama-3.1-8b&gpus=1&drafter=eagle3,acceptance=0.8")
    page.widgets["form-0"].value = "mix"
    assert [field(page, 0, f"part-{part}")["value"] for part in range(2)] == ["0.8", "0.4"]


def test_a_mix_keeps_one_part_and_holds_at_most_eight(page: Page) -> None:
    page.widgets["form-1"].value = "mix"
    for _ in range(12):
        change(page, 1, "add-part", "")
    assert len(line(page, 1).acceptance.parts) == 8
    for _ in range(12):
        change(page, 1, "drop-0", "")
    assert len(line(page, 1).acceptance.parts) == 1
    change(page, 1, "share-0", "0.5")
    assert line(page, 1).acceptance.parts[0].share == 1.0


def test_both_costs_are_shown_and_each_turns_into_the_other(page: Page) -> None:
    physical = page.evaluation.drafters[1].physical
    assert physical is not None
    assert f"{physical.cost:.2g}" in str(field(page, 1, "own-work")["hint"])
    change(page, 1, "cost-as", "physical")
    assert line(page, 1).cost is None
    assert page.state()["drafters"][1]["relative"] is False
    change(page, 1, "cost-as", "relative")
    assert line(page, 1).cost == pytest.approx(physical.cost, abs=6e-3)


def test_a_block_at_its_own_work_drafts_what_its_checkpoint_does(page: Page) -> None:
    change(page, 0, "cost-as", "physical")
    assert line(page, 0).block == 15
    assert page.state()["notices"] == []


def test_kinds_without_weights_have_no_cost_of_their_own() -> None:
    page = Page("drafter=ideal&drafter=ngram")
    assert keys(page, 0) == set()
    assert keys(page, 1) == {"relax", "spread"}


def test_a_draft_model_is_chosen_from_all_models() -> None:
    page = Page("model=qwen3-32b&gpus=2&drafter=draft")
    options = {option["value"] for option in field(page, 0, "drafter")["options"]}
    assert options == {"", *registry.model_ids()}
    change(page, 0, "drafter", "qwen3-4b")
    assert physical(page) == "qwen3-4b"


def test_a_drafter_is_chosen_where_several_are_registered() -> None:
    page = Page("model=qwen3-8b&gpus=1&drafter=block,cost=physical")
    change(page, 0, "drafter", "qwen3-8b-dspark")
    assert physical(page) == "qwen3-8b-dspark"
    change(page, 0, "drafter", "")
    assert physical(page) == "qwen3-8b-dflash"


def test_passes_gain_and_relax_are_set_and_relax_is_said_to_change_the_output(page: Page) -> None:
    assert "gain" not in keys(page, 0)
    change(page, 0, "passes", "3")
    change(page, 0, "gain", "20%")
    change(page, 0, "relax", "0.1")
    assert (line(page, 0).passes, line(page, 0).gain, line(page, 0).relax) == (3, 0.2, 0.1)
    assert "distribution" in str(field(page, 0, "relax")["hint"])
    assert any("relax" in notice for notice in page.state()["notices"])
    change(page, 0, "passes", "1")
    assert line(page, 0).gain == 0.0


def test_a_drafter_moves_to_gpus_of_its_own_and_back(page: Page) -> None:
    change(page, 1, "placement", "separate")
    change(page, 1, "link-latency", "12.5")
    change(page, 1, "link-bandwidth", "100")
    assert line(page, 1).link_latency == pytest.approx(12.5e-6)
    assert line(page, 1).link_bandwidth == 1e11
    assert field(page, 1, "link-latency")["value"] == "12.5"
    change(page, 1, "link-latency", "")
    assert line(page, 1).link_latency is None
    change(page, 1, "placement", "same")
    assert line(page, 1).link_bandwidth is None


@pytest.mark.parametrize(
    ("form", "name", "value"),
    [
        ("measured", "measured", HOSTILE),
        ("mix", "share-0", "1.5"),
        ("mix", "part-0", "150%"),
        ("mix", "part-0", HOSTILE),
        ("constant", "relax", "2"),
        ("constant", "passes", "x"),
        ("constant", "link-latency", "-1"),
        ("constant", "drafter", "<b>"),
    ],
)
def test_what_a_field_cannot_be_stays_as_it_was_and_is_said(page: Page, form: str, name: str, value: str) -> None:
    page.widgets["form-0"].value = form
    before = page.state()["query"]
    change(page, 0, name, value)
    assert page.state()["query"] == before
    assert value in page.state()["notices"][0]


@pytest.mark.parametrize(
    "change_",
    [
        None,
        "x",
        {},
        {"form": "line-9", "field": "relax", "value": "0.1"},
        {"form": "line-x", "field": "relax", "value": "0.1"},
        {"form": "line-0", "field": "nothing", "value": "0.1"},
        {"form": "line-0", "field": "share-0", "value": "0.1"},
    ],
)
def test_unknown_fields_change_nothing(page: Page, change_: object) -> None:
    before = page.state()["query"]
    page.handle("field", change_)
    assert page.state()["query"] == before


def test_forms_are_json(page: Page) -> None:
    page.widgets["form-1"].value = "mix"
    assert json.loads(json.dumps(page.state()["drafters"])) == page.state()["drafters"]


def test_a_tree_is_set_by_its_branches_verified_tokens_and_ranks() -> None:
    page = Page("model=llama-3.1-8b&gpus=1&batch=1&drafter=eagle3&drafter=block")
    assert "topk" in keys(page, 0)
    assert not {"topk", "verified"} & keys(page, 1)
    assert not {"verified", "ranks"} & keys(page, 0)
    change(page, 0, "topk", "4")
    assert field(page, 0, "ranks")["value"] == "0.24 : 0.12 : 0.08 : 0.06"
    change(page, 0, "verified", "7")
    change(page, 0, "ranks", "0.3 0.2 0.1")
    assert (line(page, 0).topk, line(page, 0).verified, line(page, 0).ranks) == (4, 7, (0.3, 0.2, 0.1))
    assert "7" in str(field(page, 0, "verified")["hint"])
    assert page.evaluation.drafters[0].verify.query_tokens == 8
    change(page, 0, "verified", "")
    change(page, 0, "ranks", "")
    assert (line(page, 0).verified, line(page, 0).ranks) == (0, ())
    change(page, 0, "topk", "1")
    assert keys(page, 0) & {"verified", "ranks"} == set()


@pytest.mark.parametrize(("key", "value"), [("topk", "0"), ("topk", "many"), ("verified", "0"), ("ranks", "0.1 0.5")])
def test_a_tree_that_cannot_be_leaves_the_line_as_it_is(key: str, value: str) -> None:
    page = Page("model=llama-3.1-8b&gpus=1&batch=1&drafter=eagle3,topk=4")
    before = line(page, 0)
    change(page, 0, key, value)
    assert line(page, 0) == before
    assert page.state()["notices"]


def test_another_form_of_a_trees_acceptance_commits_nearly_as_many_tokens() -> None:
    page = Page("model=llama-3.1-8b&gpus=1&batch=1&cap=4&drafter=eagle3,acceptance=0.7,topk=4,verified=32")
    length = page.evaluation.drafters[0].tokens_per_round[4]
    page.widgets["form-0"].value = "length"
    assert page.evaluation.drafters[0].tokens_per_round[4] == pytest.approx(length, rel=1e-3)
    page.widgets["form-0"].value = "constant"
    assert page.evaluation.drafters[0].tokens_per_round[4] == pytest.approx(length, rel=0.1)
